/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_block.c - the buckets of a thread in a block of
 * time
 */

#include "scopes/views/run/timeline_block_private.h"

/* Returns a duration, at least 1 so that the operation is visible. */
static uint32_t
longest_ns(int64_t ns)
{
	if (ns < 1)
		return 1;
	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/* Adds the part of an operation that covers fresh time of a bucket. */
static void
bucket_add(struct es__pyramid_bucket *bucket, uint32_t longest, int64_t ns)
{
	if (longest > bucket->longest_ns)
		bucket->longest_ns = longest;
	if (ns > 0)
		bucket->covered_ns += (uint64_t)ns;
}

/* Adds an operation to the buckets that it touches; its time before `fresh` is
   covered by others. */
static void
block_touch(struct es__timeline_block *b, int64_t start, int64_t stop,
    int64_t fresh)
{
	int64_t width = (int64_t)1 << b->bucket_shift;
	int64_t from = start > b->begin_ns ? start : b->begin_ns;
	int64_t to = stop < b->end_ns ? stop : b->end_ns;
	uint32_t longest = longest_ns(stop - start);
	int64_t n = (from - b->begin_ns) >> b->bucket_shift;
	int64_t left = b->begin_ns + n * width;

	if (stop < b->begin_ns || (stop == b->begin_ns && start < stop))
		return;
	do {
		int64_t begin = fresh > left ? fresh : left;
		int64_t end = left + width < to ? left + width : to;

		if (b->buckets != NULL)
			bucket_add(&b->buckets[n], longest, end - begin);
		if (end > begin && b->times != NULL)
			b->times[n] += (uint64_t)(end - begin);
		n++;
		left += width;
	} while (left < to && n < ES__PYRAMID_BLOCK);
}

static void
block_add(struct es__timeline_block *b, int64_t start, int64_t stop)
{
	int64_t fresh = start > b->covered_to ? start : b->covered_to;

	/* Clocks are inexact: a stamp may lie before the start of the run. */
	if (start < 0)
		start = 0;
	if (stop < start)
		stop = start;
	if (start >= b->end_ns)
		return;
	if (start >= b->begin_ns && b->buckets != NULL)
		b->buckets[(start - b->begin_ns) >> b->bucket_shift].starts++;
	block_touch(b, start, stop, fresh);
	if (stop > b->covered_to)
		b->covered_to = stop;
}

/* Limits a feed to the tuples that touch a block: those that start in it, and
   the operation before, which may still be under way. */
static void
feed_cut(struct es__feed *feed, const struct es__timeline_block *b, bool last)
{
	const struct es_collector *c = feed->lane.collector;
	uint64_t at = 0;

	if (b->begin_ns > 0)
		at = es_collector_seek_start(c,
		    es_time_ticks(feed->lane.base, b->begin_ns));
	at -= at > 0;
	while (feed->calls && at > 0 && !es_operation_is_call(c, at))
		at--;
	feed->lane.at = at;
	if (!last)
		feed->end = es_collector_seek_start(c,
		    es_time_ticks(feed->lane.base, b->end_ns));
}

/* Adds an operation. */
static void
block_take(struct es__timeline_block *b, const struct es__feed *feed,
    const struct es_operation *op, int64_t start)
{
	if (b->choose != NULL)
		b->times = b->choose(b->context, feed, op);
	block_add(b, start,
	    op->stop != 0 ? es_time_ns(feed->lane.base, op->stop) :
			    b->run_end_ns);
}

/* Fills a block from one collector, without a merge: most threads have one
   path. */
static void
block_fill_single(struct es__timeline_block *b, const struct es__feed *feed)
{
	const struct es_collector *c = feed->lane.collector;

	for (uint64_t n = feed->lane.at; n < feed->end; n++) {
		const struct es_operation *op = es_operation_get(c, n);

		if ((op->stop != 0 || es_operation_is_inside(c, n)) &&
		    (!feed->calls || es_operation_is_call(c, n)))
			block_take(b, feed, op,
			    es_time_ns(feed->lane.base, op->start));
	}
}

/* Reads the collectors of a thread. */
static paths_status
block_read(struct es__timeline_block *b, const struct es_analysis *a,
    uint32_t thread, bool last)
{
	const struct es__list *heads = &a->graph.heads[thread];
	struct es__merge merge;
	struct es__feed *feed;
	paths_status st = es__merge_open(&merge, heads->count);

	merge.inside = true;
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++) {
		feed = es__merge_add(&merge, a, heads->ids[n]);
		feed->tag = heads->ids[n];
		feed_cut(feed, b, last);
	}
	if (st == PATHS_OK && heads->count == 1)
		block_fill_single(b, &merge.feeds[0]);
	else
		while (
		    st == PATHS_OK && (feed = es__merge_next(&merge)) != NULL)
			block_take(b, feed, feed->tuple, feed->key);
	es__merge_close(&merge);
	return st;
}

paths_status
es__timeline_block_fill(struct es__timeline_block *block,
    const struct es__timeline_rows *rows, uint32_t at, uint64_t number)
{
	uint64_t first = number * ES__PYRAMID_BLOCK;

	block->begin_ns = (int64_t)(first * rows->shape.bucket_ns);
	block->run_end_ns = rows->a->span_ns;
	block->bucket_shift = (uint32_t)__builtin_ctzll(rows->shape.bucket_ns);
	/* Only a damaged run has blocks that end past the largest time. */
	if (__builtin_mul_overflow(first + ES__PYRAMID_BLOCK,
		rows->shape.bucket_ns, &block->end_ns))
		block->end_ns = INT64_MAX;
	block->covered_to = block->begin_ns;
	return block_read(block, rows->a, rows->recorded[at],
	    number + 1 == rows->blocks);
}
