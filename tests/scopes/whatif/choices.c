/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/choices.c - receives of any source, in all ways
 *
 * Rank 1 sends a message and waits for the answer, so that each receive of rank
 * 0 is on the critical path, unless rank 1 has to share its core for too long.
 * Prints "late N", the number of such rounds, and "polls N", the number of
 * probes that rank 0 makes in a loop.
 */

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define ANY MPI_ANY_SOURCE

/* Before an answer, and the longest time from a send to the next receive. */
#define PAUSE 0.04

static int late, polls;

/* Rank 1: sends a message when rank 0 waits for it, and gets the answer. */
static void
ask(void)
{
	double sent;
	int word = 0;

	usleep((unsigned)(1e6 * PAUSE / 4));
	/* The message may be there long before MPI_Send returns. */
	sent = MPI_Wtime();
	MPI_Send(&word, 1, MPI_INT, 0, 1, WORLD);
	usleep(1);
	late += MPI_Wtime() - sent > PAUSE / 2;
	MPI_Recv(&word, 1, MPI_INT, 0, 2, WORLD, MPI_STATUS_IGNORE);
}

static void
answer(void)
{
	int word = 0;

	usleep((unsigned)(1e6 * PAUSE));
	MPI_Send(&word, 1, MPI_INT, 1, 2, WORLD);
}

static void
blocking(void)
{
	int word, other = 0;
	MPI_Status s;
	MPI_Message m;

	MPI_Recv(&word, 1, MPI_INT, ANY, 1, WORLD, MPI_STATUS_IGNORE);
	answer();
	MPI_Probe(ANY, 1, WORLD, &s);
	MPI_Recv(&word, 1, MPI_INT, s.MPI_SOURCE, 1, WORLD, &s);
	answer();
	MPI_Mprobe(ANY, 1, WORLD, &m, &s);
	MPI_Mrecv(&word, 1, MPI_INT, &m, &s);
	answer();
	MPI_Sendrecv(&other, 1, MPI_INT, MPI_PROC_NULL, 3, &word, 1, MPI_INT,
	    ANY, 1, WORLD, &s);
	answer();
	MPI_Sendrecv_replace(&word, 1, MPI_INT, MPI_PROC_NULL, 3, ANY, 1, WORLD,
	    &s);
	answer();
	MPI_Recv(&word, 1, MPI_INT, 1, 1, WORLD, &s); /* no choice */
	answer();
}

static void
nonblocking(void)
{
	int word, index, found = 0;
	MPI_Request r;
	MPI_Status s;

	MPI_Irecv(&word, 1, MPI_INT, ANY, 1, WORLD, &r);
	MPI_Wait(&r, &s);
	answer();
	MPI_Irecv(&word, 1, MPI_INT, ANY, 1, WORLD, &r);
	MPI_Waitall(1, &r, &s);
	answer();
	MPI_Recv_init(&word, 1, MPI_INT, ANY, 1, WORLD, &r);
	MPI_Start(&r);
	MPI_Wait(&r, &s);
	MPI_Request_free(&r);
	answer();
	MPI_Irecv(&word, 1, MPI_INT, 1, 1, WORLD, &r);
	MPI_Waitany(1, &r, &index, &s);
	answer();
	for (; !found; polls++) {
		usleep(2000);
		MPI_Iprobe(ANY, 1, WORLD, &found, &s);
	}
	MPI_Recv(&word, 1, MPI_INT, 1, 1, WORLD, &s);
	answer();
}

int
main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(WORLD, &rank);
	if (rank == 0) {
		blocking();
		nonblocking();
		printf("polls %d\n", polls);
	}
	for (int n = 0; rank == 1 && n < 11; n++)
		ask();
	if (rank == 1)
		printf("late %d\n", late);
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
