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
 * threads.
 */

#include "scopes/path/merge_private.h"
#include "scopes/views/run/timeline_classes_private.h"

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
	{ "class", ES_TEXT,
	    .about = "group of all operations of the row; NULL: several, see "
		     "timeline_group" },
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

static const struct es_column group_columns[] = { ES__TIMELINE_COLUMNS(
    "group of operations") };

enum { ROW, LEVEL, GROUP };

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
	[GROUP] = { .name = "timeline_group",
	    .about = "communication in the rows of the timeline, by group of "
		     "operations",
	    ES_COLUMNS(group_columns),
	    .key = "row, level, chunk, class",
	    .flags = ES_TABLE_DRAWN },
};

struct timeline_view {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__timeline_rows rows;
	struct es__timeline_classes classes;
	struct es__pyramid_row *pyramids;
	struct es__pyramid_sums shared;
	/* Sums over the threads of an incomplete block, by kind. */
	struct es__pyramid_bucket *sums[ES__TIMELINE_KINDS];
};

/* The result of a work item, followed by rows.group_count blocks of the time of
   each group; those that are not in the mask are not set. */
struct timeline_result {
	uint64_t mask; /* bit n: group rows.group_first + n has time */
	struct es__pyramid_bucket buckets[ES__PYRAMID_BLOCK];
	uint64_t groups[];
};

/* Block that is being filled. */
struct pyramid_block {
	int64_t begin_ns, end_ns;
	int64_t run_end_ns;
	uint32_t bucket_shift; /* log2 of the ns of a bucket */
	int64_t covered_to;
	struct timeline_result *result;
	uint64_t *group; /* times of the group that is added; NULL: not kept */
	uint32_t group_first;
	bool grouped; /* times of groups are kept */
};

/* Chooses the group of the operations that are added next. */
static void
block_choose(struct pyramid_block *b, enum es_operation_type type, uint32_t op)
{
	uint32_t n = es_operation_group(type, op) - b->group_first;

	b->group = b->result->groups + (size_t)n * ES__PYRAMID_BLOCK;
	if ((b->result->mask >> n & 1) == 0)
		memset(b->group, 0, ES__PYRAMID_BLOCK * sizeof(*b->group));
	b->result->mask |= UINT64_C(1) << n;
}

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
		struct es__pyramid_bucket *bucket = &b->result->buckets[n];
		int64_t begin = fresh > left ? fresh : left;
		int64_t end = left + width < to ? left + width : to;

		if (longest > bucket->longest_ns)
			bucket->longest_ns = longest;
		if (end > begin)
			bucket->covered_ns += (uint64_t)(end - begin);
		if (end > begin && b->group != NULL)
			b->group[n] += (uint64_t)(end - begin);
		n++;
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
		b->result->buckets[(start - b->begin_ns) >> b->bucket_shift]
		    .starts++;
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

/* Adds an operation, as group of its time if groups are kept. */
static void
block_take(struct pyramid_block *b, const struct es__feed *feed,
    const struct es_operation *op, int64_t start)
{
	if (b->grouped)
		block_choose(b,
		    feed->calls ? ES_OPERATION_MPI : ES_OPERATION_PATH, op->op);
	block_add(b, start,
	    op->stop != 0 ? es_time_ns(feed->lane.base, op->stop) :
			    b->run_end_ns);
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
			block_take(b, feed, op,
			    es_time_ns(feed->lane.base, op->start));
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
			block_take(b, feed, feed->tuple, feed->key);
	es__merge_close(&merge);
	return st;
}

/* Returns the group of all operations of a recorded thread; ES_GROUPS: they may
   be of several. */
static uint32_t
timeline_group(const struct timeline_view *t, uint32_t at)
{
	return t->rows.groups[t->rows.ranges[ES__TIMELINE_THREAD][at].pyramid];
}

static paths_status
timeline_work(void *context, size_t item, void *result)
{
	const struct timeline_view *t = context;
	const struct es__timeline_rows *rows = &t->rows;
	uint32_t at = (uint32_t)(item % rows->recorded_count);
	uint64_t n = item / rows->recorded_count;
	uint64_t first = n * ES__PYRAMID_BLOCK;
	struct pyramid_block b = { .begin_ns =
				       (int64_t)(first * rows->shape.bucket_ns),
		.run_end_ns = t->a->span_ns,
		.bucket_shift =
		    (uint32_t)__builtin_ctzll(rows->shape.bucket_ns),
		.result = result,
		.group_first = rows->group_first,
		.grouped = timeline_group(t, at) == ES_GROUPS };

	/* Only a damaged run has blocks that end past the largest time. */
	if (__builtin_mul_overflow(first + ES__PYRAMID_BLOCK,
		rows->shape.bucket_ns, &b.end_ns))
		b.end_ns = INT64_MAX;
	b.covered_to = b.begin_ns;
	memset(result, 0, sizeof(struct timeline_result));
	return block_fill(t, rows->recorded[at], &b, n + 1 == rows->blocks);
}

static const void *
timeline_reads(const void *context, size_t item)
{
	const struct timeline_view *t = context;

	return es__thread_tuples(t->a,
	    t->rows.recorded[item % t->rows.recorded_count]);
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
	paths_status st = es__pyramid_add(row, buckets,
	    es__pyramid_block_buckets(&t->rows.shape, n), &to);

	return st == PATHS_OK && n + 1 == t->rows.blocks ?
	    es__pyramid_end(row, &to) :
	    st;
}

/* Adds the times of the groups of a thread in a block. */
static paths_status
timeline_groups(struct timeline_view *t, uint32_t at, uint64_t n,
    struct timeline_result *result)
{
	struct es__timeline_times times = { .mask = (uint32_t)result->mask
		    << t->rows.group_first };
	uint32_t group = timeline_group(t, at);

	for (uint32_t g = 0; g < t->rows.group_count; g++)
		times.ns[t->rows.group_first + g] =
		    result->groups + (size_t)g * ES__PYRAMID_BLOCK;
	if (group < ES_GROUPS) {
		/* All its time is of that group. */
		uint64_t *ns = result->groups +
		    (size_t)(group - t->rows.group_first) * ES__PYRAMID_BLOCK;

		for (uint32_t i = 0; i < ES__PYRAMID_BLOCK; i++)
			ns[i] = result->buckets[i].covered_ns;
		times.mask = 1u << group;
	}
	return es__timeline_classes_add(&t->classes, at, n, &times);
}

static paths_status
timeline_done(void *context, size_t item, void *result)
{
	struct timeline_view *t = context;
	const struct es__timeline_rows *rows = &t->rows;
	uint32_t at = (uint32_t)(item % rows->recorded_count);
	uint64_t n = item / rows->recorded_count;
	const struct es__pyramid_bucket *buckets =
	    ((const struct timeline_result *)result)->buckets;
	paths_status st = timeline_grow(t,
	    rows->ranges[ES__TIMELINE_THREAD][at].pyramid, n, buckets);

	for (int k = ES__TIMELINE_PROCESS;
	     st == PATHS_OK && k < ES__TIMELINE_KINDS; k++) {
		const struct es__timeline_range *range = &rows->ranges[k][at];
		struct es__pyramid_bucket *sum = t->sums[k];

		if (range->pyramid == rows->ranges[k - 1][at].pyramid)
			continue;
		if (at == range->first)
			memset(sum, 0, ES__PYRAMID_BLOCK * sizeof(*sum));
		for (uint32_t i = 0; i < ES__PYRAMID_BLOCK; i++)
			es__pyramid_bucket_add(&sum[i], &buckets[i]);
		if (at == range->last)
			st = timeline_grow(t, range->pyramid, n, sum);
	}
	return st == PATHS_OK && rows->group_count > 0 ?
	    timeline_groups(t, at, n, result) :
	    st;
}

/* Writes the row of a kind that begins with the recorded thread `at`, and opens
   its pyramid. */
static paths_status
timeline_add_row(struct timeline_view *t, enum es__timeline_kind kind,
    uint32_t at)
{
	static const char *const kinds[] = { "thread", "process", "host",
		"run" };
	const struct es__timeline_rows *rows = &t->rows;
	const struct es__timeline_range *range = &rows->ranges[kind][at];
	struct es__pyramid_row *pyramid = &t->pyramids[range->pyramid];
	paths_status st = PATHS_OK;

	if (pyramid->pyramid == NULL)
		st = es__pyramid_open(pyramid, &rows->shape,
		    rows->threads[range->pyramid], &t->shared);
	return st != PATHS_OK ?
	    st :
	    t->sink->row(t->sink, &tables[ROW],
		(struct es_value[]){ ES_INT(range->pyramid),
		    ES_STR(kinds[kind]),
		    ES_INT(
			es__timeline_rows_id(rows, kind, rows->recorded[at])),
		    ES_INT(range->last - range->first + 1),
		    ES_INT(rows->shape.bucket_ns), ES_INT(rows->shape.buckets),
		    ES_INT(rows->shape.levels),
		    es__text(es_operation_group_name(
			rows->groups[range->pyramid])) });
}

static paths_status
timeline_prepare(struct timeline_view *t)
{
	paths_status st = es__timeline_rows_open(&t->rows, t->a);
	bool all = true;

	if (st != PATHS_OK)
		return st;
	t->classes = (struct es__timeline_classes){ .rows = &t->rows,
		.table = &tables[GROUP],
		.sink = t->sink };
	t->pyramids =
	    calloc((size_t)t->rows.pyramid_count + 1, sizeof(*t->pyramids));
	for (int k = 0; k < ES__TIMELINE_KINDS; k++) {
		t->sums[k] = calloc(ES__PYRAMID_BLOCK, sizeof(*t->sums[k]));
		all = all && t->sums[k] != NULL;
	}
	if (!all || t->pyramids == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
	for (int k = 0; k < ES__TIMELINE_KINDS; k++)
		for (uint32_t at = 0;
		     st == PATHS_OK && at < t->rows.recorded_count;
		     at = t->rows.ranges[k][at].last + 1)
			st = timeline_add_row(t, (enum es__timeline_kind)k, at);
	return st == PATHS_OK ? es__timeline_classes_open(&t->classes) : st;
}

static void
timeline_close(struct timeline_view *t)
{
	for (uint32_t n = 0; t->pyramids != NULL && n < t->rows.pyramid_count;
	     n++)
		es__pyramid_close(&t->pyramids[n]);
	for (int k = 0; k < ES__TIMELINE_KINDS; k++)
		free(t->sums[k]);
	if (t->classes.rows != NULL)
		es__timeline_classes_close(&t->classes);
	free(t->pyramids);
	es__timeline_rows_close(&t->rows);
	free(t);
}

static paths_status
timeline_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct timeline_view *t = calloc(1, sizeof(*t));
	struct es__work work = { .context = t,
		.work = timeline_work,
		.done = timeline_done,
		.reads = timeline_reads };
	paths_status st;

	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
	t->a = a;
	t->sink = sink;
	st = timeline_prepare(t);
	work.count = t->rows.recorded_count * t->rows.blocks;
	work.result_bytes = sizeof(struct timeline_result) +
	    t->rows.group_count * ES__PYRAMID_BLOCK * sizeof(uint64_t);
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
