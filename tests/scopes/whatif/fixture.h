/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/fixture.h - runs of simulated programs, and what predicts
 * them
 */

#ifndef TESTS_SCOPES_WHATIF_FIXTURE_H
#define TESTS_SCOPES_WHATIF_FIXTURE_H

#include "scopes/whatif/whatif_private.h"

#include "tests/scopes/graph/simulated.h"

/* A simulated program, and what predicts it. */
struct fixture {
	struct simulated program;
	struct es__graph_classes classes;
	uint32_t ranks[SIMULATED_RANKS_MAX];
	struct es_whatif *whatif;
};

/* Opens the trace of f->program.  lost: time without a core of each rank and,
   behind them, of all; NULL: none. */
void fixture_open_lost(struct fixture *f, const struct es__cpu_curve *lost);
void fixture_open(struct fixture *f);
void fixture_close(struct fixture *f);

/* Simulates a program of 60 rounds and opens its trace. */
void fixture_simulate(struct fixture *f, uint32_t ranks, uint32_t seed);

/* A time in which a rank is without a core. */
struct fixture_lost {
	uint32_t rank;
	int64_t from_ns, to_ns; /* to_ns 0: none */
};

/* Adds a time to the curves of ranks and, behind them, of all. */
void fixture_curves_add(struct es__cpu_curve *curves, uint32_t ranks,
    const struct fixture_lost *lost);
void fixture_curves_end(struct es__cpu_curve *curves, uint32_t ranks);
void fixture_curves_free(struct es__cpu_curve *curves, uint32_t ranks);

/* Opens the trace of a program whose ranks compute for so long in each step,
   which ends with a Barrier and an Allreduce. */
void fixture_stepped(struct fixture *f, uint32_t ranks, uint32_t steps,
    const int64_t *computing_ns);

/* A program as of fixture_stepped.  lost_ns: of each rank, at the end of its
   computing, the part without a core; NULL: none. */
struct fixture_steps {
	uint32_t ranks, steps;
	const int64_t *computing_ns, *lost_ns;
};

/* Opens the trace of such a program.  curves: out; NULL: none. */
void fixture_stepped_lost(struct fixture *f, const struct fixture_steps *of,
    struct es__cpu_curve *curves);

#endif
