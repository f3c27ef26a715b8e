/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/cpu_split.c - divides the time that a thread had no core
 * between its operations and the time outside of them
 *
 * Threads that yield lose their cores in operations, others where their time
 * slices end.  So the shares are those that were measured in the last tenth of
 * a second or so.
 */

#include "collectors/space/cpu_split_private.h"

/* Older intervals count half when a sum gets this long. */
#define SPLIT_FORGET_NS 1e8

/* Weight of all intervals where few have only one side. */
#define SPLIT_PRIOR_NS 1e6

/* Longer losses do not count whole: an interval with both sides has them where
   it ends, because a sample was due by then. */
#define SPLIT_LONG_NS 2000000u

/* An interval has only one side if the other one takes less than this part. */
#define SPLIT_PURE 16u

static void
split_add(struct es__cpu_rate *rate, const struct es__cpu_spent *spent)
{
	uint64_t over_ns =
	    spent->lost_ns > SPLIT_LONG_NS ? spent->lost_ns - SPLIT_LONG_NS : 0;

	if (rate->ns > SPLIT_FORGET_NS) {
		rate->ns /= 2;
		rate->lost_ns /= 2;
	}
	rate->ns += (double)(spent->ns > over_ns ? spent->ns - over_ns : 0);
	rate->lost_ns += (double)(spent->lost_ns - over_ns);
}

static void
split_learn(struct es__cpu_split *split, const struct es__cpu_spent *spent)
{
	uint64_t outside_ns = spent->ns - spent->inside_ns;

	split_add(&split->all, spent);
	if (spent->inside_ns < spent->ns / SPLIT_PURE)
		split_add(&split->sides[ES_CPU_OUTSIDE], spent);
	else if (outside_ns < spent->ns / SPLIT_PURE)
		split_add(&split->sides[ES_CPU_INSIDE], spent);
}

/* Returns the expected share of a side without a core. */
static double
split_share(const struct es__cpu_split *split, enum es_cpu_side side)
{
	const struct es__cpu_rate *one = &split->sides[side];
	double usual = split->all.lost_ns / (split->all.ns + 1);

	return (one->lost_ns + usual * SPLIT_PRIOR_NS) /
	    (one->ns + SPLIT_PRIOR_NS);
}

uint64_t
es__cpu_split(struct es__cpu_split *split, const struct es__cpu_spent *spent)
{
	uint64_t outside_ns = spent->ns - spent->inside_ns, ns;
	double outside, inside;

	split_learn(split, spent);
	if (spent->lost_ns == 0 || spent->inside_ns == 0 || outside_ns == 0)
		return spent->inside_ns == 0 ? spent->lost_ns : 0;
	outside = split_share(split, ES_CPU_OUTSIDE) * (double)outside_ns;
	inside = split_share(split, ES_CPU_INSIDE) * (double)spent->inside_ns;
	ns = (uint64_t)((double)spent->lost_ns * outside / (outside + inside));
	/* Neither side can have lost more than all of its time. */
	if (ns > outside_ns)
		ns = outside_ns;
	if (ns + spent->inside_ns < spent->lost_ns)
		ns = spent->lost_ns - spent->inside_ns;
	return ns;
}
