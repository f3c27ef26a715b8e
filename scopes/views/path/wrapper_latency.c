/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/wrapper_latency.c - latency of each stage
 *
 * A stage lies between a collector (t1 down, t4 up) and the next one below it
 * (t2 down, t3 up).  Its latency is (t4 - t1) - (t3 - t2): t2 - t1 of the
 * down-pass and t4 - t3 of the up-pass.  The latency of a stage without a
 * collector below is t4 - t1.  At a join, the latency includes the wait for the
 * other inputs.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4, figure 4
 */

#include "scopes/clock/walk_private.h"
#include "scopes/path/histogram_private.h"
#include "scopes/path/steps_private.h"
#include "scopes/views/view_private.h"

#include <string.h>

ES__SQL(wrapper_latency_reading);

static const struct es_column columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the stage", .refers = "stage" },
	{ "path", ES_INTEGER,
	    .about = "path of the collector above; NULL: none, see table "
		     "collector",
	    .refers = "path" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that both collectors retain" },
	{ "latency_ns_mean", ES_REAL, .about = "mean latency",
	    .unit = ES_UNIT_NS },
	{ "latency_ns_median", ES_INTEGER,
	    .about = "median latency; exact to 0.4 %", .unit = ES_UNIT_NS },
	{ "latency_ns_p95", ES_INTEGER,
	    .about = "95th percentile of the latency; exact to 0.4 %",
	    .unit = ES_UNIT_NS },
	{ "latency_ns_min", ES_INTEGER, .about = "shortest latency",
	    .unit = ES_UNIT_NS },
	{ "latency_ns_max", ES_INTEGER, .about = "longest latency",
	    .unit = ES_UNIT_NS },
	{ "down_ns_mean", ES_REAL,
	    .about = "mean time of the down-pass; NULL: no collector below",
	    .unit = ES_UNIT_NS },
	{ "up_ns_mean", ES_REAL,
	    .about = "mean time of the up-pass; NULL: no collector below",
	    .unit = ES_UNIT_NS },
};

static const struct es_column step_columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the stage", .refers = "stage" },
	{ "path", ES_INTEGER,
	    .about = "path of the collector above; NULL: none, see table "
		     "collector",
	    .refers = "path" },
	{ "step", ES_INTEGER,
	    .about = "first step of the row, see table step" },
	{ "steps", ES_INTEGER, .about = "number of steps in the row" },
	{ "operations", ES_INTEGER,
	    .about = "number of operations that both collectors retain" },
	{ "latency_ns_mean", ES_REAL, .about = "mean latency",
	    .unit = ES_UNIT_NS },
	{ "latency_ns_min", ES_INTEGER, .about = "shortest latency",
	    .unit = ES_UNIT_NS },
	{ "latency_ns_max", ES_INTEGER, .about = "longest latency",
	    .unit = ES_UNIT_NS },
	{ "time_ns_mean", ES_REAL,
	    .about = "mean time in the stage and all stages below it",
	    .unit = ES_UNIT_NS },
	{ "time_ns_min", ES_INTEGER,
	    .about = "shortest time in the stage and all stages below it",
	    .unit = ES_UNIT_NS },
	{ "time_ns_max", ES_INTEGER,
	    .about = "longest time in the stage and all stages below it",
	    .unit = ES_UNIT_NS },
};

enum { ALL, STEP };

static const struct es_table tables[] = {
	[ALL] = { .name = "wrapper_latency",
	    .about = "latency of each stage",
	    ES_COLUMNS(columns),
	    .order = "latency_ns_mean * operations DESC",
	    .reading = es__sql_wrapper_latency_reading,
	    .reading_about = "stage with the largest total latency" },
	[STEP] = { .name = "wrapper_latency_step",
	    .about = "latency of each stage, by step",
	    ES_COLUMNS(step_columns) },
};

struct latency_spread {
	int64_t sum, min, max;
};

/* Sums over the operations of one bin of steps. */
struct latency_cell {
	uint64_t operations;
	struct latency_spread latency, time;
};

struct latency {
	int64_t sum, down_sum, up_sum;
	int64_t min, max;
	struct es__histogram all;
	struct latency_cell cells[]; /* one for each bin of steps */
};

struct latencies {
	struct es_analysis *a;
	struct es_sink *sink;
	struct es__steps steps;
};

static void
latency_add(struct latency *l, int64_t ns)
{
	if (l->all.count == 0 || ns < l->min)
		l->min = ns;
	if (l->all.count == 0 || ns > l->max)
		l->max = ns;
	l->sum += ns;
	es__histogram_add(&l->all, ns);
}

static void
spread_add(struct latency_spread *spread, int64_t ns, bool first)
{
	if (first || ns < spread->min)
		spread->min = ns;
	if (first || ns > spread->max)
		spread->max = ns;
	spread->sum += ns;
}

static void
cell_add(struct latency_cell *cell, int64_t latency, int64_t time)
{
	bool first = cell->operations++ == 0;

	spread_add(&cell->latency, latency, first);
	spread_add(&cell->time, time, first);
}

/* Adds up the operations of a stage between two collectors, or below the last
   collector. */
static void
latency_walk(struct latency *l, const struct es__steps *steps,
    struct es__walk *walk)
{
	const struct es__lane *above = &walk->lanes[0];
	const struct es__lane *below = &walk->lanes[1];

	while (es__walk_next(walk)) {
		int64_t t1 = es_time_ns(above->base, above->tuple->start);
		int64_t t4 = es_time_ns(above->base, above->tuple->stop);
		int64_t t2 = t4, t3 = t4;

		if (walk->count > 1) {
			t2 = es_time_ns(below->base, below->tuple->start);
			t3 = es_time_ns(below->base, below->tuple->stop);
			l->down_sum += t2 - t1;
			l->up_sum += t4 - t3;
		}
		latency_add(l, (t4 - t1) - (t3 - t2));
		cell_add(&l->cells[es__steps_bin(steps, above->collector,
			     (const void *)above->tuple, false)],
		    (t4 - t1) - (t3 - t2), t4 - t1);
	}
}

static size_t
latency_bytes(const struct latencies *all)
{
	return sizeof(struct latency) +
	    all->steps.bins * sizeof(struct latency_cell);
}

static paths_status
latency_work(void *context, size_t item, void *result)
{
	const struct latencies *all = context;
	const struct es_analysis *a = all->a;
	const struct es__segment *s = &a->graph.segments[item];
	uint32_t pair[2] = { (uint32_t)item, s->below };
	uint32_t count = s->below == PATHS_NONE ? 1 : 2;
	struct es__walk walk;
	paths_status st;

	memset(result, 0, latency_bytes(all));
	if (s->tree == PATHS_NONE || s->stages == 0)
		return PATHS_OK;
	st = es__walk_open(&walk, a, pair, count,
	    es__walk_range(a, pair, count));
	if (st == PATHS_OK)
		latency_walk(result, &all->steps, &walk);
	es__walk_close(&walk);
	return st;
}

/* Reports stages without a collector between them: they are measured as one. */
static void
latency_diagnose(struct es_analysis *a, uint32_t collector)
{
	const struct es__segment *s = &a->graph.segments[collector];

	if (s->stages > 1)
		es_run_diagnose(a->run, ES_NOTE,
		    a->map->instances[s->stage].name,
		    "%u stages without a collector between them are measured "
		    "as one",
		    s->stages);
}

static paths_status
latency_steps(const struct latencies *all, uint32_t collector,
    const struct latency *l)
{
	uint32_t shift = all->steps.shift;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < all->steps.bins; n++) {
		const struct latency_cell *cell = &l->cells[n];
		double operations = (double)cell->operations;

		if (cell->operations == 0)
			continue;
		st = all->sink->row(all->sink, &tables[STEP],
		    (struct es_value[]){
			ES_INT(all->a->graph.segments[collector].stage),
			es__id(all->a->run->collectors[collector].path),
			ES_INT((uint64_t)n << shift),
			ES_INT((uint64_t)1 << shift), ES_INT(cell->operations),
			ES_NUM((double)cell->latency.sum / operations),
			ES_INT(cell->latency.min), ES_INT(cell->latency.max),
			ES_NUM((double)cell->time.sum / operations),
			ES_INT(cell->time.min), ES_INT(cell->time.max) });
	}
	return st;
}

static const void *
latency_reads(const void *context, size_t item)
{
	const struct latencies *all = context;

	return es__work_tuples(&all->a->run->collectors[item]);
}

static paths_status
latency_done(void *context, size_t item, void *result)
{
	struct latencies *all = context;
	const struct es__segment *s = &all->a->graph.segments[item];
	const struct latency *l = result;
	double n = (double)l->all.count;
	bool between = s->below != PATHS_NONE;
	paths_status st;

	if (l->all.count == 0)
		return PATHS_OK;
	latency_diagnose(all->a, (uint32_t)item);
	st = all->sink->row(all->sink, &tables[ALL],
	    (struct es_value[]){ ES_INT(s->stage),
		es__id(all->a->run->collectors[item].path),
		ES_INT(l->all.count), ES_NUM((double)l->sum / n),
		ES_INT(es__histogram_at(&l->all, 0.5)),
		ES_INT(es__histogram_at(&l->all, 0.95)), ES_INT(l->min),
		ES_INT(l->max),
		between ? ES_NUM((double)l->down_sum / n) : ES_NIL,
		between ? ES_NUM((double)l->up_sum / n) : ES_NIL });
	return st == PATHS_OK ? latency_steps(all, (uint32_t)item, l) : st;
}

static paths_status
wrapper_latency_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct latencies all = { a, sink,
		es__steps_shape(a, a->run->collector_count) };
	struct es__work work = { .count = a->run->collector_count,
		.result_bytes = latency_bytes(&all),
		.context = &all,
		.work = latency_work,
		.done = latency_done,
		.reads = latency_reads };

	return es__work_run(&work, a->threads);
}

const struct es_view es__view_wrapper_latency = {
	.name = "wrapper_latency",
	.about = "latency of each stage",
	.question = "Which stages are slow?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = wrapper_latency_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
