/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/average.c - one offset a clock, the mean over operations
 *
 * B is ahead of A by the mean of o = t2 - (t1 + c), c = ((t4 - t1) -
 * (t3 - t2)) / 2, over the operations that A began, A being nearer to the
 * reference; over those that B began where A began none.  The way down is
 * taken to last as long as the way up: the error is half of what they differ
 * by on average.
 *
 * The bound is hard as long as the clocks run at one rate: no operation
 * arrives before it was sent, whichever side began it.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock"
 */

#include "scopes/clock/clock_private.h"

/* What is known of child's clock minus parent's. */
struct between {
	int64_t offset, upper, lower;
};

static struct between
between_of(const struct es__edge *down, const struct es__edge *up)
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

static int64_t
between_bound(const struct between *b)
{
	int64_t above = b->upper - b->offset, below = b->offset - b->lower;

	if (b->upper < b->lower)
		return -1;
	return above > below ? above : below;
}

static void
average_solve(const struct es__clocks *clocks, struct es__solution *solutions)
{
	for (uint32_t n = 1; n < clocks->order_count; n++) {
		uint32_t child = clocks->order[n];
		uint32_t parent = clocks->parent[child];
		struct between b =
		    between_of(es__clocks_edge(clocks, parent, child),
			es__clocks_edge(clocks, child, parent));
		int64_t bound = between_bound(&b);
		int64_t above = solutions[parent].bound_ns;

		solutions[child].offset_ns =
		    solutions[parent].offset_ns + b.offset;
		solutions[child].bound_ns =
		    bound < 0 || above < 0 ? -1 : above + bound;
	}
}

const struct es_clock_method es__clock_average = {
	.name = "average",
	.about = "constant offsets, the mean over remote operations",
	.bounds = true,
	.solve = average_solve,
};
