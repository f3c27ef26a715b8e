/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/constant.c - one offset for each clock, along the breadth-first
 * tree
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock"
 */

#include "scopes/clock/constant_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/edge_private.h"

#include <stdlib.h>

/* The clock of a child minus that of its parent. */
struct between {
	int64_t offset, upper, lower;
};

static struct between
between_of(const struct es__clock_edge *down, const struct es__clock_edge *up,
    es__clock_constant_do *offset)
{
	struct between b = { offset(down, up), INT64_MAX, INT64_MIN };

	if (down != NULL) {
		b.upper = down->upper_ns;
		b.lower = down->lower_ns;
	}
	if (up != NULL && -up->lower_ns < b.upper)
		b.upper = -up->lower_ns;
	if (up != NULL && -up->upper_ns > b.lower)
		b.lower = -up->upper_ns;
	return b;
}

/* Returns the largest error of the offset; -1: no constant offset fits. */
static int64_t
between_bound(const struct between *b)
{
	int64_t above = b->upper - b->offset, below = b->offset - b->lower;

	if (b->upper < b->lower)
		return -1;
	return above > below ? above : below;
}

paths_status
es__clock_constant(const struct es_analysis *a, es__clock_constant_do *offset,
    struct es__clock_result *result)
{
	const struct es__clocks *clocks = &a->clocks;
	paths_status st = PATHS_OK;

	if (clocks->order_count == 0)
		return PATHS_OK;
	result->reference = clocks->order[0];
	for (uint32_t n = 0; st == PATHS_OK && n < clocks->order_count; n++) {
		uint32_t child = clocks->order[n];
		uint32_t parent = clocks->parent[child];
		const struct es__clock_window *above;
		struct between b;
		int64_t bound;

		result->solutions[child].connected = true;
		if (n == 0) {
			st = es__clock_set_offset(clocks,
			    &result->solutions[child], child, 0, 0);
			continue;
		}
		above = result->solutions[parent].windows;
		b = between_of(es__clock_edge_find(clocks, parent, child),
		    es__clock_edge_find(clocks, child, parent), offset);
		bound = between_bound(&b);
		st = es__clock_set_offset(clocks, &result->solutions[child],
		    child, above->offset_ns + b.offset,
		    bound < 0 || above->bound_ns < 0 ? -1 :
						       above->bound_ns + bound);
	}
	return st;
}
