/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/hops_private.h - chooses which parts of the critical path are
 * written to view.db
 */

#ifndef SCOPES_GRAPH_HOPS_PRIVATE_H
#define SCOPES_GRAPH_HOPS_PRIVATE_H

#include "scopes/graph/result_private.h"

/* All parts of at least least_ns are written.  Of the `count` parts that are
   shorter, but at least half as long, `room` are written, evenly spread. */
struct es__graph_hops {
	int64_t least_ns;
	uint64_t room, count;
	/* Grows by `room` with each shorter part; when it reaches `count`, the
	   part is written and `count` is subtracted. */
	uint64_t owed;
};

/* Chooses at most `most` of the parts: the longest ones, and others spread over
   the run.  None takes less than 1 ns. */
struct es__graph_hops es__graph_hops_choose(const struct es__graph_hop *hops,
    uint64_t count, uint64_t most);

/* Returns whether the next part is written. */
bool es__graph_hops_take(struct es__graph_hops *choice,
    const struct es__graph_hop *hop);

#endif
