/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/step.c - operations of each thread, by step
 *
 * The table shows how threads drift apart with few rows for each thread.
 * communication_ns needs no common clock.  The view reads the first collector
 * of each path.  An operation counts entirely for the step in which it began.
 */

#include "scopes/path/merge_private.h"
#include "scopes/path/steps_private.h"
#include "scopes/path/waits_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

ES__SQL(step_finding);

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "step", ES_INTEGER, .about = "first step of the row" },
	{ "steps", ES_INTEGER, .about = "number of steps in the row" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that returned" },
	{ "start_ns", ES_INTEGER, .about = "start of the first operation",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "end of the last operation",
	    .unit = ES_UNIT_NS },
	{ "communication_ns", ES_INTEGER,
	    .about = "time in which at least one operation was under way",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER,
	    .about = "time that operations waited for other threads; NULL: MPI "
		     "calls",
	    .unit = ES_UNIT_NS },
	{ "longest_ns", ES_INTEGER,
	    .about = "duration of the longest operation", .unit = ES_UNIT_NS },
};

static const struct es_column spread_columns[] = {
	{ "step", ES_INTEGER,
	    .about = "first step of the row, see table step" },
	{ "steps", ES_INTEGER, .about = "number of steps in the row" },
	{ "threads", ES_INTEGER,
	    .about = "number of threads that began the step, at least 2" },
	{ "first", ES_INTEGER, .about = "thread that began the step first",
	    .refers = "thread" },
	{ "last", ES_INTEGER, .about = "thread that began the step last",
	    .refers = "thread" },
	{ "start_ns", ES_INTEGER,
	    .about = "start of the step in the first thread",
	    .unit = ES_UNIT_NS },
	{ "spread_ns", ES_INTEGER,
	    .about = "time from the first thread's start to the last thread's",
	    .unit = ES_UNIT_NS },
	{ "neighbour_ns", ES_REAL,
	    .about = "mean time between the starts of neighbours in the map",
	    .unit = ES_UNIT_NS },
	{ "pair_ns", ES_REAL,
	    .about = "mean time between the starts of any two threads",
	    .unit = ES_UNIT_NS },
};

enum { STEP, SPREAD };

static const struct es_table tables[] = {
	[STEP] = { .name = "step",
	    .about = "operations of each thread, by step",
	    ES_COLUMNS(columns) },
	[SPREAD] = { .name = "step_spread",
	    .about = "differences between threads in the start of each step",
	    ES_COLUMNS(spread_columns) },
};

struct step_cell {
	uint64_t operations;
	int64_t start_ns, stop_ns;
	int64_t communication_ns, longest_ns;
};

struct steps {
	const struct es_analysis *a;
	struct es_sink *sink;
	struct es__steps shape;
	const struct es__waits *waits;
	int64_t *starts; /* by bin, then thread; NEVER: not begun */
};

#define NEVER INT64_MAX

static void
cell_add(struct step_cell *cell, int64_t start, int64_t stop, int64_t fresh)
{
	if (cell->operations == 0 || start < cell->start_ns)
		cell->start_ns = start;
	if (cell->operations == 0 || stop > cell->stop_ns)
		cell->stop_ns = stop;
	if (stop - start > cell->longest_ns)
		cell->longest_ns = stop - start;
	if (stop > fresh)
		cell->communication_ns += stop - fresh;
	cell->operations++;
}

static void
step_fill(const struct steps *s, struct es__merge *merge,
    struct step_cell *cells)
{
	int64_t covered_to = INT64_MIN;
	const struct es__feed *feed;

	while ((feed = es__merge_next(merge)) != NULL) {
		int64_t start = feed->key;
		int64_t stop = es_time_ns(feed->lane.base, feed->tuple->stop);
		uint32_t bin = es__steps_bin(&s->shape, feed->lane.collector,
		    feed->tuple, feed->calls);

		cell_add(&cells[bin], start, stop,
		    start > covered_to ? start : covered_to);
		covered_to = stop > covered_to ? stop : covered_to;
	}
}

static paths_status
step_work(void *context, size_t item, void *result)
{
	const struct steps *s = context;
	const struct es__list *heads = &s->a->graph.heads[item];
	struct es__merge merge;
	paths_status st;

	memset(result, 0, s->shape.bins * sizeof(struct step_cell));
	st = es__merge_open(&merge, heads->count);
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++)
		es__merge_add(&merge, s->a, heads->ids[n]);
	if (st == PATHS_OK)
		step_fill(s, &merge, result);
	es__merge_close(&merge);
	return st;
}

static const void *
step_reads(const void *context, size_t item)
{
	return es__thread_tuples(((const struct steps *)context)->a,
	    (uint32_t)item);
}

/* Returns whether a thread made MPI calls.  The n-th calls of different ranks
   have no common step. */
static bool
step_calls(const struct steps *s, size_t thread)
{
	const struct es__list *heads = &s->a->graph.heads[thread];

	return es__collector_calls(&s->a->run->collectors[heads->ids[0]]);
}

static struct es_value
step_wait(const struct steps *s, size_t thread, uint32_t bin)
{
	if (step_calls(s, thread))
		return ES_NIL;
	return ES_INT(s->waits->step_wait_ns[thread * s->shape.bins + bin]);
}

static paths_status
step_done(void *context, size_t item, void *result)
{
	const struct steps *s = context;
	const struct step_cell *cells = result;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < s->shape.bins; n++) {
		const struct step_cell *cell = &cells[n];

		if (cell->operations == 0)
			continue;
		if (!step_calls(s, item))
			s->starts[n * s->a->map->thread_count + item] =
			    cell->start_ns;
		st = s->sink->row(s->sink, &tables[STEP],
		    (struct es_value[]){ ES_INT(item),
			ES_INT((uint64_t)n << s->shape.shift),
			ES_INT((uint64_t)1 << s->shape.shift),
			ES_INT(cell->operations), ES_INT(cell->start_ns),
			ES_INT(cell->stop_ns), ES_INT(cell->communication_ns),
			step_wait(s, item, n), ES_INT(cell->longest_ns) });
	}
	return st;
}

static int
start_order(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

/* Returns the mean difference of any two starts; sorts the starts. */
static double
spread_pair_ns(int64_t *starts, uint32_t count)
{
	double sum = 0;

	qsort(starts, count, sizeof(*starts), start_order);
	for (uint32_t n = 1; n < count; n++)
		sum += (double)(starts[n] - starts[n - 1]) * n * (count - n);
	return sum / ((double)count * (count - 1) / 2);
}

/* Writes the row of a bin; moves the starts that exist to the front. */
static paths_status
spread_row(const struct steps *s, uint32_t bin)
{
	uint32_t threads = s->a->map->thread_count;
	int64_t *starts = &s->starts[(size_t)bin * threads];
	int64_t least = NEVER, most = INT64_MIN;
	uint32_t count = 0, first = 0, last = 0;
	double near = 0;

	for (uint32_t t = 0; t < threads; t++) {
		int64_t start = starts[t];

		if (start == NEVER)
			continue;
		if (start < least) {
			least = start;
			first = t;
		}
		if (start > most) {
			most = start;
			last = t;
		}
		if (count > 0)
			near += (double)llabs(start - starts[count - 1]);
		starts[count++] = start;
	}
	if (count < 2)
		return PATHS_OK;
	return s->sink->row(s->sink, &tables[SPREAD],
	    (struct es_value[]){ ES_INT((uint64_t)bin << s->shape.shift),
		ES_INT((uint64_t)1 << s->shape.shift), ES_INT(count),
		ES_INT(first), ES_INT(last), ES_INT(least),
		ES_INT(most - least), ES_NUM(near / (count - 1)),
		ES_NUM(spread_pair_ns(starts, count)) });
}

static paths_status
step_rows(struct steps *s)
{
	struct es__work work = { .count = s->a->map->thread_count,
		.result_bytes = s->shape.bins * sizeof(struct step_cell),
		.context = s,
		.work = step_work,
		.done = step_done,
		.reads = step_reads };
	size_t starts = (size_t)s->a->map->thread_count * s->shape.bins;
	paths_status st;

	s->starts = malloc((starts + 1) * sizeof(*s->starts));
	if (s->starts == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %u steps",
		    s->shape.bins);
	for (size_t n = 0; n < starts; n++)
		s->starts[n] = NEVER;
	st = es__work_run(&work, s->a->threads);
	for (uint32_t bin = 0; st == PATHS_OK && bin < s->shape.bins; bin++)
		st = spread_row(s, bin);
	free(s->starts);
	return st;
}

static paths_status
step_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct steps s = { .a = a,
		.sink = sink,
		.shape = es__steps_shape(a, a->map->thread_count) };
	paths_status st = es__waits_get(a, &s.waits);

	return st == PATHS_OK ? step_rows(&s) : st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_step_finding,
	    .about = "step that runs through the threads like a wave, if the "
		     "program sets the steps",
	    .weight = 50,
	    .table = "step_spread",
	    .chart = "step_heat",
	    .measure = "arrival" },
};

const struct es_view es__view_step = {
	.name = "step",
	.about = "operations of each thread, by step",
	.question = "Do threads drift apart from step to step?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = step_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
