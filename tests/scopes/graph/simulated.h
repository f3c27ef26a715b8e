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
#define SIMULATED_EPOCHS_MAX 256u
/* Sends of more bytes wait for their receive. */
#define SIMULATED_EAGER 1000u

struct simulated {
	uint32_t ranks, rounds, seed;
	/* Factor of the computations of each rank; 0 is 1. */
	double factors[SIMULATED_RANKS_MAX];
	/* Factor of the computations of each epoch and rank; NULL: 1.  An epoch
	   ends with an operation in which all ranks wait for all. */
	double (*evens)[SIMULATED_RANKS_MAX];
	bool sites;    /* the number of a function is the site of its calls */
	int64_t scale; /* factor of all times; 0 is 1 */
	/* Messages travel for longer. */
	int64_t latency_ns, ns_per_byte;
	uint64_t eager_bytes; /* 0: SIMULATED_EAGER */
	const char *nowait;   /* operation whose members do not wait; NULL */
	bool ideal;	      /* operations take no time of their own */
	/* Results. */
	struct fake_trace *fake; /* the caller frees it */
	int64_t end_ns[SIMULATED_RANKS_MAX];
	int64_t waited_ns; /* of all ranks */
	uint32_t epochs;
	int64_t computed_ns[SIMULATED_EPOCHS_MAX][SIMULATED_RANKS_MAX];
	/* The time that each rank computes, and is in operations, on the
	   critical path. */
	int64_t path_ns[SIMULATED_RANKS_MAX][2];
};

void simulate(struct simulated *program);

#endif
