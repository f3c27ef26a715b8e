/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/settle.c - removes waits of sends from a graph that later turn
 * out not to wait
 *
 * Follows the measured times, and writes the begin of the log again.  In the
 * log, the steps AWAIT of an operation and its steps WAITED and LEAVE are next
 * to each other.
 */

#include "scopes/graph/settle_private.h"

#include "scopes/graph/times_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

struct settle {
	struct es__graph *graph;
	struct es__graph_times times;
	/* Steps AWAIT and WAITED of the current operation. */
	struct es__graph_step *steps;
	size_t count, room;
};

/* Sets the flag BINDS of the step AWAIT that ends the wait of the operation, if
   it waits.  Returns the end of the wait, or enter_ns. */
static int64_t
settle_wait(const struct settle *s, int64_t enter_ns)
{
	struct es__graph_step *last = NULL;
	int64_t until_ns = enter_ns;

	for (size_t n = 0; n < s->count; n++) {
		struct es__graph_step *step = &s->steps[n];

		if (step->kind == ES__GRAPH_WAITED)
			continue;
		step->flags &= (uint32_t)~ES__GRAPH_BINDS;
		if (es__graph_step_holds(step, s->graph->eager_bytes,
			s->graph->eager_bytes) &&
		    s->times.slot_ns[step->at] > until_ns) {
			until_ns = s->times.slot_ns[step->at];
			last = step;
		}
	}
	if (last != NULL)
		last->flags |= ES__GRAPH_BINDS;
	return until_ns;
}

/* Ends an operation.  The time that is no longer waiting becomes time of its
   own. */
static paths_status
settle_leave(struct settle *s, struct es__graph_step leave)
{
	int64_t *ns = &s->times.thread_ns[leave.thread];
	int64_t wait_ns = settle_wait(s, *ns) - *ns;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < s->count; n++) {
		struct es__graph_step *step = &s->steps[n];

		if (step->kind == ES__GRAPH_WAITED) {
			leave.ns += step->ns - wait_ns;
			step->ns = wait_ns;
		}
		st = es__graph_log_add(&s->graph->settled, *step);
	}
	*ns += wait_ns + leave.ns;
	s->count = 0;
	return st == PATHS_OK ? es__graph_log_add(&s->graph->settled, leave) :
				st;
}

/* Keeps a step until its operation ends. */
static paths_status
settle_keep(struct settle *s, const struct es__graph_step *step)
{
	if (!paths__array_grow(&s->steps, s->count, &s->room, sizeof(*step)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	s->steps[s->count++] = *step;
	return PATHS_OK;
}

static paths_status
settle_step(struct settle *s, const struct es__graph_step *step)
{
	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
	case ES__GRAPH_WAITED:
		return settle_keep(s, step);
	case ES__GRAPH_LEAVE:
		return settle_leave(s, *step);
	case ES__GRAPH_ENTER:
		s->times.thread_ns[step->thread] += step->ns;
		break;
	case ES__GRAPH_POST:
		es__graph_times_post(&s->times, step);
		break;
	case ES__GRAPH_JOIN:
		es__graph_times_join(&s->times, step);
		break;
	}
	return es__graph_log_add(&s->graph->settled, *step);
}

static paths_status
settle_steps(struct settle *s)
{
	struct es__graph_reader reader = es__graph_read(s->graph, false);
	uint64_t left = s->graph->unsettled;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && left > 0) {
		uint32_t count;
		const struct es__graph_step *steps =
		    es__graph_read_block(&reader, &count);

		for (uint32_t n = 0; st == PATHS_OK && n < count && left > 0;
		     n++, left--)
			st = settle_step(s, &steps[n]);
	}
	return st;
}

paths_status
es__graph_settle(struct es__graph *graph)
{
	struct settle s = { .graph = graph };
	paths_status st;

	if (graph->unsettled == 0)
		return PATHS_OK;
	st = es__graph_log_open(graph->dir, &graph->settled);
	if (st == PATHS_OK)
		st = es__graph_times_init(&s.times, graph);
	if (st == PATHS_OK)
		st = settle_steps(&s);
	if (st == PATHS_OK)
		st = es__graph_log_finish(&graph->settled);
	graph->is_settled = st == PATHS_OK;
	es__graph_times_fini(&s.times);
	free(s.steps);
	return st;
}
