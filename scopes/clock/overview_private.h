/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/overview_private.h - counts of the tuples of a collector
 */

#ifndef SCOPES_CLOCK_OVERVIEW_PRIVATE_H
#define SCOPES_CLOCK_OVERVIEW_PRIVATE_H

#include "scopes/analysis.h"

/* One pass over the tuples of a collector. */
struct es__overview {
	uint64_t ok;	 /* operations that succeeded */
	uint64_t failed; /* operations that returned an error */
	uint64_t inside; /* operations that did not return: 0 or 1 */
	uint64_t kinds;	 /* bit n: one of enum paths_kind n succeeded */
	uint64_t gaps;	 /* sequence numbers that are missing between others */
	uint64_t seq_first, seq_last; /* of those that succeeded */
	uint32_t step_last;	      /* the largest step of those */
	uint64_t start_first;	      /* ticks */
	uint64_t stop_last;
	uint64_t start_inside; /* of the one that did not return; 0: none */
};

/* Returns whether all operations that succeeded are of one kind, so that their
   sequence numbers count that kind. */
static inline bool
es__overview_is_pure(const struct es__overview *overview)
{
	return (overview->kinds & (overview->kinds - 1)) == 0;
}

/*
 * es__overview_compute - count the tuples of all collectors
 *
 * Fills a->overviews and diagnoses operations that were discarded, failed, did
 * not return, or were not recorded.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__overview_compute(struct es_analysis *a) PATHS_CHECKED;

#endif
