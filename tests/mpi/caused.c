/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/caused.c - a halo exchange in which rank 1 takes longer, with a
 * Barrier that nothing needs
 *
 * Prints the lines of the calls before and behind the computation.
 */

#include <mpi.h>

#include <stdio.h>
#include <time.h>

#define STEPS 30
#define COUNT 1000

static void
take(long ms)
{
	struct timespec time = { 0, ms * 1000000 };

	nanosleep(&time, NULL);
}

static void
exchange(int rank, int size)
{
	static double halo[4][COUNT];
	MPI_Request requests[4];
	int next = (rank + 1) % size, before = (rank + size - 1) % size;

	MPI_Irecv(halo[0], COUNT, MPI_DOUBLE, next, 1, MPI_COMM_WORLD,
	    &requests[0]);
	MPI_Irecv(halo[1], COUNT, MPI_DOUBLE, before, 2, MPI_COMM_WORLD,
	    &requests[1]);
	MPI_Isend(halo[2], COUNT, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
	    &requests[2]);
	MPI_Isend(halo[3], COUNT, MPI_DOUBLE, next, 2, MPI_COMM_WORLD,
	    &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

int
main(int argc, char **argv)
{
	double mine = 0, sum;
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int n = 0; n < STEPS; n++) {
		exchange(rank, size);
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0 && n == 0)
			printf("%d %d\n", __LINE__ - 2, __LINE__ + 2);
		take(rank == 1 ? 40 : 10);
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
		    MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
