/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/hops.c - chooses which parts of the critical path are written to
 * view.db
 *
 * Parts are classed by the power of two of their length, and the classes of the
 * longest parts are written.  In a regular program most parts are in one class,
 * so a share of the next class is written, too.
 */

#include "scopes/graph/hops_private.h"

static unsigned
hop_bit(const struct es__graph_hop *hop)
{
	return 63 -
	    (unsigned)__builtin_clzll((uint64_t)(hop->stop_ns - hop->start_ns));
}

struct es__graph_hops
es__graph_hops_choose(const struct es__graph_hop *hops, uint64_t count,
    uint64_t most)
{
	uint64_t of[64] = { 0 }, sum = 0;
	unsigned bit = 63;

	if (count <= most)
		return (struct es__graph_hops){ .least_ns = 0 };
	for (uint64_t n = 0; n < count; n++)
		of[hop_bit(&hops[n])]++;
	/* Ends, because all classes together have more than `most` parts. */
	while (sum + of[bit - 1] <= most)
		sum += of[--bit];
	return (struct es__graph_hops){ .least_ns = bit == 63 ?
		    INT64_MAX :
		    INT64_C(1) << bit,
		.room = most - sum,
		.count = of[bit - 1] };
}

bool
es__graph_hops_take(struct es__graph_hops *choice,
    const struct es__graph_hop *hop)
{
	int64_t ns = hop->stop_ns - hop->start_ns;

	if (ns >= choice->least_ns)
		return true;
	if (ns < choice->least_ns - choice->least_ns / 2)
		return false;
	choice->owed += choice->room;
	if (choice->owed < choice->count)
		return false;
	choice->owed -= choice->count;
	return true;
}
