/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/path_program.h - simulates programs on paths with
 * dependences that are known
 *
 * Threads compute for random times between random operations.  In a round all
 * of them add up through two joins, one above the other; or each writes to the
 * next one and reads from the one before; or each writes more tuples than the
 * element holds.  With the same seed, the same program runs with other lengths
 * of computations.
 */

#ifndef TESTS_SCOPES_GRAPH_PATH_PROGRAM_H
#define TESTS_SCOPES_GRAPH_PATH_PROGRAM_H

#include "tests/scopes/fake_run.h"

#define PATH_PROGRAM_THREADS_MAX 8u
/* Tuples that an element holds. */
#define PATH_PROGRAM_KEEP 2u

struct path_program {
	uint32_t threads; /* at least 3 */
	uint32_t rounds, seed;
	/* Factor of the computations of each thread; 0 is 1. */
	double factors[PATH_PROGRAM_THREADS_MAX];
	/* Factors of the time of operations at the lower and the higher join;
	   0 is 1. */
	double stages[2];
	/* Results. */
	struct fake_run *run; /* the caller removes it */
	int64_t start_ns;     /* of the first operation */
	int64_t end_ns[PATH_PROGRAM_THREADS_MAX];
	uint64_t operations;
	int64_t waited_ns; /* of all threads */
	/* The time that each thread computes, and is in operations, on the
	   critical path. */
	int64_t path_ns[PATH_PROGRAM_THREADS_MAX][2];
};

void path_program_run(struct path_program *program);

#endif
