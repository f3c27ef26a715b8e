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
#define SIMULATED_WORK_MAX 16384u
/* Sends of more bytes wait for their receive. */
#define SIMULATED_EAGER 1000u

/* A computation of a simulated program. */
struct simulated_work {
	uint32_t rank, epoch;
	uint32_t from, site; /* of the operations before and after it */
	int64_t ns;
};

struct simulated {
	uint32_t ranks, rounds, seed;
	/* Factor of the computations of each rank; 0 is 1. */
	double factors[SIMULATED_RANKS_MAX];
	/* Factors of computations, in the order of work; NULL: 1. */
	const double *evens;
	bool sites;    /* the number of a function is the site of its calls */
	int64_t scale; /* factor of all times; 0 is 1 */
	/* Messages travel for longer. */
	int64_t latency_ns, ns_per_byte;
	uint64_t eager_bytes; /* 0: SIMULATED_EAGER */
	const char *nowait;   /* operation whose members do not wait; NULL */
	bool ideal;	      /* operations take no time of their own */
	bool windows;	      /* ranks access windows, too */
	/* Results. */
	struct fake_trace *fake; /* the caller frees it */
	int64_t end_ns[SIMULATED_RANKS_MAX];
	int64_t waited_ns; /* of all ranks */
	/* An epoch ends with an operation in which all ranks wait for all. */
	uint32_t epochs;
	/* Room for SIMULATED_WORK_MAX computations, which are noted; NULL. */
	struct simulated_work *work;
	uint32_t work_count;
	int64_t computed_ns[SIMULATED_EPOCHS_MAX][SIMULATED_RANKS_MAX];
	/* The time that each rank computes, and is in operations, on the
	   critical path. */
	int64_t path_ns[SIMULATED_RANKS_MAX][2];
};

void simulate(struct simulated *program);

#endif
