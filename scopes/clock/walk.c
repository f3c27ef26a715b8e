/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/walk.c - steps through the operations that several collectors
 * have in common
 *
 * Merge join by sequence number.  On the fast path the next tuple of each
 * collector has the next number.  When a collector is far behind, because
 * another one has discarded more tuples, its tuple is found by binary search.
 */

#include "scopes/clock/walk_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Larger distances, in sequence numbers, are searched instead of stepped
   through. */
#define FAR 16u

paths_status
es__walk_open(struct es__walk *walk, const struct es_analysis *analysis,
    const uint32_t *collectors, uint32_t count, struct es__range range)
{
	*walk = (struct es__walk){ .count = count,
		.next = range.begin,
		.end = range.end };
	walk->lanes = calloc(count + 1, sizeof(*walk->lanes));
	if (walk->lanes == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %u collectors", count);
	for (uint32_t n = 0; n < count; n++) {
		struct es__lane *lane = &walk->lanes[n];

		lane->collector = &analysis->run->collectors[collectors[n]];
		lane->base = es__base_of(analysis, lane->collector);
		lane->domain =
		    analysis->clocks.domain_of[lane->collector->process];
	}
	return PATHS_OK;
}

void
es__walk_close(struct es__walk *walk)
{
	free(walk->lanes);
}

/* Searches for a sequence number.  The result is always further on, although
   the numbers in a damaged file may not ascend. */
static uint64_t
lane_search(const struct es__lane *lane, uint64_t seq)
{
	uint64_t at = es_collector_seek(lane->collector, seq);

	return at > lane->at ? at : lane->at + 1;
}

/* Goes to the first operation from `seq` on that succeeded; false: there is
   none. */
static bool
lane_to(struct es__lane *lane, uint64_t seq)
{
	const struct es_collector *collector = lane->collector;

	while (lane->at < collector->count) {
		const struct es_tuple_path *tuple =
		    es__path_tuple(collector, lane->at);
		uint64_t own = es_collector_seq(collector, tuple->seq);

		if (own >= seq && es__tuple_ok(tuple)) {
			lane->tuple = tuple;
			lane->seq = own;
			return true;
		}
		if (seq > own + FAR)
			lane->at = lane_search(lane, seq);
		else
			lane->at++;
	}
	return false;
}

bool
es__walk_next(struct es__walk *walk)
{
	uint64_t seq = walk->next;

	/* Leave the operation that was found last. */
	for (uint32_t n = 0; n < walk->count; n++)
		walk->lanes[n].at += walk->lanes[n].tuple != NULL;
	for (uint32_t n = 0; n < walk->count;) {
		if (seq >= walk->end || !lane_to(&walk->lanes[n], seq))
			return false;
		if (walk->lanes[n].seq == seq) {
			n++;
		} else {
			seq = walk->lanes[n].seq;
			n = 0;
		}
	}
	walk->seq = seq;
	walk->next = seq + 1;
	return walk->count > 0;
}

struct es__range
es__walk_range(const struct es_analysis *analysis, const uint32_t *collectors,
    uint32_t count)
{
	struct es__range range = { 0, UINT64_MAX };

	for (uint32_t n = 0; n < count; n++) {
		const struct es__overview *o =
		    &analysis->overviews[collectors[n]];

		if (o->ok == 0)
			return (struct es__range){ 0, 0 };
		if (o->seq_first > range.begin)
			range.begin = o->seq_first;
		if (o->seq_last + 1 < range.end)
			range.end = o->seq_last + 1;
	}
	if (count == 0 || range.begin > range.end)
		return (struct es__range){ 0, 0 };
	return range;
}
