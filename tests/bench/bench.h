/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/bench.h - loops measured beside each other
 *
 * Rounds of all loops are taken in turn, so that whatever happens to the
 * machine happens to all of them; the first is what the others are compared
 * with.  Prints a line for each loop, and one for its ratio to the first:
 *
 *	what	unit	n	min	median	p99
 */

#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

/* Do it n times. */
typedef void bench_loop(void *to, unsigned n);

struct bench {
	const char *what;
	bench_loop *loop;
	void *to;
	unsigned n; /* times in a round */
};

void bench_run(const struct bench *loops, unsigned count, unsigned rounds);

/* All threads of this process, and those it starts, on one core; -1: on all. */
void bench_pin(int core);

#endif
