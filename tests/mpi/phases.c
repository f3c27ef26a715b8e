/* SPDX-License-Identifier: MIT */
/*
 * tests/mpi/phases.c - programs with known iterations
 *
 * Counts its own MPI calls, and writes for each iteration how many it had made
 * before, into the file FILE.RANK.
 *
 * phases KIND FILE
 *
 * KIND	solver	time steps with an iterative solver, which takes a varying
 *		number of iterations; a function with the only call of
 *		MPI_Allreduce is also called before the loop
 *	sweep	wavefronts through a line of ranks, back and forth; every fifth
 *		step has an output
 *	lu	a pipeline of blocks: the first and the last rank have one
 *		neighbour, and the last iteration ends early
 *	random	calls in random order
 *	slow	as solver; step 13 sleeps for 0.5 s in each rank
 */

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEPS 40
#define CALL(call) (calls++, (call))

static long calls;
static int rank, ranks;
static FILE *truth;

static void
begin(const char *what)
{
	fprintf(truth, "%s %ld\n", what, calls);
}

static __attribute__((noinline)) double
dot(double value)
{
	double sum = 0;

	CALL(MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM,
	    MPI_COMM_WORLD));
	return sum;
}

/* Exchanges with both neighbours, of which the first and the last rank have
   one. */
static void
halo(double *edge)
{
	MPI_Request requests[4];
	MPI_Status statuses[4];
	int count = 0;

	if (rank > 0)
		CALL(MPI_Irecv(&edge[0], 1, MPI_DOUBLE, rank - 1, 0,
		    MPI_COMM_WORLD, &requests[count++]));
	if (rank + 1 < ranks)
		CALL(MPI_Irecv(&edge[3], 1, MPI_DOUBLE, rank + 1, 0,
		    MPI_COMM_WORLD, &requests[count++]));
	if (rank > 0)
		CALL(MPI_Isend(&edge[1], 1, MPI_DOUBLE, rank - 1, 0,
		    MPI_COMM_WORLD, &requests[count++]));
	if (rank + 1 < ranks)
		CALL(MPI_Isend(&edge[2], 1, MPI_DOUBLE, rank + 1, 0,
		    MPI_COMM_WORLD, &requests[count++]));
	CALL(MPI_Waitall(count, requests, statuses));
}

static void
solver(bool slow)
{
	double edge[4] = { 0 }, norm = dot(1);

	for (int step = 0; step < STEPS; step++) {
		int iterations = 3 + step * 7 % 11;

		begin("step");
		CALL(MPI_Bcast(&norm, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD));
		if (slow && step == 13)
			usleep(500000);
		for (int n = 0; n < iterations; n++) {
			begin("inner");
			halo(edge);
			norm = dot(norm);
			norm = dot(norm) / ranks;
		}
		CALL(MPI_Barrier(MPI_COMM_WORLD));
	}
}

/* Passes a wavefront on, from the lower or the higher neighbour. */
static void
wave(int from, int to)
{
	double block[8] = { 0 };

	if (from >= 0 && from < ranks)
		CALL(MPI_Recv(block, 8, MPI_DOUBLE, from, 1, MPI_COMM_WORLD,
		    MPI_STATUS_IGNORE));
	if (to >= 0 && to < ranks)
		CALL(MPI_Send(block, 8, MPI_DOUBLE, to, 1, MPI_COMM_WORLD));
}

static void
sweep(void)
{
	double sum = 0;

	for (int step = 0; step < STEPS; step++) {
		begin("step");
		CALL(MPI_Barrier(MPI_COMM_WORLD));
		wave(rank - 1, rank + 1);
		wave(rank + 1, rank - 1);
		if (step % 5 == 4)
			CALL(MPI_Gather(&sum, 1, MPI_DOUBLE,
			    rank == 0 ? &(double[64]){ 0 } : NULL, 1,
			    MPI_DOUBLE, 0, MPI_COMM_WORLD));
	}
}

static void
lu(void)
{
	double block[16] = { 0 };

	for (int step = 0; step < STEPS; step++) {
		begin("step");
		if (rank > 0)
			CALL(MPI_Recv(block, 16, MPI_DOUBLE, rank - 1, 2,
			    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		if (rank + 1 < ranks)
			CALL(MPI_Send(block, 16, MPI_DOUBLE, rank + 1, 2,
			    MPI_COMM_WORLD));
		if (step == STEPS - 1)
			break;
		if (rank + 1 < ranks)
			CALL(MPI_Recv(block, 16, MPI_DOUBLE, rank + 1, 3,
			    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
		if (rank > 0)
			CALL(MPI_Send(block, 16, MPI_DOUBLE, rank - 1, 3,
			    MPI_COMM_WORLD));
		CALL(MPI_Allreduce(MPI_IN_PLACE, block, 1, MPI_DOUBLE, MPI_MAX,
		    MPI_COMM_WORLD));
	}
}

static void
any(void)
{
	unsigned state = 1;
	double value = 0, all[64];

	for (int n = 0; n < 600; n++) {
		state = state * 1103515245u + 12345u;
		switch (state >> 16 & 3) {
		case 0:
			CALL(MPI_Barrier(MPI_COMM_WORLD));
			break;
		case 1:
			CALL(MPI_Bcast(&value, 1, MPI_DOUBLE, 0,
			    MPI_COMM_WORLD));
			break;
		case 2:
			dot(value);
			break;
		default:
			CALL(MPI_Allgather(&value, 1, MPI_DOUBLE, all, 1,
			    MPI_DOUBLE, MPI_COMM_WORLD));
		}
	}
}

int
main(int argc, char **argv)
{
	char name[4096];

	if (argc != 3)
		return 2;
	CALL(MPI_Init(&argc, &argv));
	CALL(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
	CALL(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
	snprintf(name, sizeof(name), "%s.%d", argv[2], rank);
	truth = fopen(name, "w");
	if (truth == NULL || ranks > 64)
		return 2;
	if (strcmp(argv[1], "solver") == 0 || strcmp(argv[1], "slow") == 0)
		solver(argv[1][1] == 'l');
	else if (strcmp(argv[1], "sweep") == 0)
		sweep();
	else if (strcmp(argv[1], "lu") == 0)
		lu();
	else
		any();
	fclose(truth);
	CALL(MPI_Finalize());
	return 0;
}
