/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_sums.c - adds up the own time and the waits of a block of
 * operations
 */

#include "scopes/path/waits_sums_private.h"

#include "scopes/path/waits_work_private.h"

#include <string.h>

/* Adds the waits of the operation on each path to its step there. */
static void
sums_add_steps(const struct es__waits_plan *plan, const struct es_analysis *a,
    const struct waits_worker *w, int64_t *sums)
{
	const struct es__waits_moment *moments = es__waits_work_moments(w);
	const struct es__list *tracks = &plan->tree->tracks;

	for (uint32_t n = 0; n < tracks->count; n++) {
		uint32_t c = a->graph.tracks[tracks->ids[n]].head;
		const struct es__lane *head;
		int64_t waited = 0;

		if (c == PATHS_NONE)
			continue;
		head = &es__waits_work_lanes(w)[a->graph.segments[c].slot];
		for (; c != PATHS_NONE; c = a->graph.segments[c].below)
			waited += moments[a->graph.segments[c].slot].wait_ns;
		es__waits_plan_steps(plan, sums, n)[es__steps_bin(&plan->steps,
		    head->collector, (const void *)head->tuple, false)] +=
		    waited;
	}
}

paths_status
es__waits_sums(const struct es__waits_plan *plan, const struct es_analysis *a,
    uint64_t block, int64_t *sums)
{
	struct es__range range = plan->blocks > 1 ?
	    es__range_block(plan->range, block) :
	    plan->range;
	struct waits_worker *w = NULL;
	paths_status st = es__waits_work_open(plan, a, range, &w);

	memset(sums, 0, es__waits_plan_numbers(plan) * sizeof(*sums));
	while (st == PATHS_OK && es__waits_work_next(w, sums)) {
		if (plan->blame_rows > 0)
			sums_add_steps(plan, a, w, sums);
		sums[0]++;
	}
	es__waits_work_close(w);
	return st;
}
