/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/kernels_mpi.c - communication of known codes, with given work
 *
 *	kernels sweep|lu|cg|sum [STEPS [FACTOR]]
 *
 *	sweep	like Sweep3D: a wavefront over a grid of ranks from each of its
 *		four corners, with blocking calls
 *	lu	like LU of the NAS benchmarks: many thin wavefronts from a
 *		corner and back, and a halo exchange with Irecv, Send and Wait
 *	cg	like CG of the NAS benchmarks: sums over rows by Irecv, Send and
 *		Wait in log2(n) steps, and an exchange with the transposed rank
 *	sum	work that differs between ranks and steps, then Allreduce
 *
 * Work is busy waiting for 180 to 220 us, random but the same in each run.
 * With FACTOR it is sleeping, so that cores do not matter, for ten times as
 * long, and rank 1 takes FACTOR times that.  Then rank 0 prints the time from a
 * barrier at the begin to one at the end, in us, by its own stamps.
 */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define WORK_NS 200000
#define BLOCKS 8     /* of a wavefront */
#define DOUBLES 1000 /* of a message */

static int rank, ranks, columns, rows; /* columns x rows ranks */
static double out[DOUBLES], in[DOUBLES];
static double slept; /* factor of the time that work sleeps; 0: it is busy */

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
sleep_ns(int64_t ns)
{
	struct timespec ts = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&ts, NULL);
}

static void
work(int64_t ns)
{
	static uint32_t random = 1;
	int64_t end;

	if (random == 1)
		random += (uint32_t)rank * 7919;
	random = random * 1664525 + 1013904223;
	ns = ns * 9 / 10 + (random >> 16) % (ns / 5);
	if (slept > 0) {
		sleep_ns((int64_t)(slept * (double)ns));
		return;
	}
	end = now_ns() + ns;
	while (now_ns() < end)
		;
}

/* Returns the rank at this offset, or MPI_PROC_NULL outside the grid. */
static int
neighbour(int right, int down)
{
	int column = rank % columns + right;
	int row = rank / columns + down;

	if (column < 0 || column >= columns || row < 0 || row >= rows)
		return MPI_PROC_NULL;
	return row * columns + column;
}

static void
receive(int from)
{
	MPI_Recv(in, DOUBLES, MPI_DOUBLE, from, 1, MPI_COMM_WORLD,
	    MPI_STATUS_IGNORE);
}

static void
send(int to)
{
	MPI_Send(out, DOUBLES, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
}

/* Runs a wavefront: right and down for 1, left and up for -1. */
static void
wave(int right, int down, int blocks, int64_t ns)
{
	for (int block = 0; block < blocks; block++) {
		receive(neighbour(-right, 0));
		receive(neighbour(0, -down));
		work(ns);
		send(neighbour(right, 0));
		send(neighbour(0, down));
	}
}

static void
swap(int with)
{
	MPI_Request request;

	MPI_Irecv(in, DOUBLES, MPI_DOUBLE, with, 2, MPI_COMM_WORLD, &request);
	MPI_Send(out, DOUBLES, MPI_DOUBLE, with, 2, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void
step_sweep(void)
{
	wave(1, 1, BLOCKS, WORK_NS);
	wave(-1, 1, BLOCKS, WORK_NS);
	wave(1, -1, BLOCKS, WORK_NS);
	wave(-1, -1, BLOCKS, WORK_NS);
}

static void
step_lu(void)
{
	wave(1, 1, 4 * BLOCKS, WORK_NS / 4);
	wave(-1, -1, 4 * BLOCKS, WORK_NS / 4);
	work(4 * WORK_NS);
	swap(neighbour(rank % columns % 2 == 0 ? 1 : -1, 0));
	swap(neighbour(0, rank / columns % 2 == 0 ? 1 : -1));
}

static void
step_cg(void)
{
	work(4 * WORK_NS);
	for (int bit = 1; bit < columns; bit *= 2)
		swap(rank ^ bit);
	swap(columns == rows ? rank % columns * columns + rank / columns :
			       ranks - 1 - rank);
	work(WORK_NS);
}

static void
step_sum(void)
{
	double sum, number = rank;

	work(4 * WORK_NS + rank * WORK_NS / 2);
	MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
	const char *name;
	void (*step)(void);
} kernels[] = {
	{ "sweep", step_sweep },
	{ "lu", step_lu },
	{ "cg", step_cg },
	{ "sum", step_sum },
};

static void
run(const char *name, int steps)
{
	for (size_t n = 0; n < sizeof(kernels) / sizeof(kernels[0]); n++)
		for (int s = 0; strcmp(name, kernels[n].name) == 0 && s < steps;
		     s++)
			kernels[n].step();
}

/* Runs a kernel whose work is sleeping, and prints its time. */
static void
run_slept(const char *name, int steps, double factor)
{
	double start;

	slept = 10 * (rank == 1 ? factor : 1);
	/* A sleep is else up to 50 us longer. */
	prctl(PR_SET_TIMERSLACK, 1);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	run(name, steps);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%.0f\n", 1e6 * (MPI_Wtime() - start));
}

int
main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int steps = argc > 2 ? atoi(argv[2]) : 50;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (columns = 1; columns * columns < ranks; columns *= 2)
		;
	rows = ranks / columns;
	if (argc > 3)
		run_slept(name, steps, atof(argv[3]));
	else
		run(name, steps);
	MPI_Finalize();
	return 0;
}
