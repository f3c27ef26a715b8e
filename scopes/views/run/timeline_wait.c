/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_wait.c - waiting in the rows of timelines, and the
 * waits of each thread
 *
 * scopes/timeline.h declares the format.  The waits are those of
 * scopes/path/waits_private.h and scopes/mpi/waits_private.h.
 *
 * The logs of a thread are merged in order of time, block by block, so memory
 * does not depend on the length of the run.
 */

#include "scopes/mpi/traced_private.h"
#include "scopes/views/run/timeline_classes_private.h"
#include "scopes/views/run/timeline_paths_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

static const struct es_column wait_columns[] = { ES__TIMELINE_COLUMNS(
    "group of the operations that waited") };

static const struct es_column span_columns[] = {
	{ "thread", ES_INTEGER, .about = "thread that waited",
	    .refers = "thread" },
	{ "chunk", ES_INTEGER, .about = "number of the row, by time" },
	{ "start_ns", ES_INTEGER, .about = "start of the first wait",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "end of the last wait",
	    .unit = ES_UNIT_NS },
	{ "waits", ES_INTEGER, .about = "number of waits, at most 1020" },
	{ "data", ES_BLOB,
	    .about = "start, length, group and reason of each wait, packed" },
};

static const struct es_column pattern_columns[] = {
	{ "pattern", ES_INTEGER, .about = "number of the pattern" },
	{ "name", ES_TEXT, .about = "name of the pattern" },
};

enum { WAIT, SPAN, PATTERN };

static const struct es_table tables[] = {
	[WAIT] = { .name = "timeline_wait",
	    .about = "waiting in the rows of the timeline, by group of "
		     "operations",
	    ES_COLUMNS(wait_columns),
	    .key = "row, level, chunk, class",
	    .flags = ES_TABLE_DRAWN },
	[SPAN] = { .name = "timeline_span",
	    .about = "waits of each thread, for the timeline",
	    ES_COLUMNS(span_columns),
	    .key = "thread, start_ns, chunk",
	    .flags = ES_TABLE_DRAWN },
	[PATTERN] = { .name = "timeline_pattern",
	    .about = "patterns of the waits in timeline_span",
	    ES_COLUMNS(pattern_columns),
	    .key = "pattern",
	    .flags = ES_TABLE_DRAWN },
};

static_assert(ES__TIMELINE_PATTERNS <= ES_TIMELINE_PATTERNS,
    "fixed by the format");

/* A log, and the next wait in it. */
struct source {
	struct es__wait_cursor cursor;
	struct es_timeline_span next;
	bool has;
};

/* The waits of a thread. */
struct waiting {
	struct source *sources;
	uint32_t source_count;
	/* Waits that end behind the current block. */
	struct es_timeline_span *open;
	size_t open_count, open_room;
	/* The row of timeline_span that is being filled. */
	uint8_t *data; /* NULL: none yet */
	uint32_t used, waits;
	uint64_t chunk;
	int64_t start_ns, stop_ns, last_ns;
};

struct wait_view {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__timeline_rows rows;
	struct es__timeline_classes classes;
	struct es__timeline_paths paths;
	const struct es__traced *traced; /* NULL: there are no MPI calls */
	struct waiting *threads;	 /* of each recorded thread */
	uint64_t *times;		 /* a block of each group */
	uint32_t mask;
	uint64_t patterns; /* bit n: a wait has pattern n */
};

/* Goes to the next wait of a source; it is within the run. */
static paths_status
source_next(struct source *s, int64_t span_ns)
{
	paths_status st;

	do {
		st = es__wait_cursor_next(&s->cursor, &s->next);
		s->has = st == PATHS_OK;
		if (s->next.start_ns < 0)
			s->next.start_ns = 0;
		if (s->next.stop_ns > span_ns)
			s->next.stop_ns = span_ns;
	} while (s->has && s->next.stop_ns <= s->next.start_ns);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
waiting_add_source(struct wait_view *v, struct waiting *w,
    const struct es__wait_log *log)
{
	struct source *s = &w->sources[w->source_count++];

	*s = (struct source){ .cursor.log = log };
	return source_next(s, v->a->span_ns);
}

/* Opens the logs of a recorded thread. */
static paths_status
waiting_open(struct wait_view *v, struct waiting *w, uint32_t thread)
{
	const struct paths_map *map = v->a->map;
	uint32_t ring =
	    v->traced == NULL || thread >= v->traced->waits.thread_count ?
	    PATHS_NONE :
	    v->traced->waits.ring_of[thread];
	uint32_t count = ring != PATHS_NONE;
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; p < map->path_count; p++)
		count += map->paths[p].thread == thread &&
		    v->paths.logs[p].count > 0;
	w->sources = calloc((size_t)count + 1, sizeof(*w->sources));
	if (w->sources == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	if (ring != PATHS_NONE)
		st = waiting_add_source(v, w, &v->traced->waits.logs[ring]);
	for (uint32_t p = 0; st == PATHS_OK && p < map->path_count; p++)
		if (map->paths[p].thread == thread &&
		    v->paths.logs[p].count > 0)
			st = waiting_add_source(v, w, &v->paths.logs[p]);
	return st;
}

static void
waiting_close(struct waiting *w)
{
	for (uint32_t n = 0; n < w->source_count; n++)
		es__wait_cursor_close(&w->sources[n].cursor);
	free(w->sources);
	free(w->open);
	free(w->data);
}

/* Returns the source with the earliest wait before a time; NULL: there is
   none. */
static struct source *
waiting_first(const struct waiting *w, int64_t before_ns)
{
	struct source *first = NULL;

	for (uint32_t n = 0; n < w->source_count; n++) {
		struct source *s = &w->sources[n];

		if (s->has && s->next.start_ns < before_ns &&
		    (first == NULL || s->next.start_ns < first->next.start_ns))
			first = s;
	}
	return first;
}

/* Writes the row of timeline_span that is being filled, if there is one. */
static paths_status
waiting_write(struct wait_view *v, struct waiting *w, uint32_t thread)
{
	paths_status st;

	if (w->waits == 0)
		return PATHS_OK;
	st = v->sink->row(v->sink, &tables[SPAN],
	    (struct es_value[]){ ES_INT(thread), ES_INT(w->chunk++),
		ES_INT(w->start_ns), ES_INT(w->stop_ns), ES_INT(w->waits),
		ES_BIN(w->data, w->used) });
	w->waits = 0;
	w->used = 0;
	return st;
}

/* Keeps a wait for timeline_span. */
static paths_status
waiting_keep(struct wait_view *v, struct waiting *w, uint32_t thread,
    const struct es_timeline_span *span)
{
	paths_status st = PATHS_OK;

	v->patterns |= UINT64_C(1) << span->pattern;
	if (w->waits == ES_TIMELINE_SPANS)
		st = waiting_write(v, w, thread);
	if (w->data == NULL)
		w->data = malloc(ES_TIMELINE_SPANS * ES_TIMELINE_SPAN_BYTES);
	if (w->data == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	if (w->waits++ == 0)
		w->start_ns = w->stop_ns = w->last_ns = span->start_ns;
	w->used = (uint32_t)(es_timeline_span_put(w->data + w->used, w->last_ns,
				 span) -
	    w->data);
	w->last_ns = span->stop_ns;
	if (span->stop_ns > w->stop_ns)
		w->stop_ns = span->stop_ns;
	return st;
}

/* Adds the part of a wait in the block to the times of its group. */
static void
view_add(struct wait_view *v, const struct es_timeline_span *span,
    int64_t begin_ns, int64_t end_ns)
{
	uint64_t *ns = v->times + (size_t)span->group * ES__PYRAMID_BLOCK;
	int64_t width = (int64_t)v->rows.shape.bucket_ns;
	int64_t from = span->start_ns > begin_ns ? span->start_ns : begin_ns;
	int64_t to = span->stop_ns < end_ns ? span->stop_ns : end_ns;

	if ((v->mask >> span->group & 1) == 0)
		memset(ns, 0, ES__PYRAMID_BLOCK * sizeof(*ns));
	v->mask |= 1u << span->group;
	for (int64_t n = (from - begin_ns) / width; from < to; n++) {
		int64_t edge = begin_ns + (n + 1) * width;
		int64_t stop = edge < to ? edge : to;

		ns[n] += (uint64_t)(stop - from);
		from = stop;
	}
}

/* Adds the waits that were open at the begin of the block. */
static void
view_add_open(struct wait_view *v, struct waiting *w, int64_t begin_ns,
    int64_t end_ns)
{
	size_t kept = 0;

	for (size_t n = 0; n < w->open_count; n++) {
		view_add(v, &w->open[n], begin_ns, end_ns);
		if (w->open[n].stop_ns > end_ns)
			w->open[kept++] = w->open[n];
	}
	w->open_count = kept;
}

/* Adds the waits that begin in the block. */
static paths_status
view_fill(struct wait_view *v, uint32_t at, int64_t begin_ns, int64_t end_ns)
{
	struct waiting *w = &v->threads[at];
	struct source *s;
	paths_status st = PATHS_OK;

	view_add_open(v, w, begin_ns, end_ns);
	while (st == PATHS_OK && (s = waiting_first(w, end_ns)) != NULL) {
		struct es_timeline_span span = s->next;

		view_add(v, &span, begin_ns, end_ns);
		st = waiting_keep(v, w, v->rows.recorded[at], &span);
		if (span.stop_ns > end_ns) {
			if (!paths__array_grow(&w->open, w->open_count,
				&w->open_room, sizeof(*w->open)))
				return paths_log_fail(PATHS_ENOMEM,
				    "no memory for waits");
			w->open[w->open_count++] = span;
		}
		if (st == PATHS_OK)
			st = source_next(s, v->a->span_ns);
	}
	return st;
}

/* Adds block n of all threads. */
static paths_status
view_block(struct wait_view *v, uint64_t n)
{
	uint64_t bucket_ns = v->rows.shape.bucket_ns;
	int64_t begin_ns = (int64_t)(n * ES__PYRAMID_BLOCK * bucket_ns);
	struct es__timeline_times times;
	int64_t end_ns;
	paths_status st = PATHS_OK;

	if (__builtin_mul_overflow((n + 1) * ES__PYRAMID_BLOCK, bucket_ns,
		&end_ns))
		end_ns = INT64_MAX;
	for (uint32_t g = 0; g < ES_GROUPS; g++)
		times.ns[g] = v->times + (size_t)g * ES__PYRAMID_BLOCK;
	for (uint32_t at = 0; st == PATHS_OK && at < v->rows.recorded_count;
	     at++) {
		v->mask = 0;
		st = view_fill(v, at, begin_ns, end_ns);
		times.mask = v->mask;
		if (st == PATHS_OK)
			st = es__timeline_classes_add(&v->classes, at, n,
			    &times);
	}
	return st;
}

static paths_status
view_prepare(struct wait_view *v)
{
	struct es__traced *traced = NULL;
	paths_status st = es__timeline_paths_open(&v->paths, v->a);

	if (st == PATHS_OK)
		st = es__traced_waits(v->a, &traced);
	v->traced = traced;
	if (st == PATHS_OK)
		st = es__timeline_rows_open(&v->rows, v->a);
	if (st != PATHS_OK)
		return st;
	v->classes = (struct es__timeline_classes){ .rows = &v->rows,
		.table = &tables[WAIT],
		.sink = v->sink,
		.all = true };
	es__timeline_classes_groups(&v->classes);
	st = es__timeline_classes_open(&v->classes);
	v->times =
	    calloc((size_t)ES_GROUPS * ES__PYRAMID_BLOCK, sizeof(*v->times));
	v->threads =
	    calloc((size_t)v->rows.recorded_count + 1, sizeof(*v->threads));
	if (st == PATHS_OK && (v->times == NULL || v->threads == NULL))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (uint32_t at = 0; st == PATHS_OK && at < v->rows.recorded_count;
	     at++)
		st = waiting_open(v, &v->threads[at], v->rows.recorded[at]);
	return st;
}

static void
view_close(struct wait_view *v)
{
	for (uint32_t at = 0; v->threads != NULL && at < v->rows.recorded_count;
	     at++)
		waiting_close(&v->threads[at]);
	if (v->classes.rows != NULL)
		es__timeline_classes_close(&v->classes);
	free(v->threads);
	free(v->times);
	es__timeline_rows_close(&v->rows);
	es__timeline_paths_close(&v->paths);
}

static paths_status
view_patterns(struct wait_view *v)
{
	paths_status st = PATHS_OK;

	for (uint32_t p = 1; st == PATHS_OK && p < ES__TIMELINE_PATTERNS; p++)
		if ((v->patterns >> p & 1) != 0)
			st = v->sink->row(v->sink, &tables[PATTERN],
			    (struct es_value[]){ ES_INT(p),
				ES_STR(es__timeline_pattern_name(p)) });
	return st;
}

static paths_status
timeline_wait_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct wait_view v = { .a = a, .sink = sink };
	paths_status st = view_prepare(&v);

	for (uint64_t n = 0; st == PATHS_OK && n < v.rows.blocks; n++)
		st = view_block(&v, n);
	for (uint32_t at = 0; st == PATHS_OK && at < v.rows.recorded_count;
	     at++)
		st = waiting_write(&v, &v.threads[at], v.rows.recorded[at]);
	if (st == PATHS_OK)
		st = view_patterns(&v);
	view_close(&v);
	return st;
}

const struct es_view es__view_timeline_wait = {
	.name = "timeline_wait",
	.about = "waiting over time, at every zoom level",
	.question = "When does each thread wait?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = timeline_wait_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.topic = ES_TOPIC_OPERATIONS,
};
