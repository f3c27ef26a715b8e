/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/session.c - a program of MPI 4 that never calls MPI_Init
 *
 *	session TRUTH
 *
 * Writes the files TRUTH.RANK.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

int
main(int argc, char **argv)
{
	int rank, ranks, right, left, in = -1;
	MPI_Session session;
	MPI_Group group;
	MPI_Comm all;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL,
	    MPI_ERRORS_ARE_FATAL, &all);
	MPI_Comm_rank(all, &rank);
	MPI_Comm_size(all, &ranks);
	right = (rank + 1) % ranks;
	left = (rank + ranks - 1) % ranks;
	for (int i = 0; i < 5; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left,
		    1, all, MPI_STATUS_IGNORE);
	for (int i = 0; i < 5; i++) {
		truth_message(rank, right, "p2p", 4);
		truth_message(left, rank, "received", 4);
	}
	MPI_Group_free(&group);
	MPI_Comm_free(&all);
	MPI_Session_finalize(&session);
	if (argc > 1)
		truth_write(argv[1], rank);
	return in != left;
}
