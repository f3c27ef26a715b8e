/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/spawn.c - processes that spawn others
 *
 *	spawn TRUTH COMMAND...
 *
 * Two ranks spawn two others by COMMAND and exchange messages with them on the
 * intercommunicator and on the communicator merged from it.  Each side numbers
 * the others 2 and 3.  Writes TRUTH.first.RANK and TRUTH.second.RANK.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

static char out[64], in[64];

static void
meet(MPI_Comm both, int rank, int other)
{
	MPI_Sendrecv(out, 10 + rank, MPI_BYTE, other, 1, in, 64, MPI_BYTE,
	    MPI_ANY_SOURCE, 1, both, MPI_STATUS_IGNORE);
	truth_message(rank, 2 + other, "p2p", 10 + rank);
	truth_message(2 + other, rank, "received", 10 + other);
}

/* All four ranks, the parents first. */
static void
meet_all(MPI_Comm all, int rank)
{
	int at[] = { 0, 8, 16, 24 }, from[] = { 1, 2, 3, 4 }, counts[4], here;

	MPI_Comm_rank(all, &here);
	for (int n = 0; n < 4; n++)
		counts[n] = 1 + here;
	MPI_Alltoallv(out, counts, at, MPI_CHAR, in, from, at, MPI_CHAR, all);
	for (int n = 0; n < 4; n++)
		if (n != rank)
			truth_message(rank, n, "collective", 1 + here);
	truth_collective(rank, 4, "Alltoallv", -1, 3 * (1 + here));
}

int
main(int argc, char **argv)
{
	MPI_Comm parent, both, again, all;
	char text[4096];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_get_parent(&parent);
	MPI_Comm_get_parent(&again);
	both = parent;
	if (parent == MPI_COMM_NULL)
		MPI_Comm_spawn(argv[2], argv + 3, 2, MPI_INFO_NULL, 0,
		    MPI_COMM_WORLD, &both, MPI_ERRCODES_IGNORE);
	meet(both, rank, rank);
	MPI_Intercomm_merge(both, parent != MPI_COMM_NULL, &all);
	meet_all(all, rank);
	MPI_Comm_free(&all);
	MPI_Comm_disconnect(&both);
	MPI_Finalize();
	snprintf(text, sizeof(text), "%s.%s", argv[1],
	    parent == MPI_COMM_NULL ? "first" : "second");
	truth_write(text, rank);
	return again != parent;
}
