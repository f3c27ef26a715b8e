/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline.c - multi-resolution summary for timelines
 *
 * scopes/timeline.h declares the format.  Time of a thread is covered while one
 * of its operations is under way, as the first collectors of its paths recorded
 * them.  An operation that has not returned lasts to the end of the run.
 *
 * Each tuple is read once.  A work item is one block of time of one thread.
 * Stamps ascend within a collector, so a binary search finds the first tuple of
 * a block.  Blocks of a process, a host and the run are sums of those of their
 * threads, so threads are sorted by host and process.
 */

#include "scopes/path/merge_private.h"
#include "scopes/path/pyramid_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <string.h>

static const struct es_column row_columns[] = {
	{ "row", ES_INTEGER,
	    .about =
		"number of the data in timeline_level; rows for the same set "
		"of threads have the same number" },
	{ "kind", ES_TEXT,
	    .about = "kind of row: thread, process, host or run" },
	{ "id", ES_INTEGER,
	    .about = "id of the thread, process or host; 0 for the run" },
	{ "threads", ES_INTEGER,
	    .about = "number of threads that are averaged in the row" },
	{ "bucket_ns", ES_INTEGER, .about = "width of a bucket of level 0",
	    .unit = ES_UNIT_NS },
	{ "buckets", ES_INTEGER, .about = "number of buckets of level 0" },
	{ "levels", ES_INTEGER, .about = "number of levels" },
};

static const struct es_column level_columns[] = {
	{ "row", ES_INTEGER, .about = "number of the data",
	    .refers = "timeline_row" },
	{ "level", ES_INTEGER,
	    .about = "zoom level; a bucket is bucket_ns * 2^level ns wide" },
	{ "chunk", ES_INTEGER,
	    .about =
		"number of the chunk, which begins with bucket chunk * 1020" },
	{ "data", ES_BLOB, .about = "at most 1020 buckets of 8 bytes each" },
};

enum { ROW, LEVEL };

static const struct es_table tables[] = {
	[ROW] = { .name = "timeline_row",
	    .about = "rows of the timeline",
	    ES_COLUMNS(row_columns),
	    .flags = ES_TABLE_DRAWN },
	[LEVEL] = { .name = "timeline_level",
	    .about =
		"communication in the rows of the timeline, at all zoom levels",
	    ES_COLUMNS(level_columns),
	    .key = "row, level, chunk",
	    .flags = ES_TABLE_DRAWN },
};

/* Range of recorded threads that one pyramid stands for. */
struct thread_range {
	uint32_t first, last;
	uint32_t pyramid;
};

enum row_kind { KIND_THREAD, KIND_PROCESS, KIND_HOST, KIND_RUN, KINDS };

struct timeline_view {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__pyramid shape;
	uint64_t blocks;
	uint32_t *recorded; /* threads that have a collector, sorted */
	uint32_t recorded_count;
	struct thread_range *ranges[KINDS]; /* range of each recorded thread */
	struct es__pyramid_row *pyramids;
	uint32_t pyramid_count;
	struct es__pyramid_sums shared;
	/* Sums over the threads of an incomplete block, by kind. */
	struct es__pyramid_bucket *sums[KINDS];
};

/* Block that is being filled. */
struct pyramid_block {
	int64_t begin_ns, end_ns;
	int64_t run_end_ns;
	uint32_t bucket_shift; /* log2 of the ns of a bucket */
	int64_t covered_to;
	struct es__pyramid_bucket *buckets;
};

/* Returns a duration, at least 1 so that the operation is visible. */
static uint32_t
longest_ns(int64_t ns)
{
	if (ns < 1)
		return 1;
	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/* Adds an operation to the buckets that it touches; its time before `fresh` is
   covered by others. */
static void
block_touch(struct pyramid_block *b, int64_t start, int64_t stop, int64_t fresh)
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
		struct es__pyramid_bucket *bucket = &b->buckets[n++];
		int64_t begin = fresh > left ? fresh : left;
		int64_t end = left + width < to ? left + width : to;

		if (longest > bucket->longest_ns)
			bucket->longest_ns = longest;
		if (end > begin)
			bucket->covered_ns += (uint64_t)(end - begin);
		left += width;
	} while (left < to && n < ES__PYRAMID_BLOCK);
}

static void
block_add(struct pyramid_block *b, int64_t start, int64_t stop)
{
	int64_t fresh = start > b->covered_to ? start : b->covered_to;

	/* Clocks are inexact: a stamp may lie before the start of the run. */
	if (start < 0)
		start = 0;
	if (stop < start)
		stop = start;
	if (start >= b->end_ns)
		return;
	if (start >= b->begin_ns)
		b->buckets[(start - b->begin_ns) >> b->bucket_shift].starts++;
	block_touch(b, start, stop, fresh);
	if (stop > b->covered_to)
		b->covered_to = stop;
}

/* Limits a feed to the tuples that touch a block: those that start in it, and
   the operation before, which may still be under way. */
static void
feed_cut(struct es__feed *feed, const struct pyramid_block *b, bool last)
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

static int64_t
block_stop(const struct pyramid_block *b, const struct es__feed *feed,
    const struct es_operation *op)
{
	return op->stop != 0 ? es_time_ns(feed->lane.base, op->stop) :
			       b->run_end_ns;
}

/* Fills a block from one collector, without a merge: most threads have one
   path. */
static void
block_fill_single(struct pyramid_block *b, const struct es__feed *feed)
{
	const struct es_collector *c = feed->lane.collector;

	for (uint64_t n = feed->lane.at; n < feed->end; n++) {
		const struct es_operation *op = es_operation_get(c, n);

		if ((op->stop != 0 || es_operation_is_inside(c, n)) &&
		    (!feed->calls || es_operation_is_call(c, n)))
			block_add(b, es_time_ns(feed->lane.base, op->start),
			    block_stop(b, feed, op));
	}
}

static paths_status
block_fill(const struct timeline_view *t, uint32_t thread,
    struct pyramid_block *b, bool last)
{
	const struct es__list *heads = &t->a->graph.heads[thread];
	struct es__merge merge;
	struct es__feed *feed;
	paths_status st = es__merge_open(&merge, heads->count);

	merge.inside = true;
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++) {
		feed = es__merge_add(&merge, t->a, heads->ids[n]);
		feed_cut(feed, b, last);
	}
	if (st == PATHS_OK && heads->count == 1)
		block_fill_single(b, &merge.feeds[0]);
	else
		while (
		    st == PATHS_OK && (feed = es__merge_next(&merge)) != NULL)
			block_add(b, feed->key,
			    block_stop(b, feed, feed->tuple));
	es__merge_close(&merge);
	return st;
}

static paths_status
timeline_work(void *context, size_t item, void *result)
{
	const struct timeline_view *t = context;
	uint64_t n = item / t->recorded_count;
	uint64_t first = n * ES__PYRAMID_BLOCK;
	struct pyramid_block b = { .begin_ns =
				       (int64_t)(first * t->shape.bucket_ns),
		.run_end_ns = t->a->span_ns,
		.bucket_shift = (uint32_t)__builtin_ctzll(t->shape.bucket_ns),
		.buckets = result };

	/* Only a damaged run has blocks that end past the largest time. */
	if (__builtin_mul_overflow(first + ES__PYRAMID_BLOCK,
		t->shape.bucket_ns, &b.end_ns))
		b.end_ns = INT64_MAX;
	b.covered_to = b.begin_ns;
	memset(result, 0, ES__PYRAMID_BLOCK * sizeof(*b.buckets));
	return block_fill(t, t->recorded[item % t->recorded_count], &b,
	    n + 1 == t->blocks);
}

static const void *
timeline_reads(const void *context, size_t item)
{
	const struct timeline_view *t = context;

	return es__thread_tuples(t->a, t->recorded[item % t->recorded_count]);
}

/* Receiver of the chunks of one pyramid. */
struct taker {
	const struct timeline_view *timeline;
	uint32_t pyramid;
};

static paths_status
taker_take(void *context, uint32_t level, uint64_t chunk,
    const struct es_timeline_bucket *buckets, uint32_t count)
{
	const struct taker *taker = context;
	struct es_sink *sink = taker->timeline->sink;

	return sink->row(sink, &tables[LEVEL],
	    (struct es_value[]){ ES_INT(taker->pyramid), ES_INT(level),
		ES_INT(chunk), ES_BIN(buckets, count * sizeof(*buckets)) });
}

/* Adds the complete block n to a pyramid. */
static paths_status
timeline_grow(struct timeline_view *t, uint32_t pyramid, uint64_t n,
    const struct es__pyramid_bucket *buckets)
{
	struct es__pyramid_row *row = &t->pyramids[pyramid];
	struct taker taker = { t, pyramid };
	struct es__pyramid_chunk_to to = { &taker, taker_take };
	uint64_t left = t->shape.buckets - n * ES__PYRAMID_BLOCK;
	paths_status st = es__pyramid_add(row, buckets,
	    left < ES__PYRAMID_BLOCK ? (uint32_t)left : ES__PYRAMID_BLOCK, &to);

	return st == PATHS_OK && n + 1 == t->blocks ?
	    es__pyramid_end(row, &to) :
	    st;
}

static paths_status
timeline_done(void *context, size_t item, void *result)
{
	struct timeline_view *t = context;
	uint32_t at = (uint32_t)(item % t->recorded_count);
	uint64_t n = item / t->recorded_count;
	const struct es__pyramid_bucket *buckets = result;
	uint32_t done = t->ranges[KIND_THREAD][at].pyramid;
	paths_status st = timeline_grow(t, done, n, buckets);

	for (int k = KIND_PROCESS; st == PATHS_OK && k < KINDS; k++) {
		const struct thread_range *range = &t->ranges[k][at];
		struct es__pyramid_bucket *sum = t->sums[k];

		if (range->pyramid == t->ranges[k - 1][at].pyramid)
			continue;
		if (at == range->first)
			memset(sum, 0, ES__PYRAMID_BLOCK * sizeof(*sum));
		for (uint32_t i = 0; i < ES__PYRAMID_BLOCK; i++)
			es__pyramid_bucket_add(&sum[i], &buckets[i]);
		if (at == range->last)
			st = timeline_grow(t, range->pyramid, n, sum);
	}
	return st;
}

/* Returns the id of the thread, or of its process, host or run. */
static uint32_t
timeline_id(const struct timeline_view *t, enum row_kind kind, uint32_t thread)
{
	const struct paths_map *map = t->a->map;
	uint32_t process = map->threads[thread].process;

	switch (kind) {
	case KIND_THREAD:
		return thread;
	case KIND_PROCESS:
		return process;
	case KIND_HOST:
		return map->processes[process].host;
	default:
		return 0;
	}
}

/* Orders threads by host, then by process. */
static int
timeline_compare(const void *a, const void *b, void *context)
{
	const struct timeline_view *t = context;

	for (int k = KIND_HOST; k >= KIND_THREAD; k--) {
		uint32_t x =
		    timeline_id(t, (enum row_kind)k, *(const uint32_t *)a);
		uint32_t y =
		    timeline_id(t, (enum row_kind)k, *(const uint32_t *)b);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Adds the row of a kind that begins with the recorded thread `at`. */
static paths_status
timeline_add_row(struct timeline_view *t, enum row_kind kind, uint32_t at)
{
	static const char *const kinds[] = { "thread", "process", "host",
		"run" };
	struct thread_range range = { .first = at, .last = at };
	uint32_t id = timeline_id(t, kind, t->recorded[at]);
	const struct thread_range *below =
	    kind > KIND_THREAD ? &t->ranges[kind - 1][at] : NULL;

	while (range.last + 1 < t->recorded_count &&
	    timeline_id(t, kind, t->recorded[range.last + 1]) == id)
		range.last++;
	range.pyramid = below != NULL && below->last == range.last ?
	    below->pyramid :
	    t->pyramid_count;
	for (uint32_t n = range.first; n <= range.last; n++)
		t->ranges[kind][n] = range;
	return t->sink->row(t->sink, &tables[ROW],
	    (struct es_value[]){ ES_INT(range.pyramid), ES_STR(kinds[kind]),
		ES_INT(id), ES_INT(range.last - range.first + 1),
		ES_INT(t->shape.bucket_ns), ES_INT(t->shape.buckets),
		ES_INT(t->shape.levels) });
}

static paths_status
timeline_add_rows(struct timeline_view *t)
{
	paths_status st = PATHS_OK;

	for (int k = KIND_THREAD; k < KINDS; k++) {
		struct thread_range *ranges = t->ranges[k];

		for (uint32_t at = 0; st == PATHS_OK && at < t->recorded_count;
		     at = ranges[at].last + 1) {
			st = timeline_add_row(t, (enum row_kind)k, at);
			if (st != PATHS_OK ||
			    ranges[at].pyramid < t->pyramid_count)
				continue;
			st = es__pyramid_open(&t->pyramids[t->pyramid_count++],
			    &t->shape, ranges[at].last - at + 1, &t->shared);
		}
	}
	return st;
}

/* Returns the mean number of operations of a recorded thread. */
static uint64_t
timeline_events(const struct timeline_view *t)
{
	uint64_t events = 0;

	for (uint32_t n = 0; n < t->recorded_count; n++) {
		const struct es__list *heads =
		    &t->a->graph.heads[t->recorded[n]];

		for (uint32_t i = 0; i < heads->count; i++)
			events += t->a->run->collectors[heads->ids[i]].count;
	}
	return t->recorded_count > 0 ? events / t->recorded_count : 0;
}

static paths_status
timeline_allocate(struct timeline_view *t)
{
	const struct paths_map *map = t->a->map;
	size_t threads = (size_t)map->thread_count + 1;
	bool all = true;

	t->recorded = calloc(threads, sizeof(*t->recorded));
	t->pyramids = calloc(threads + map->process_count + map->host_count + 1,
	    sizeof(*t->pyramids));
	for (int k = KIND_THREAD; k < KINDS; k++) {
		t->ranges[k] = calloc(threads, sizeof(*t->ranges[k]));
		t->sums[k] = calloc(ES__PYRAMID_BLOCK, sizeof(*t->sums[k]));
		all = all && t->ranges[k] != NULL && t->sums[k] != NULL;
	}
	return all && t->recorded != NULL && t->pyramids != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
}

static paths_status
timeline_prepare(struct timeline_view *t)
{
	paths_status st = timeline_allocate(t);

	if (st != PATHS_OK)
		return st;
	for (uint32_t i = 0; i < t->a->map->thread_count; i++) {
		if (t->a->graph.heads[i].count > 0)
			t->recorded[t->recorded_count++] = i;
	}
	qsort_r(t->recorded, t->recorded_count, sizeof(*t->recorded),
	    timeline_compare, t);
	t->shape = es__pyramid_shape(t->a->span_ns, timeline_events(t));
	t->blocks =
	    (t->shape.buckets + ES__PYRAMID_BLOCK - 1) / ES__PYRAMID_BLOCK;
	return timeline_add_rows(t);
}

static void
timeline_close(struct timeline_view *t)
{
	for (uint32_t n = 0; n < t->pyramid_count; n++)
		es__pyramid_close(&t->pyramids[n]);
	for (int k = KIND_THREAD; k < KINDS; k++) {
		free(t->ranges[k]);
		free(t->sums[k]);
	}
	free(t->pyramids);
	free(t->recorded);
	free(t);
}

static paths_status
timeline_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct timeline_view *t = calloc(1, sizeof(*t));
	struct es__work work = { .result_bytes = ES__PYRAMID_BLOCK *
		    sizeof(struct es__pyramid_bucket),
		.context = t,
		.work = timeline_work,
		.done = timeline_done,
		.reads = timeline_reads };
	paths_status st;

	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
	t->a = a;
	t->sink = sink;
	st = timeline_prepare(t);
	work.count = t->recorded_count * t->blocks;
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	timeline_close(t);
	return st;
}

const struct es_view es__view_timeline = {
	.name = "timeline",
	.about = "communication over time, at every zoom level",
	.question = "When does each thread communicate?",
	.topic = ES_TOPIC_OPERATIONS,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = timeline_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
