/* SPDX-License-Identifier: MIT */
/*
 * examples/rod.c - heat in a rod, a plain MPI program
 *
 *	mpicc -O2 -g -o rod rod.c -lm
 *	mpirun -n 4 eventspace mpi -o RUN ./rod [OPTIONS]
 *
 * The rod is cut into slices, one for each rank.  In each step neighbours
 * exchange the cells at their borders; every tenth step all ranks add up the
 * heat.  The program is correct but slow: the slices are as long as if there
 * were three more ranks, and the last rank has the remainder, four times as
 * much as each of the others.  --even cuts equal slices, --steps N sets the
 * number of steps.  --pace NS lets a step take NS ns for each cell, and sleeps
 * for the rest, so that its time does not depend on the speed of the cores.
 *
 * The program does not use eventspace.
 */

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CELLS 1000000L
#define SUM_EVERY 10
#define STEPS_MOST 1000000
#define PACE_MOST 1000

struct rod {
	int rank, ranks;
	int left, right; /* neighbours; MPI_PROC_NULL at the ends */
	long cells;	 /* of this rank, without the neighbours' cells */
	double *now, *next;
	int pace_ns; /* of a cell; 0: as fast as it can */
};

static void
rod_cut(struct rod *rod, int even)
{
	long slice = CELLS / (rod->ranks + (even ? 0 : 3));
	long first = rod->rank * slice;

	rod->cells = rod->rank == rod->ranks - 1 ? CELLS - first : slice;
	rod->now = calloc((size_t)rod->cells + 2, sizeof(double));
	rod->next = calloc((size_t)rod->cells + 2, sizeof(double));
	if (!rod->now || !rod->next)
		MPI_Abort(MPI_COMM_WORLD, 1);
	/* The first half of the rod is hot. */
	for (long i = 1; i <= rod->cells; i++)
		rod->now[i] = first + i <= CELLS / 2 ? 1 : 0;
}

/* Exchanges the cells at the borders of the slice with the neighbours. */
static void
rod_exchange(struct rod *rod)
{
	double *now = rod->now;
	long last = rod->cells;

	/* At an end of the rod these copies stay: no heat crosses it. */
	now[0] = now[1];
	now[last + 1] = now[last];
	MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, rod->left, 1, &now[last + 1], 1,
	    MPI_DOUBLE, rod->right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&now[last], 1, MPI_DOUBLE, rod->right, 2, &now[0], 1,
	    MPI_DOUBLE, rod->left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Returns the heat that flows between cells; warm cells conduct better. */
static double
rod_flow(double from, double to)
{
	return 0.25 * (from - to) * exp((from + to) / 2 - 1);
}

static void
rod_step(struct rod *rod)
{
	double *now = rod->now, *next = rod->next;
	double in = rod_flow(now[0], now[1]), out;

	for (long i = 1; i <= rod->cells; i++, in = out) {
		out = rod_flow(now[i], now[i + 1]);
		next[i] = now[i] + in - out;
	}
	rod->now = next;
	rod->next = now;
}

/* Sleeps until a step that began at a time has taken its time. */
static void
rod_pace(const struct rod *rod, double began)
{
	double took_ns = (MPI_Wtime() - began) * 1e9;
	long rest_ns = rod->cells * rod->pace_ns - (long)took_ns;
	struct timespec rest = { rest_ns / 1000000000, rest_ns % 1000000000 };

	if (rest_ns > 0)
		nanosleep(&rest, NULL);
}

static double
rod_heat(const struct rod *rod)
{
	double mine = 0, all;

	for (long i = 1; i <= rod->cells; i++)
		mine += rod->now[i];
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static void
refuse(const char *word)
{
	fprintf(stderr,
	    "rod: %s: expected --even, --steps N, from 1 to %d, or --pace NS, "
	    "from 1 to %d\n",
	    word, STEPS_MOST, PACE_MOST);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

static int
number_read(const char *word, long most)
{
	char *end;
	long number = strtol(word, &end, 10);

	if (end == word || *end != '\0' || number < 1 || number > most)
		refuse(word);
	return (int)number;
}

int
main(int argc, char **argv)
{
	struct rod rod = { .rank = 0 };
	double began, heat = 0;
	int even = 0, steps = 200;

	MPI_Init(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--even") == 0)
			even = 1;
		else if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
			steps = number_read(argv[++i], STEPS_MOST);
		else if (strcmp(argv[i], "--pace") == 0 && i + 1 < argc)
			rod.pace_ns = number_read(argv[++i], PACE_MOST);
		else
			refuse(argv[i]);
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rod.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &rod.ranks);
	rod.left = rod.rank > 0 ? rod.rank - 1 : MPI_PROC_NULL;
	rod.right = rod.rank < rod.ranks - 1 ? rod.rank + 1 : MPI_PROC_NULL;
	rod_cut(&rod, even);
	began = MPI_Wtime();
	for (int step = 0; step < steps; step++) {
		double step_began;

		rod_exchange(&rod);
		step_began = MPI_Wtime();
		rod_step(&rod);
		rod_pace(&rod, step_began);
		if (step % SUM_EVERY == 0 || step == steps - 1)
			heat = rod_heat(&rod);
	}
	if (rod.rank == 0)
		printf("rod: %d ranks, %d steps, heat %.3f (%s)\n"
		       "rod: %.0f steps/s\n",
		    rod.ranks, steps, heat,
		    fabs(heat - CELLS / 2) < 1e-3 ? "conserved" : "LOST",
		    steps / (MPI_Wtime() - began));
	free(rod.now);
	free(rod.next);
	MPI_Finalize();
	return fabs(heat - CELLS / 2) >= 1e-3;
}
