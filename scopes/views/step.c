/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/step.c - what each thread did in each step
 *
 * Shows how threads drift apart without looking at every operation, and
 * communication_ns without a clock that they have in common.  By the first
 * collector of each path; an operation is all of the step that it began in.
 */

#include "scopes/merge_private.h"
#include "scopes/steps_private.h"
#include "scopes/view_private.h"
#include "scopes/waits_private.h"

#include <string.h>

static const struct es_column columns[] = {
	{ "thread", ES_INTEGER, "id" },
	{ "step", ES_INTEGER,
	    "as the program said, or where it says none the number of the "
	    "operation on its path; of MPI calls of the call" },
	{ "steps", ES_INTEGER, "so many from there on are this row" },
	{ "operations", ES_INTEGER, "that came back" },
	{ "start_ns", ES_INTEGER, "when the first began" },
	{ "stop_ns", ES_INTEGER, "when the last came back" },
	{ "communication_ns", ES_INTEGER,
	    "time in which at least one was under way" },
	{ "wait_ns", ES_INTEGER,
	    "of operations, waiting for other threads: see breakdown; NULL: "
	    "of MPI calls it is not known by step" },
	{ "longest_ns", ES_INTEGER, "the longest operation" },
};

static const struct es_table tables[] = {
	ES__TABLE("step", columns, "what each thread did in each step"),
};

struct cell {
	uint64_t operations;
	int64_t start_ns, stop_ns;
	int64_t communication_ns, longest_ns;
};

struct steps {
	const struct es_analysis *a;
	struct es_sink *sink;
	struct es__steps shape;
	const struct es__waits *waits;
};

static void
cell_add(struct cell *cell, int64_t start, int64_t stop, int64_t fresh)
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
step_fill(const struct steps *s, struct es__merge *merge, struct cell *cells)
{
	int64_t covered_to = INT64_MIN;
	const struct es__feed *feed;

	while ((feed = es__merge_next(merge)) != NULL) {
		int64_t start = feed->key;
		int64_t stop = es_time_ns(feed->lane.base, feed->tuple->stop);
		uint32_t bin =
		    es__steps_bin(&s->shape, feed->tuple, feed->calls);

		cell_add(&cells[bin], start, stop,
		    start > covered_to ? start : covered_to);
		covered_to = stop > covered_to ? stop : covered_to;
	}
}

static paths_status
step_work(void *context, size_t item, void *result)
{
	const struct steps *s = context;
	const struct es__list *heads = &s->a->forest.heads[item];
	struct es__merge merge;
	paths_status st;

	memset(result, 0, s->shape.bins * sizeof(struct cell));
	st = es__merge_open(&merge, heads->count);
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++)
		es__merge_add(&merge, s->a, heads->ids[n]);
	if (st == PATHS_OK)
		step_fill(s, &merge, result);
	es__merge_close(&merge);
	return st;
}

static struct es_value
step_wait(const struct steps *s, size_t thread, uint32_t bin)
{
	const struct es__list *heads = &s->a->forest.heads[thread];

	if (es__collector_calls(&s->a->run->collectors[heads->ids[0]]))
		return ES_NIL;
	return ES_INT(s->waits->step_wait_ns[thread * s->shape.bins + bin]);
}

static paths_status
step_done(void *context, size_t item, void *result)
{
	const struct steps *s = context;
	const struct cell *cells = result;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < s->shape.bins; n++) {
		const struct cell *cell = &cells[n];

		if (cell->operations == 0)
			continue;
		st = s->sink->row(s->sink, &tables[0],
		    (struct es_value[]){ ES_INT(item),
			ES_INT((uint64_t)n << s->shape.shift),
			ES_INT((uint64_t)1 << s->shape.shift),
			ES_INT(cell->operations), ES_INT(cell->start_ns),
			ES_INT(cell->stop_ns), ES_INT(cell->communication_ns),
			step_wait(s, item, n), ES_INT(cell->longest_ns) });
	}
	return st;
}

static paths_status
step_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct steps s = { .a = a,
		.sink = sink,
		.shape = es__steps_shape(a, a->map->thread_count) };
	struct es__work work = { .count = a->map->thread_count,
		.result_bytes = s.shape.bins * sizeof(struct cell),
		.context = &s,
		.work = step_work,
		.done = step_done };

	paths_status st = es__waits_get(a, &s.waits);

	return st == PATHS_OK ? es__work_run(&work, a->threads) : st;
}

const struct es_view es__view_step = {
	.name = "step",
	.about = "what each thread did in each step",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = step_compute,
};
