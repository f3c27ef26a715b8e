/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/timeline.c - the pyramid that timelines are drawn from
 *
 * See scopes/timeline.h.  A thread's time is covered while any of its
 * operations is under way, by the first collector of each of its paths.
 *
 * Rows are worked on in blocks of time: stamps ascend within a collector, so a
 * block begins with a search.
 */

#include "scopes/merge_private.h"
#include "scopes/pyramid_private.h"
#include "scopes/view_private.h"

#include "libpaths/log.h"

#include <string.h>

static const struct es_column row_columns[] = {
	{ "row", ES_INTEGER, "id" },
	{ "kind", ES_TEXT, "thread, process, host" },
	{ "id", ES_INTEGER, "of that thread, process or host" },
	{ "threads", ES_INTEGER, "it is the mean of" },
	{ "bucket_ns", ES_INTEGER, "a bucket of level 0" },
	{ "buckets", ES_INTEGER, "on level 0, from time 0 on" },
	{ "levels", ES_INTEGER, "how many" },
};

static const struct es_column level_columns[] = {
	{ "row", ES_INTEGER, "see timeline_row" },
	{ "level", ES_INTEGER, "buckets of bucket_ns * 2^level" },
	{ "chunk", ES_INTEGER, "begins with bucket chunk * 1024" },
	{ "data", ES_BLOB,
	    "up to 1024 times: u16 communication, of 65535; u16 operations "
	    "that start; u32 longest operation, ns; little-endian" },
};

enum { ROW, LEVEL };

static const struct es_table tables[] = {
	[ROW] = ES__TABLE("timeline_row", row_columns,
	    "what rows of the timeline are"),
	[LEVEL] = { .name = "timeline_level",
	    .about = "the pyramid that timelines are drawn from",
	    .columns = level_columns,
	    .column_count = ES__COUNT(level_columns),
	    .key = "row, level, chunk" },
};

/* Worked on at once: some chunks of level 0. */
#define BLOCK_BUCKETS (16u * ES_TIMELINE_CHUNK)

enum kind { KIND_THREAD, KIND_PROCESS, KIND_HOST };

struct row {
	enum kind kind;
	uint32_t id;
	uint32_t threads; /* that have a collector */
	uint32_t heads;	  /* how many, over those threads */
};

struct timeline {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__pyramid shape;
	uint64_t blocks;
	struct row *rows;
	uint32_t row_count;
	bool *heard;		/* of each thread: it has a collector */
	struct es__tower tower; /* of the row that is being finished */
	uint32_t tower_row;
};

/* A block while it is filled. */
struct block {
	int64_t begin_ns, end_ns;
	uint32_t bucket_shift; /* a bucket is 1 << that ns */
	int64_t *covered_to;   /* of each thread of the map */
	struct es__bucket *buckets;
};

static bool
row_has(const struct timeline *t, const struct row *row, uint32_t thread)
{
	uint32_t process = t->a->map->threads[thread].process;

	switch (row->kind) {
	case KIND_THREAD:
		return thread == row->id;
	case KIND_PROCESS:
		return process == row->id;
	default:
		return t->a->map->processes[process].host == row->id;
	}
}

static uint32_t
longest_ns(int64_t ns)
{
	if (ns < 0)
		return 0;
	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/* [start, stop) of one operation; new of it is what from `fresh` on. */
static void
block_touch(struct block *b, int64_t start, int64_t stop, int64_t fresh)
{
	int64_t width = (int64_t)1 << b->bucket_shift;
	int64_t from = start > b->begin_ns ? start : b->begin_ns;
	int64_t to = stop < b->end_ns ? stop : b->end_ns;
	uint32_t longest = longest_ns(stop - start);

	for (int64_t n = (from - b->begin_ns) >> b->bucket_shift;
	     b->begin_ns + n * width <= to && n < BLOCK_BUCKETS; n++) {
		struct es__bucket *bucket = &b->buckets[n];
		int64_t left = b->begin_ns + n * width, right = left + width;

		if (longest > bucket->longest_ns)
			bucket->longest_ns = longest;
		left = fresh > left ? fresh : left;
		right = to < right ? to : right;
		if (right > left)
			bucket->covered_ns += (uint64_t)(right - left);
	}
}

static void
block_add(struct block *b, const struct es__feed *feed)
{
	int64_t start = feed->key;
	int64_t stop = es_time_ns(feed->lane.base, feed->tuple->stop);
	int64_t *covered_to = &b->covered_to[feed->tag];
	int64_t fresh = start > *covered_to ? start : *covered_to;

	/* What is before the run's start, by clocks that do not quite agree,
	   counts as at its start. */
	if (start < 0)
		start = 0;
	if (stop < start)
		stop = start;
	if (start >= b->begin_ns && start < b->end_ns)
		b->buckets[(start - b->begin_ns) >> b->bucket_shift].starts++;
	block_touch(b, start, stop, fresh);
	if (stop > *covered_to)
		*covered_to = stop;
}

/* The tuples of a collector that touch a block: those that start in it, and
   the one before, which may still be under way. */
static void
feed_cut(struct es__feed *feed, const struct block *b, bool last)
{
	uint64_t at = 0;

	if (b->begin_ns > 0)
		at = es_collector_seek_start(feed->lane.collector,
		    es_time_ticks(feed->lane.base, b->begin_ns));
	feed->lane.at = at > 0 ? at - 1 : 0;
	if (!last)
		feed->end = es_collector_seek_start(feed->lane.collector,
		    es_time_ticks(feed->lane.base, b->end_ns));
}

static paths_status
block_fill(const struct timeline *t, const struct row *row, struct block *b,
    bool last)
{
	struct es__merge merge;
	struct es__feed *feed;
	paths_status st = es__merge_open(&merge, row->heads);

	for (uint32_t i = 0; st == PATHS_OK && i < t->a->map->thread_count;
	     i++) {
		const struct es__list *heads = &t->a->forest.heads[i];

		for (uint32_t n = 0; row_has(t, row, i) && n < heads->count;
		     n++) {
			feed = es__merge_add(&merge, t->a, heads->ids[n]);
			feed->tag = i;
			feed_cut(feed, b, last);
		}
	}
	while (st == PATHS_OK && (feed = es__merge_next(&merge)) != NULL)
		block_add(b, feed);
	es__merge_close(&merge);
	return st;
}

static paths_status
timeline_work(void *context, size_t item, void *result)
{
	const struct timeline *t = context;
	uint64_t n = item % t->blocks;
	int64_t block_ns = (int64_t)(BLOCK_BUCKETS * t->shape.bucket_ns);
	struct block b = { .begin_ns = (int64_t)n * block_ns,
		.end_ns = ((int64_t)n + 1) * block_ns,
		.bucket_shift = (uint32_t)__builtin_ctzll(t->shape.bucket_ns),
		.buckets = result };
	paths_status st;

	memset(result, 0, BLOCK_BUCKETS * sizeof(*b.buckets));
	b.covered_to =
	    calloc(t->a->map->thread_count + 1, sizeof(*b.covered_to));
	if (b.covered_to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
	for (uint32_t i = 0; i < t->a->map->thread_count; i++)
		b.covered_to[i] = b.begin_ns;
	st = block_fill(t, &t->rows[item / t->blocks], &b, n + 1 == t->blocks);
	free(b.covered_to);
	return st;
}

static paths_status
timeline_take(void *context, uint32_t level, uint64_t chunk,
    const struct es_timeline_bucket *buckets, uint32_t count)
{
	const struct timeline *t = context;

	return t->sink->row(t->sink, &tables[LEVEL],
	    (struct es_value[]){ ES_INT(t->tower_row), ES_INT(level),
		ES_INT(chunk), ES_BIN(buckets, count * sizeof(*buckets)) });
}

static paths_status
timeline_begin_row(struct timeline *t, uint32_t n)
{
	static const char *const kinds[] = { "thread", "process", "host" };
	const struct row *row = &t->rows[n];
	paths_status st;

	t->tower_row = n;
	st = t->sink->row(t->sink, &tables[ROW],
	    (struct es_value[]){ ES_INT(n), ES_STR(kinds[row->kind]),
		ES_INT(row->id), ES_INT(row->threads),
		ES_INT(t->shape.bucket_ns), ES_INT(t->shape.buckets),
		ES_INT(t->shape.levels) });
	if (st != PATHS_OK)
		return st;
	return es__tower_open(&t->tower, &t->shape, row->threads,
	    (struct es__chunk_to){ t, timeline_take });
}

static paths_status
timeline_done(void *context, size_t item, void *result)
{
	struct timeline *t = context;
	uint64_t n = item % t->blocks;
	uint64_t left = t->shape.buckets - n * BLOCK_BUCKETS;
	const struct es__bucket *buckets = result;
	paths_status st = PATHS_OK;

	if (n == 0)
		st = timeline_begin_row(t, (uint32_t)(item / t->blocks));
	for (uint64_t b = 0; st == PATHS_OK && b < left && b < BLOCK_BUCKETS;
	     b++)
		st = es__tower_add(&t->tower, buckets[b]);
	if (st == PATHS_OK && n + 1 == t->blocks)
		st = es__tower_end(&t->tower);
	if (n + 1 == t->blocks) {
		es__tower_close(&t->tower);
		t->tower.levels = NULL;
	}
	return st;
}

static void
timeline_add_rows(struct timeline *t, enum kind kind, uint32_t count)
{
	for (uint32_t id = 0; id < count; id++) {
		struct row row = { .kind = kind, .id = id };

		for (uint32_t i = 0; i < t->a->map->thread_count; i++) {
			uint32_t heads = t->a->forest.heads[i].count;

			if (!row_has(t, &row, i))
				continue;
			row.threads += heads > 0;
			row.heads += heads;
		}
		if (row.threads > 0)
			t->rows[t->row_count++] = row;
	}
}

/* How many operations a thread that can be seen has on average. */
static uint64_t
timeline_events(const struct timeline *t)
{
	uint64_t events = 0, threads = 0;

	for (uint32_t i = 0; i < t->a->map->thread_count; i++) {
		const struct es__list *heads = &t->a->forest.heads[i];

		for (uint32_t n = 0; n < heads->count; n++)
			events += t->a->run->collectors[heads->ids[n]].count;
		threads += heads->count > 0;
	}
	return threads > 0 ? events / threads : 0;
}

static paths_status
timeline_prepare(struct timeline *t)
{
	const struct paths_map *map = t->a->map;
	size_t rows =
	    (size_t)map->thread_count + map->process_count + map->host_count;

	t->rows = calloc(rows + 1, sizeof(*t->rows));
	if (t->rows == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
	t->shape = es__pyramid_shape(t->a->span_ns, timeline_events(t));
	t->blocks = (t->shape.buckets + BLOCK_BUCKETS - 1) / BLOCK_BUCKETS;
	timeline_add_rows(t, KIND_THREAD, map->thread_count);
	timeline_add_rows(t, KIND_PROCESS, map->process_count);
	timeline_add_rows(t, KIND_HOST, map->host_count);
	return PATHS_OK;
}

static paths_status
timeline_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct timeline t = { .a = a, .sink = sink };
	struct es__work work = { .result_bytes =
				     BLOCK_BUCKETS * sizeof(struct es__bucket),
		.context = &t,
		.work = timeline_work,
		.done = timeline_done };
	paths_status st = timeline_prepare(&t);

	work.count = t.row_count * t.blocks;
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	es__tower_close(&t.tower);
	free(t.rows);
	return st;
}

const struct es_view es__view_timeline = {
	.name = "timeline",
	.about = "when each thread communicated, at any zoom",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = timeline_compute,
};
