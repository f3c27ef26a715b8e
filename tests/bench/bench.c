/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/bench.c - measures loops in turn and prints their ratios
 */

#include "tests/bench/bench.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double
bench_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static int
bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts; prints times, or ratios to loop `than` if it is not NULL. */
static void
bench_line(const struct bench *b, const char *than, double *ns, unsigned rounds)
{
	qsort(ns, rounds, sizeof(*ns), bench_compare);
	printf("%s%s%s\t%s\t%u\t%.4g\t%.4g\t%.4g\n", b->what, than ? " / " : "",
	    than ? than : "", than ? "x" : "ns", b->n, ns[0], ns[rounds / 2],
	    ns[rounds * 99 / 100]);
	fflush(stdout);
}

/* Divides each round of the loop by the same round of the first loop. */
static void
bench_ratio(const struct bench *loops, unsigned i, const double *ns,
    unsigned rounds)
{
	double *ratio = calloc(rounds, sizeof(*ratio));

	for (unsigned r = 0; r < rounds; r++)
		ratio[r] = ns[i * rounds + r] / ns[r];
	bench_line(&loops[i], loops[0].what, ratio, rounds);
	free(ratio);
}

void
bench_run(const struct bench *loops, unsigned count, unsigned rounds)
{
	double *ns = calloc((size_t)count * rounds, sizeof(*ns));

	for (unsigned i = 0; i < count; i++)
		loops[i].loop(loops[i].to, loops[i].n / 10 + 1);
	for (unsigned r = 0; r < rounds; r++)
		for (unsigned i = 0; i < count; i++) {
			double start = bench_now();

			loops[i].loop(loops[i].to, loops[i].n);
			ns[i * rounds + r] = (bench_now() - start) / loops[i].n;
		}
	for (unsigned i = 1; i < count; i++)
		bench_ratio(loops, i, ns, rounds);
	for (unsigned i = 0; i < count; i++)
		bench_line(&loops[i], NULL, &ns[i * rounds], rounds);
	free(ns);
}

void
bench_pin(int core)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (core < 0 || i == core)
			CPU_SET(i, &set);
	sched_setaffinity(0, sizeof(set), &set);
}
