/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/session.c - a program of MPI 4 that never calls MPI_Init
 *
 *	session TRUTH
 *
 * Opens two sessions; the first ends before the second one communicates.
 * Writes the files TRUTH.RANK.
 */

#include "tests/mpi/truth.h"

#include <mpi.h>

/* Returns a communicator of all processes of a session. */
static MPI_Comm
world(MPI_Session session)
{
	MPI_Group group;
	MPI_Comm all;

	MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
	MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL,
	    MPI_ERRORS_ARE_FATAL, &all);
	MPI_Group_free(&group);
	return all;
}

/* Returns true if the rank to the left sent the received value. */
static int
ring(MPI_Comm all, int times, int *rank)
{
	int ranks, right, left, in = -1;

	MPI_Comm_rank(all, rank);
	MPI_Comm_size(all, &ranks);
	right = (*rank + 1) % ranks;
	left = (*rank + ranks - 1) % ranks;
	for (int i = 0; i < times; i++) {
		MPI_Sendrecv(rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left,
		    1, all, MPI_STATUS_IGNORE);
		truth_message(*rank, right, "p2p", 4);
		truth_message(left, *rank, "received", 4);
	}
	return in == left;
}

static MPI_Session
begin(void)
{
	MPI_Session session;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
	return session;
}

int
main(int argc, char **argv)
{
	/* MPICH 4.0 cannot open a session after the last one has ended. */
	MPI_Session sessions[] = { begin(), begin() };
	int rank, good = 1;

	for (int n = 0; n < 2; n++) {
		MPI_Comm all = world(sessions[n]);

		good &= ring(all, 5 - n, &rank);
		MPI_Comm_free(&all);
		MPI_Session_finalize(&sessions[n]);
	}
	if (argc > 1)
		truth_write(argv[1], rank);
	return !good;
}
