/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/settle.c - takes back waits of sends that do not wait
 *
 * Follows the measured times.  The steps of what an operation waits for, of its
 * wait and of its end stand together in the log.
 */

#include "scopes/graph/settle_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

struct settle {
	struct es__graph *graph;
	int64_t *thread_ns, *slot_ns;
	/* The operation that ends: the last thing that it waits for, if it
	   waits, and how long it does. */
	struct es__graph_step *last, *waited;
	int64_t until_ns;
};

static void
settle_await(struct settle *s, struct es__graph_step *step)
{
	int64_t ns = s->slot_ns[step->at];

	step->flags &= (uint32_t)~ES__GRAPH_BINDS;
	if (step->kind == ES__GRAPH_AWAIT_RECEIVE &&
	    !(step->flags & ES__GRAPH_SURE) &&
	    (uint64_t)step->ns <= s->graph->eager_bytes)
		return;
	if (ns > s->thread_ns[step->thread] &&
	    (s->last == NULL || ns > s->until_ns)) {
		s->last = step;
		s->until_ns = ns;
	}
}

/* Ends an operation: all of its time that is not waiting is its own. */
static void
settle_leave(struct settle *s, struct es__graph_step *step)
{
	int64_t *ns = &s->thread_ns[step->thread];
	int64_t wait_ns = s->last != NULL ? s->until_ns - *ns : 0;

	if (s->waited != NULL) {
		step->ns += s->waited->ns - wait_ns;
		s->waited->ns = wait_ns;
	}
	if (s->last != NULL)
		s->last->flags |= ES__GRAPH_BINDS;
	*ns += wait_ns + step->ns;
	s->last = s->waited = NULL;
}

static void
settle_step(struct settle *s, struct es__graph_step *step)
{
	int64_t *slot;

	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		s->thread_ns[step->thread] += step->ns;
		break;
	case ES__GRAPH_POST:
		s->slot_ns[step->at] = s->thread_ns[step->thread];
		break;
	case ES__GRAPH_JOIN:
		slot = &s->slot_ns[step->at];
		if ((step->flags & ES__GRAPH_NEW) ||
		    s->slot_ns[step->ns] > *slot)
			*slot = s->slot_ns[step->ns];
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
		settle_await(s, step);
		break;
	case ES__GRAPH_WAITED:
		s->waited = step;
		break;
	case ES__GRAPH_LEAVE:
		settle_leave(s, step);
		break;
	}
}

paths_status
es__graph_settle(struct es__graph *graph)
{
	struct settle s = { .graph = graph };
	struct es__graph_reader reader = es__graph_read(graph, false);
	uint64_t at = 0;
	uint32_t count;

	if (graph->unsettled == 0)
		return PATHS_OK;
	s.thread_ns =
	    calloc((size_t)graph->thread_count + 1, sizeof(*s.thread_ns));
	s.slot_ns = calloc((size_t)graph->slot_count + 1, sizeof(*s.slot_ns));
	if (s.thread_ns == NULL || s.slot_ns == NULL) {
		free(s.thread_ns);
		free(s.slot_ns);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	}
	for (uint32_t t = 0; t < graph->thread_count; t++)
		s.thread_ns[t] = graph->start_ns;
	while (at < graph->unsettled) {
		(void)es__graph_read_block(&reader, &count);
		for (uint32_t n = 0; n < count && at < graph->unsettled; n++)
			settle_step(&s, &graph->steps[at++]);
	}
	free(s.thread_ns);
	free(s.slot_ns);
	return PATHS_OK;
}
