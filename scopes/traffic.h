/* SPDX-License-Identifier: MIT */
/*
 * scopes/traffic.h - the communication between pairs of processes
 *
 * A sparse symmetric matrix.  Its weights are bytes, messages or predicted
 * time, as the caller likes.  Pairs cost their weight times the distance of
 * their slots, or have costs of their own for each depth.
 */

#ifndef SCOPES_TRAFFIC_H
#define SCOPES_TRAFFIC_H

#include "scopes/machine.h"

PATHS_BEGIN_DECLS

struct es_traffic;

/* Communication from a process to another one. */
struct es_traffic_edge {
	uint32_t from, to; /* numbers of processes, from 0 */
	double weight;
};

/* Costs of entries, by the depth of two slots (scopes/machine.h). */
struct es_traffic_costs {
	uint32_t depths; /* es_machine_levels of the machine, + 1 */
	/* The cost of entry n between slots of depth d is
	   list[n * depths + d]. */
	const double *list;
};

/*
 * es_traffic_create - make a matrix from its entries
 *
 * Both directions of a pair, and all entries of the same pair, are added.
 * Entries of weight 0, and those from a process to itself, are left out.
 *
 * processes	number of processes
 * edges	in any order; copied
 * traffic	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no processes; a weight is negative, infinite or
 *				not a number
 *		PATHS_ERANGE	a process that does not exist, more than
 *				ES_MACHINE_SLOTS processes, or a sum of weights
 *				that is not finite
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_traffic_destroy
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_traffic_create(uint32_t processes,
    const struct es_traffic_edge *edges, size_t count,
    struct es_traffic **traffic) PATHS_CHECKED;

/*
 * es_traffic_create_costs - make a matrix whose pairs have costs of their own
 *
 * Such a pair costs the same wherever slots have the same depth, and weights
 * and the distances of the machine have no effect on costs.  So latency and
 * bytes may have another ratio on each level.  Entries of weight 0 are left out
 * only if all their costs are 0.
 *
 * edges	in any order; copied
 * costs	copied; need not fall with the depth
 *
 * Returns	as es_traffic_create
 *		PATHS_EINVAL	no depth; a cost is negative, infinite or not a
 *				number
 * Ownership	the caller calls es_traffic_destroy
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_traffic_create_costs(uint32_t processes,
    const struct es_traffic_edge *edges, size_t count,
    const struct es_traffic_costs *costs, struct es_traffic **traffic)
    PATHS_CHECKED;

/*
 * es_traffic_destroy - free a matrix
 *
 * traffic	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_traffic_destroy(struct es_traffic *traffic);

/*
 * es_traffic_processes - the number of processes
 *
 * Returns	the number; at least 1
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_traffic_processes(const struct es_traffic *traffic);

/*
 * es_traffic_pairs - the number of pairs that communicate
 *
 * Returns	the number
 * Threads	any
 * Since	0.1
 */
ES_API size_t es_traffic_pairs(const struct es_traffic *traffic);

/*
 * es_traffic_weight - the sum of both directions of a pair
 *
 * a, b		below es_traffic_processes
 *
 * Returns	the sum; 0 if a and b do not communicate, or are equal
 * Threads	any
 * Since	0.1
 */
ES_API double es_traffic_weight(const struct es_traffic *traffic, uint32_t a,
    uint32_t b);

PATHS_END_DECLS

#endif
