/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/hops_private.h - chooses the parts of the critical path that are
 * written
 */

#ifndef SCOPES_GRAPH_HOPS_PRIVATE_H
#define SCOPES_GRAPH_HOPS_PRIVATE_H

#include "scopes/graph/result_private.h"

/* Parts as long as least_ns or longer are written, and `room` of the `count`
   that have at least half of that. */
struct es__graph_hops {
	int64_t least_ns;
	uint64_t room, count;
	uint64_t owed; /* less than `count`: a sum of rooms */
};

/* Chooses at most `most` of the parts: the longest ones, and others spread over
   the run.  None takes less than 1 ns. */
struct es__graph_hops es__graph_hops_choose(const struct es__graph_hop *hops,
    uint64_t count, uint64_t most);

/* Returns whether the next part is written. */
bool es__graph_hops_take(struct es__graph_hops *choice,
    const struct es__graph_hop *hop);

#endif
