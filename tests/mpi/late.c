/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/late.c - two ranks that are late by known times
 *
 *	late [FILE]
 *
 * Rank 0 computes for 2 ms before 90 of 100 sends; the other messages are
 * there before they are received.  Then the ranks in turn are late by 1 ms to
 * 90 of 100 sums.  Prints how long each rank waited by its own stamps, in ns:
 * from its own arrival to that of the other rank.  The figures hold on a busy
 * machine, where ranks arrive later than intended.  Each rank prints a line:
 *
 *	RANK WAITED_FOR_SENDS WAITED_FOR_SUMS
 *
 * Writes to FILE how much later rank 0 came to each call than rank 1, in ns:
 *
 *	FUNCTION ROUND LATER
 */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define TIMES 100
#define LATE 90

static int64_t came[2][TIMES]; /* times of arrival, by rank */
static FILE *rounds;	       /* of rank 1, if a file was named */

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
work(int64_t ns)
{
	int64_t end = now_ns() + ns;

	while (now_ns() < end)
		;
}

/*
 * Stamps the arrival at the next call.  A recorder reads the processor time of
 * the thread where a call begins.  If the time slice of the thread is over by
 * then, the kernel gives the core away as that system call ends: between the
 * stamp and the begin of the call.  So the rank lets it do so before the stamp.
 */
static void
arrive(int rank, int i)
{
	struct timespec spent;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	came[rank][i] = now_ns();
}

/* Returns the total time that this rank waited for the other in the calls of a
   function, in ns. */
static int64_t
waited(int rank, const char *function)
{
	int64_t sum = 0;

	MPI_Sendrecv(came[rank], TIMES, MPI_INT64_T, 1 - rank, 3,
	    came[1 - rank], TIMES, MPI_INT64_T, 1 - rank, 3, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
	for (int i = 0; i < TIMES; i++) {
		if (came[1 - rank][i] > came[rank][i])
			sum += came[1 - rank][i] - came[rank][i];
		if (rounds != NULL)
			fprintf(rounds, "%s %d %lld\n", function, i + 1,
			    (long long)(came[0][i] - came[1][i]));
	}
	return sum;
}

static void
send_late(int rank)
{
	double number = 0;

	for (int i = 0; i < TIMES; i++) {
		bool late = i >= TIMES - LATE;

		/* Both ranks start together, so that either can be late. */
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0 && late)
			work(2000000);
		/* A barrier between the calls: the receive waits for nothing,
		   also when a rank has lost its core. */
		if (rank == 1 && !late)
			MPI_Barrier(MPI_COMM_WORLD);
		arrive(rank, i);
		if (rank == 0)
			MPI_Send(&number, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
		if (rank == 0 && !late)
			MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 1)
			MPI_Recv(&number, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD,
			    MPI_STATUS_IGNORE);
	}
}

static void
sum_late(int rank)
{
	double number = 1, sum;

	for (int i = 0; i < TIMES; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (i >= TIMES - LATE && (i & 1) == rank)
			work(1000000);
		arrive(rank, i);
		MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
}

int
main(int argc, char **argv)
{
	int64_t sender, sums;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 1 && argc > 1)
		rounds = fopen(argv[1], "w");
	send_late(rank);
	sender = waited(rank, "MPI_Recv");
	if (rank != 1)
		sender = 0;
	sum_late(rank);
	sums = waited(rank, "MPI_Allreduce");
	if (rounds != NULL)
		fclose(rounds);
	printf("%d %lld %lld\n", rank, (long long)sender, (long long)sums);
	MPI_Finalize();
	return 0;
}
