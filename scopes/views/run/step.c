/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/step.c - operations of each thread, by step
 *
 * The table shows how threads drift apart with few rows for each thread.
 * communication_ns needs no common clock.  The view reads the first collector
 * of each path.  An operation counts entirely for the step in which it began.
 * The steps of MPI programs are the iterations of the view phase.
 */

#include "scopes/mpi/traced_private.h"
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
		     "calls whose steps are not iterations",
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
	struct es__steps calls; /* of MPI calls; bins 0: no loop was found */
	uint32_t bins;		/* of a result: the larger number of both */
	bool aligned; /* steps of MPI calls are the same in all ranks */
	const struct es__phases *phases;
	const struct es__waits *waits;
	const struct es__mpi_waits *mpi_waits; /* NULL: no MPI calls */
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

/* Returns whether a thread made MPI calls. */
static bool
step_calls(const struct steps *s, size_t thread)
{
	const struct es__list *heads = &s->a->graph.heads[thread];

	return es__collector_calls(&s->a->run->collectors[heads->ids[0]]);
}

/* Returns whether a thread made MPI calls whose steps are iterations. */
static bool
step_iterates(const struct steps *s, size_t thread)
{
	return s->calls.bins > 0 && step_calls(s, thread);
}

/* Returns the bin of an operation; PATHS_NONE: it is in no step.  near: as for
   es__phases_bin_near. */
static uint32_t
step_bin(const struct steps *s, const struct es__feed *feed,
    const struct es__phase_part *part, uint32_t *near)
{
	uint32_t bin;

	if (!feed->calls || s->calls.bins == 0)
		return es__steps_bin(&s->shape, feed->lane.collector,
		    feed->tuple, feed->calls);
	if (part == NULL)
		return PATHS_NONE;
	bin = es__phases_bin_near(part, feed->tuple->start, near);
	return bin == PATHS_NONE ?
	    bin :
	    bin >> (s->calls.shift - s->phases->phases[part->phase].shift);
}

static void
step_fill(const struct steps *s, size_t thread, struct es__merge *merge,
    struct step_cell *cells)
{
	const struct es__phase_part *part =
	    es__phases_part(s->phases, (uint32_t)thread, s->phases->steps);
	int64_t covered_to = INT64_MIN;
	const struct es__feed *feed;
	uint32_t near = 0;

	while ((feed = es__merge_next(merge)) != NULL) {
		int64_t start = feed->key;
		int64_t stop = es_time_ns(feed->lane.base, feed->tuple->stop);
		uint32_t bin = step_bin(s, feed, part, &near);

		if (bin != PATHS_NONE)
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

	memset(result, 0, s->bins * sizeof(struct step_cell));
	st = es__merge_open(&merge, heads->count);
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++)
		es__merge_add(&merge, s->a, heads->ids[n]);
	if (st == PATHS_OK)
		step_fill(s, item, &merge, result);
	es__merge_close(&merge);
	return st;
}

static const void *
step_reads(const void *context, size_t item)
{
	return es__thread_tuples(((const struct steps *)context)->a,
	    (uint32_t)item);
}

/* Returns the time that the MPI calls of a thread waited in a bin. */
static struct es_value
step_wait_calls(const struct steps *s, size_t thread, uint32_t bin)
{
	const struct es__phase_part *part =
	    es__phases_part(s->phases, (uint32_t)thread, s->phases->steps);
	const int64_t *waits = s->mpi_waits == NULL || part == NULL ?
	    NULL :
	    es__mpi_waits_steps(s->mpi_waits, (uint32_t)thread);
	uint32_t shift;
	int64_t sum = 0;

	if (waits == NULL)
		return ES_NIL;
	shift = s->calls.shift - s->phases->phases[part->phase].shift;
	for (size_t n = (size_t)bin << shift;
	     n < part->bin_count && n >> shift == bin; n++)
		sum += waits[n];
	return ES_INT(sum);
}

static struct es_value
step_wait(const struct steps *s, size_t thread, uint32_t bin)
{
	if (step_iterates(s, thread))
		return step_wait_calls(s, thread, bin);
	if (step_calls(s, thread))
		return ES_NIL;
	return ES_INT(s->waits->step_wait_ns[thread * s->shape.bins + bin]);
}

/* Notes when a thread begins a bin.  The n-th calls of different ranks have no
   common step. */
static void
step_start(const struct steps *s, size_t thread, uint32_t bin, int64_t ns)
{
	if (!step_calls(s, thread) || (s->calls.bins > 0 && s->aligned))
		s->starts[bin * s->a->map->thread_count + thread] = ns;
}

static paths_status
step_done(void *context, size_t item, void *result)
{
	const struct steps *s = context;
	const struct step_cell *cells = result;
	const struct es__steps *shape =
	    step_iterates(s, item) ? &s->calls : &s->shape;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < shape->bins; n++) {
		const struct step_cell *cell = &cells[n];

		if (cell->operations == 0)
			continue;
		step_start(s, item, n, cell->start_ns);
		st = s->sink->row(s->sink, &tables[STEP],
		    (struct es_value[]){ ES_INT(item),
			ES_INT((uint64_t)n << shape->shift),
			ES_INT((uint64_t)1 << shape->shift),
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
	uint32_t shift = s->calls.bins > 0 ? s->calls.shift : s->shape.shift;
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
	    (struct es_value[]){ ES_INT((uint64_t)bin << shift),
		ES_INT((uint64_t)1 << shift), ES_INT(count), ES_INT(first),
		ES_INT(last), ES_INT(least), ES_INT(most - least),
		ES_NUM(near / (count - 1)),
		ES_NUM(spread_pair_ns(starts, count)) });
}

static paths_status
step_rows(struct steps *s)
{
	struct es__work work = { .count = s->a->map->thread_count,
		.result_bytes = s->bins * sizeof(struct step_cell),
		.context = s,
		.work = step_work,
		.done = step_done,
		.reads = step_reads };
	size_t starts = (size_t)s->a->map->thread_count * s->bins;
	paths_status st;

	s->starts = malloc((starts + 1) * sizeof(*s->starts));
	if (s->starts == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %u steps",
		    s->bins);
	for (size_t n = 0; n < starts; n++)
		s->starts[n] = NEVER;
	st = es__work_run(&work, s->a->threads);
	for (uint32_t bin = 0; st == PATHS_OK && bin < s->bins; bin++)
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
	struct es__traced *traced = NULL;
	paths_status st = es__waits_get(a, &s.waits);

	if (st == PATHS_OK)
		st = es__phases_get(a, &s.phases);
	if (st != PATHS_OK)
		return st;
	if (es_run_mpi(a->run) != NULL)
		s.calls = es__steps_iterations(s.phases, a->map->thread_count);
	if (s.calls.bins > 0)
		st = es__traced_waits(a, &traced);
	if (traced != NULL)
		s.mpi_waits = &traced->waits;
	s.aligned = es__steps_aligned(s.phases);
	s.bins = s.calls.bins > s.shape.bins ? s.calls.bins : s.shape.bins;
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
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = step_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
