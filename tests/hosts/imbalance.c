/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/imbalance.c - an MPI program whose ranks wait for each other
 *
 *	imbalance ROUNDS
 *
 * In each round a rank sleeps for a time that differs between ranks and rounds,
 * then takes part in a collective, and after another sleep exchanges messages
 * with its neighbours: eager ones, large ones and synchronous ones.
 */

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LARGE 100000

static char large[2][LARGE];

static void
nap(int ms)
{
	struct timespec time = { 0, ms * 1000000L };

	nanosleep(&time, NULL);
}

static void
collective(int round, int size)
{
	double in = round, out[16];

	switch (round % 5) {
	case 0:
		MPI_Barrier(MPI_COMM_WORLD);
		break;
	case 1:
		MPI_Allreduce(&in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		break;
	case 2:
		MPI_Bcast(out, 4, MPI_DOUBLE, round % size, MPI_COMM_WORLD);
		break;
	case 3:
		MPI_Reduce(&in, out, 1, MPI_DOUBLE, MPI_MAX, round % size,
		    MPI_COMM_WORLD);
		break;
	default:
		MPI_Allgather(&in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE,
		    MPI_COMM_WORLD);
		break;
	}
}

static void
neighbours(int round, int rank, int size)
{
	int left = (rank + size - 1) % size, right = (rank + 1) % size;
	MPI_Request requests[2];
	MPI_Status states[2];
	int in, out = round;

	if (round % 4 == 3) {
		MPI_Irecv(large[0], LARGE, MPI_CHAR, left, 1, MPI_COMM_WORLD,
		    &requests[0]);
		MPI_Isend(large[1], LARGE, MPI_CHAR, right, 1, MPI_COMM_WORLD,
		    &requests[1]);
		MPI_Waitall(2, requests, states);
	} else if (round % 4 == 2) {
		MPI_Irecv(&in, 1, MPI_INT, right, 2, MPI_COMM_WORLD, requests);
		MPI_Ssend(&out, 1, MPI_INT, left, 2, MPI_COMM_WORLD);
		MPI_Wait(requests, MPI_STATUS_IGNORE);
	} else {
		MPI_Sendrecv(&out, 1, MPI_INT, round % 4 == 0 ? left : right, 3,
		    &in, 1, MPI_INT, round % 4 == 0 ? right : left, 3,
		    MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

int
main(int argc, char **argv)
{
	int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 10;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < rounds; round++) {
		nap(1 + 3 * ((rank + round) % size));
		collective(round, size);
		nap(1 + 2 * ((rank + 2 * round) % size));
		neighbours(round, rank, size);
	}
	/* Over TCP, MPICH 4.0 sometimes hangs in an MPI_Finalize that directly
	   follows messages. */
	MPI_Barrier(MPI_COMM_WORLD);
	nap(20);
	return MPI_Finalize();
}
