/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/merge.c - merges the tuples of several collectors by time
 *
 * Uses a binary heap of feeds.  Stamps ascend within a collector, so each feed
 * is read once, forward.
 */

#include "scopes/path/merge_private.h"

#include "libpaths/base/heap.h"
#include "libpaths/log.h"

#include <stdlib.h>

paths_status
es__merge_open(struct es__merge *merge, uint32_t feeds)
{
	*merge = (struct es__merge){ 0 };
	merge->feeds = calloc((size_t)feeds + 1, sizeof(*merge->feeds));
	merge->heap = calloc((size_t)feeds + 1, sizeof(*merge->heap));
	if (merge->feeds == NULL || merge->heap == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %u collectors", feeds);
	return PATHS_OK;
}

void
es__merge_close(struct es__merge *merge)
{
	free(merge->heap);
	free(merge->feeds);
}

struct es__feed *
es__merge_add(struct es__merge *merge, const struct es_analysis *analysis,
    uint32_t collector)
{
	struct es__feed *feed = &merge->feeds[merge->feed_count++];

	feed->lane.collector = &analysis->run->collectors[collector];
	feed->lane.base = es__base_of(analysis, feed->lane.collector);
	feed->end = feed->lane.collector->count;
	feed->calls = es__collector_calls(feed->lane.collector);
	return feed;
}

/* Returns whether the tuple at lane.at is part of the merge. */
static bool
merge_wants(const struct es__merge *merge, const struct es__feed *feed,
    const struct es_operation *tuple)
{
	const struct es_collector *c = feed->lane.collector;
	bool timed = tuple->stop != 0 ||
	    (merge->inside && es_operation_is_inside(c, feed->lane.at));

	if (feed->calls)
		return timed && es_operation_is_call(c, feed->lane.at);
	if (merge->kinds == 0)
		return timed;
	return es__tuple_ok((const void *)tuple) && tuple->op < 32 &&
	    (merge->kinds & (1u << tuple->op)) != 0;
}

/* Goes to the first tuple from lane.at on that is part of the merge.  Returns
   false when there is none. */
static bool
feed_fill(const struct es__merge *merge, struct es__feed *feed)
{
	for (; feed->lane.at < feed->end; feed->lane.at++) {
		const struct es_operation *tuple =
		    es_operation_get(feed->lane.collector, feed->lane.at);

		if (!merge_wants(merge, feed, tuple))
			continue;
		feed->tuple = tuple;
		feed->key = es_time_ns(feed->lane.base,
		    merge->by_stop ? tuple->stop : tuple->start);
		return true;
	}
	return false;
}

/* Orders feeds by key and then by index. */
static bool
merge_before(const void *context, const void *left, const void *right)
{
	const struct es__merge *merge = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t ka = merge->feeds[a].key, kb = merge->feeds[b].key;

	return ka != kb ? ka < kb : a < b;
}

static const struct paths__heap_kind merge_kind = { sizeof(uint32_t),
	merge_before };

static void
merge_begin(struct es__merge *merge)
{
	uint32_t spare;

	for (uint32_t f = 0; f < merge->feed_count; f++) {
		if (feed_fill(merge, &merge->feeds[f]))
			merge->heap[merge->heap_count++] = f;
	}
	paths__heap_make(&(struct paths__heap){ merge->heap, merge->heap_count,
			     &spare, merge },
	    &merge_kind);
	merge->begun = true;
}

struct es__feed *
es__merge_next(struct es__merge *merge)
{
	uint32_t spare;

	if (!merge->begun) {
		merge_begin(merge);
	} else if (merge->heap_count > 0) {
		struct es__feed *first = &merge->feeds[merge->heap[0]];

		first->lane.at++;
		if (!feed_fill(merge, first))
			merge->heap[0] = merge->heap[--merge->heap_count];
		if (merge->heap_count > 0)
			paths__heap_sink(&(struct paths__heap){ merge->heap,
					     merge->heap_count, &spare, merge },
			    &merge_kind, 0);
	}
	return merge->heap_count > 0 ? &merge->feeds[merge->heap[0]] : NULL;
}
