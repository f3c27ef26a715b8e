/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/pair_private.h - computes the cost of a pair of processes
 */

#ifndef SCOPES_PLACE_PAIR_PRIVATE_H
#define SCOPES_PLACE_PAIR_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

/* Returns the cost of an entry of the matrix.  at: as es__machine_differ
   returns it for the two places. */
static inline double
es__pair_cost(const struct es_machine *m, const struct es_traffic *t,
    size_t entry, unsigned at)
{
	return t->cost == NULL ? t->weight[entry] * m->between[at] :
				 t->cost[entry * t->depths + m->depth[at]];
}

/* Returns the cost that an entry saves if the two places share one more level
   than `level`.  Without costs it is a weight, which es__pair_scale makes a
   cost. */
static inline double
es__pair_saves(const struct es_traffic *t, size_t entry, uint32_t level)
{
	const double *cost;

	if (t->cost == NULL)
		return t->weight[entry];
	cost = t->cost + entry * t->depths + level;
	return cost[0] - cost[1];
}

/* Returns the factor of es__pair_saves on a level. */
static inline double
es__pair_scale(const struct es_machine *m, const struct es_traffic *t,
    uint32_t level)
{
	return t->cost == NULL ? m->distance[level] - m->distance[level + 1] :
				 1;
}

/* Returns the cost of an entry between slots of a depth. */
static inline double
es__pair_at(const struct es_machine *m, const struct es_traffic *t,
    size_t entry, uint32_t depth)
{
	return t->cost == NULL ? t->weight[entry] * m->distance[depth] :
				 t->cost[entry * t->depths + depth];
}

/* Returns whether placements may have different costs. */
static inline bool
es__pair_differs(const struct es_machine *m, const struct es_traffic *t)
{
	return t->cost == NULL ? m->distance[0] != m->distance[m->level_count] :
				 t->spread > 0;
}

#endif
