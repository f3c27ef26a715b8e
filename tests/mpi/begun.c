/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/begun.c - nonblocking collectives, and ranks that come late
 *
 *	begun
 *
 * Runs on 2 ranks.  In each round one of them is late to begin a nonblocking
 * barrier, and then to start two persistent barriers, which the two ranks start
 * in opposite orders.  Then rank 0 is late ROUNDS times to broadcast to the
 * remote group of an intercommunicator.
 */

#include <mpi.h>
#include <stdint.h>
#include <time.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#define MPI_Barrier_init MPIX_Barrier_init
#endif

#define ROUNDS 20
#define LATE_NS 1000000

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Both ranks meet; then this one is late if it is delayed. */
static void
meet(int delayed)
{
	int64_t end = now_ns() + LATE_NS;

	MPI_Barrier(MPI_COMM_WORLD);
	while (delayed && now_ns() < end)
		;
}

static void
broadcast_across(int rank)
{
	double number = rank;
	MPI_Comm other;

	MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 0,
	    &other);
	for (int n = 0; n < ROUNDS; n++) {
		meet(rank == 0);
		MPI_Bcast(&number, 1, MPI_DOUBLE, rank == 0 ? MPI_ROOT : 0,
		    other);
	}
	MPI_Comm_free(&other);
}

int
main(int argc, char **argv)
{
	MPI_Request one, made[2];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 2; i++)
		MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &made[i]);
	for (int n = 0; n < ROUNDS; n++) {
		meet(n % 2 == rank);
		MPI_Ibarrier(MPI_COMM_WORLD, &one);
		MPI_Wait(&one, MPI_STATUS_IGNORE);
		meet(n % 2 == rank);
		MPI_Start(&made[rank]);
		MPI_Start(&made[1 - rank]);
		MPI_Wait(&made[0], MPI_STATUS_IGNORE);
		MPI_Wait(&made[1], MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < 2; i++)
		MPI_Request_free(&made[i]);
	broadcast_across(rank);
	MPI_Finalize();
	return 0;
}
