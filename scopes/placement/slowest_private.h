/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/slowest_private.h - the process whose pairs cost most
 *
 * All processes wait for the slowest one, so its cost may matter more than the
 * sum over all pairs, which es_place makes small.
 */

#ifndef SCOPES_PLACEMENT_SLOWEST_PRIVATE_H
#define SCOPES_PLACEMENT_SLOWEST_PRIVATE_H

#include "scopes/traffic.h"

#include <stddef.h>

/* Costs that differ by less, relative to them, are equal: sums of many numbers
   have errors. */
#define ES_PLACE_COST_ERROR 1e-9

/* Pairs with costs of their own, and where their processes may be. */
struct es_place_slowest {
	const struct es_machine *machine;
	const struct es_traffic *traffic; /* of es_traffic_create_costs */
	const uint32_t *usable;		  /* slots */
	uint32_t usable_count;
	double sum_most; /* the sum over all pairs stays up to it */
	uint64_t work;	 /* budget: pairs of processes that are looked at */
};

/*
 * Returns the cost of the process whose pairs cost most.
 *
 * at		slot of each process, all different
 * cost		of each process; out
 */
double es_place_slowest_cost(const struct es_place_slowest *of,
    const uint32_t *at, double *cost);

/*
 * Moves processes so that the slowest one costs less.
 *
 * Swaps the slots of two processes, or takes a free slot, as long as that makes
 * the largest cost of a process smaller, or fewer processes have it, and the
 * sum does not grow by as large a part.  Of these changes, it makes the one
 * after which the processes concerned cost least.
 *
 * at		slot of each process, all different and usable; changed
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 */
paths_status es_place_slowest_lower(const struct es_place_slowest *of,
    uint32_t *at) PATHS_CHECKED;

#endif
