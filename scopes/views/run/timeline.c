/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline.c - multi-resolution summary for timelines
 *
 * scopes/timeline.h declares the format.  A work item is one block of time of
 * one thread.  Blocks of a process, a host and the run are sums of those of
 * their threads.
 */

#include "scopes/views/run/timeline_block_private.h"
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

/* The result whose groups are filled. */
struct timeline_choice {
	struct timeline_result *result;
	uint32_t group_first;
};

/* Adds the time of an operation to its group. */
static uint64_t *
timeline_choose(void *context, const struct es__feed *feed,
    const struct es_operation *op)
{
	struct timeline_choice *choice = context;
	enum es_operation_type type =
	    feed->calls ? ES_OPERATION_MPI : ES_OPERATION_PATH;

	return es__timeline_block_times(choice->result->groups,
	    &choice->result->mask,
	    es_operation_group(type, op->op) - choice->group_first);
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
	struct timeline_choice choice = { result, rows->group_first };
	struct es__timeline_block b = { .buckets = choice.result->buckets,
		.context = &choice,
		.choose = timeline_group(t, at) == ES_GROUPS ? timeline_choose :
							       NULL };

	memset(result, 0, sizeof(struct timeline_result));
	return es__timeline_block_fill(&b, rows, at,
	    item / rows->recorded_count);
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
	es__timeline_classes_groups(&t->classes);
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
