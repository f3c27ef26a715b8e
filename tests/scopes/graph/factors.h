/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/factors.h - factors for changed replays
 */

#ifndef TESTS_SCOPES_GRAPH_FACTORS_H
#define TESTS_SCOPES_GRAPH_FACTORS_H

#include "scopes/graph/graph_private.h"

#include "tests/test.h"

#include <stdlib.h>

/* Factors of the computations of one thread. */
static inline double *
factors_of_thread(const struct es__graph *g, uint32_t thread, double factor)
{
	double *factors = calloc(g->names.count + 1, sizeof(*factors));

	EXPECT_TRUE(factors != NULL);
	for (uint32_t n = 0; n < g->names.count; n++)
		factors[n] = g->names.list[n].thread == thread &&
			g->names.list[n].function == 0 ?
		    factor :
		    1;
	return factors;
}

#endif
