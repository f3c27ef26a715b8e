/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/average.c - aligns each clock by one offset: the mean over
 * operations
 *
 * The offset of clock B to clock A is the mean of o = t2 - (t1 + c), c = ((t4 -
 * t1) - (t3 - t2)) / 2.  A is the clock that is nearer to the reference.  The
 * mean is over the operations that A began, or over those of B when A began
 * none.  The formula takes the way down to be as long as the way up, so the
 * error is half the mean difference of the two.
 *
 * No operation arrives before it was sent, which gives bounds of the offset.
 * They hold as long as both clocks run at the same rate.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock"
 */

#include "scopes/clock/edge_private.h"

/* The clock of a child minus that of its parent. */
struct between {
	int64_t offset, upper, lower;
};

/* Combines the edges of both directions, of which one may be NULL. */
static struct between
between_of(const struct es__clock_edge *down, const struct es__clock_edge *up)
{
	struct between b = { 0, INT64_MAX, INT64_MIN };

	if (down != NULL)
		b = (struct between){ down->offset_ns, down->upper_ns,
			down->lower_ns };
	else
		b.offset = -up->offset_ns;
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

static void
average_solve(const struct es__clocks *clocks,
    struct es__clock_solution *solutions)
{
	for (uint32_t n = 1; n < clocks->order_count; n++) {
		uint32_t child = clocks->order[n];
		uint32_t parent = clocks->parent[child];
		struct between b =
		    between_of(es__clock_edge_find(clocks, parent, child),
			es__clock_edge_find(clocks, child, parent));
		int64_t bound = between_bound(&b);
		int64_t above = solutions[parent].bound_ns;

		solutions[child].offset_ns =
		    solutions[parent].offset_ns + b.offset;
		solutions[child].bound_ns =
		    bound < 0 || above < 0 ? -1 : above + bound;
	}
}

const struct es__clock_method es__clock_average = {
	.name = "average",
	.about = "constant offsets, the mean over remote operations",
	.bounds = true,
	.solve = average_solve,
};
