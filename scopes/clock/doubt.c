/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/doubt.c - by how much the times of a clock may be wrong
 */

#include "scopes/clock/doubt_private.h"

int64_t
es__clock_doubt(const struct es_analysis *a, uint32_t domain, int64_t ns)
{
	const struct es__clock_solution *s;
	int64_t time = (int64_t)((uint64_t)ns + (uint64_t)a->start_ns);
	uint32_t low = 0, high;

	if (domain >= a->clocks.result.domain_count)
		return ES__DOUBT_UNKNOWN;
	s = &a->clocks.result.solutions[domain];
	high = s->window_count;
	/* The first window holds from the begin. */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (s->windows[middle].begin_ns <= time)
			low = middle;
		else
			high = middle;
	}
	return s->windows[low].bound_ns < 0 ? ES__DOUBT_UNKNOWN :
					      s->windows[low].bound_ns;
}
