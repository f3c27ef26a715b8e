/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/sum_mpi.c - allreduce of 8 ranks, the reference of sum_bench
 *
 *	mpicc -O2 -o tests/bench/sum_mpi SRCDIR/tests/bench/sum_mpi.c
 */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#define SUMS 5000

int
main(int argc, char **argv)
{
	int64_t value, sum;
	double start = 0;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < SUMS + SUMS / 10; i++) {
		value = i;
		MPI_Allreduce(&value, &sum, 1, MPI_INT64_T, MPI_SUM,
		    MPI_COMM_WORLD);
		if (i == SUMS / 10)
			start = MPI_Wtime();
	}
	start = (MPI_Wtime() - start) * 1e9 / SUMS;
	if (rank == 0)
		printf("%s\tns\t%d\t%.0f\t%.0f\t%.0f\n", argv[1], SUMS, start,
		    start, start);
	MPI_Finalize();
	return 0;
}
