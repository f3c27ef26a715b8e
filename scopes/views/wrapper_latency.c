/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/wrapper_latency.c - what each stage costs an operation
 *
 * Between a collector (t1 down, t4 up) and the next one below it (t2, t3): a
 * stage takes (t4 - t1) - (t3 - t2), of that t2 - t1 on the way down and
 * t4 - t3 on the way up.  What is last, with no collector below, takes
 * t4 - t1.  At a join the time includes waiting for the other inputs.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4, figure 4
 */

#include "scopes/histogram_private.h"
#include "scopes/view_private.h"
#include "scopes/walk_private.h"

#include <string.h>

static const struct es_column columns[] = {
	{ "stage", ES_INTEGER, "id" },
	{ "path", ES_INTEGER,
	    "of the collector above; NULL: below a join or a buffer" },
	{ "operations", ES_INTEGER, "that both collectors retain" },
	{ "latency_ns_mean", ES_REAL, "(t4 - t1) - (t3 - t2)" },
	{ "latency_ns_median", ES_INTEGER, "within 0.4 %" },
	{ "latency_ns_p95", ES_INTEGER, "within 0.4 %" },
	{ "latency_ns_min", ES_INTEGER, "the least" },
	{ "latency_ns_max", ES_INTEGER, "the largest" },
	{ "down_ns_mean", ES_REAL, "t2 - t1; NULL: no collector below" },
	{ "up_ns_mean", ES_REAL, "t4 - t3; NULL: no collector below" },
};

static const struct es_table tables[] = {
	ES__TABLE("wrapper_latency", columns,
	    "what each stage costs an operation"),
};

struct latency {
	int64_t sum, down_sum, up_sum;
	int64_t min, max;
	struct es__histogram all;
};

struct latencies {
	struct es_analysis *a;
	struct es_sink *sink;
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

/* A stage between two collectors, or the last one below its collector. */
static void
latency_walk(struct latency *l, struct es__walk *walk)
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
	}
}

static paths_status
latency_work(void *context, size_t item, void *result)
{
	const struct es_analysis *a = ((struct latencies *)context)->a;
	const struct es__segment *s = &a->forest.segments[item];
	uint32_t pair[2] = { (uint32_t)item, s->below };
	uint32_t count = s->below == PATHS_NONE ? 1 : 2;
	struct es__walk walk;
	paths_status st;

	memset(result, 0, sizeof(struct latency));
	if (s->tree == PATHS_NONE || s->stages == 0)
		return PATHS_OK;
	st = es__walk_open(&walk, a, pair, count,
	    es__walk_range(a, pair, count));
	if (st == PATHS_OK)
		latency_walk(result, &walk);
	es__walk_close(&walk);
	return st;
}

/* Stages without a collector between them are measured as one. */
static void
latency_diagnose(struct es_analysis *a, uint32_t collector)
{
	const struct es__segment *s = &a->forest.segments[collector];

	if (s->stages > 1)
		es_run_diagnose(a->run, ES_NOTE,
		    a->map->instances[s->stage].name,
		    "%u stages without a collector between them are measured "
		    "as one",
		    s->stages);
}

static paths_status
latency_done(void *context, size_t item, void *result)
{
	struct latencies *all = context;
	const struct es__segment *s = &all->a->forest.segments[item];
	const struct latency *l = result;
	double n = (double)l->all.count;
	bool between = s->below != PATHS_NONE;

	if (l->all.count == 0)
		return PATHS_OK;
	latency_diagnose(all->a, (uint32_t)item);
	return all->sink->row(all->sink, &tables[0],
	    (struct es_value[]){ ES_INT(s->stage),
		es__id(all->a->run->collectors[item].path),
		ES_INT(l->all.count), ES_NUM((double)l->sum / n),
		ES_INT(es__histogram_at(&l->all, 0.5)),
		ES_INT(es__histogram_at(&l->all, 0.95)), ES_INT(l->min),
		ES_INT(l->max),
		between ? ES_NUM((double)l->down_sum / n) : ES_NIL,
		between ? ES_NUM((double)l->up_sum / n) : ES_NIL });
}

static paths_status
wrapper_latency_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct latencies all = { a, sink };
	struct es__work work = { .count = a->run->collector_count,
		.result_bytes = sizeof(struct latency),
		.context = &all,
		.work = latency_work,
		.done = latency_done };

	return es__work_run(&work, a->threads);
}

const struct es_view es__view_wrapper_latency = {
	.name = "wrapper_latency",
	.about = "what each stage costs an operation",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = wrapper_latency_compute,
};
