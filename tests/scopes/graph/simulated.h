/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/simulated.h - simulates MPI programs with dependences that
 * are known
 *
 * Ranks compute for random times between random operations.  An operation ends
 * a random time after all that it waits for.  With the same seed, the same
 * program runs with other lengths of computations.
 */

#ifndef TESTS_SCOPES_GRAPH_SIMULATED_H
#define TESTS_SCOPES_GRAPH_SIMULATED_H

#include "tests/scopes/fake_trace.h"

#define SIMULATED_RANKS_MAX 64u
/* Sends of more bytes wait for their receive. */
#define SIMULATED_EAGER 1000u

struct simulated {
	uint32_t ranks, rounds, seed;
	/* Factor of the computations of each rank; 0 is 1. */
	double factors[SIMULATED_RANKS_MAX];
	/* Results. */
	struct fake_trace *fake; /* the caller frees it */
	int64_t end_ns[SIMULATED_RANKS_MAX];
	int64_t waited_ns; /* of all ranks */
	/* The time that each rank computes, and is in operations, on the
	   critical path. */
	int64_t path_ns[SIMULATED_RANKS_MAX][2];
};

void simulate(struct simulated *program);

#endif
