/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/bench.h - measures loops in turn and prints their ratios
 *
 * All loops run a round in turn, so that a disturbance of the machine affects
 * all of them.  The first loop is the reference.  Prints a line for each loop,
 * and one for its ratio to the reference:
 *
 *	what	unit	n	min	median	p99
 */

#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

/* Runs the measured operation n times. */
typedef void bench_loop(void *to, unsigned n);

struct bench {
	const char *what;
	bench_loop *loop;
	void *to;
	unsigned n; /* operations in a round */
};

void bench_run(const struct bench *loops, unsigned count, unsigned rounds);

/* Pins this process to a core, or to all cores for -1; threads inherit it. */
void bench_pin(int core);

#endif
