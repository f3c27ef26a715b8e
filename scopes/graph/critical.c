/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/critical.c - finds the critical path of a graph
 *
 * Reads the steps backward and moves a token between threads.  The activities
 * of the thread that holds the token are on the path.  At a wait, the token is
 * offered to the slots that may have ended the wait.  The thread that posted
 * one of them at the end of the wait takes the token.
 */

#include "scopes/graph/critical_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

struct critical {
	es__graph_segment_take *take;
	void *to;
	int64_t *ns; /* current time of each thread */
	/* For each slot: the last flight in which the token was offered to
	   it. */
	uint32_t *offered;
	uint32_t flight;
	uint32_t thread;  /* that holds the token; PATHS_NONE: none */
	uint32_t waiting; /* thread that passes it on; PATHS_NONE: none */
	int64_t until_ns; /* end of the wait */
	bool no_memory;
};

/* Adds an activity that ends at the current time of its thread. */
static void
critical_add(struct critical *c, const struct es__graph_step *step)
{
	struct es__graph_segment segment = {
		.start_ns = c->ns[step->thread] - step->ns,
		.stop_ns = c->ns[step->thread],
		.activity = step->at,
		.flags = step->kind == ES__GRAPH_LEAVE ? step->flags : 0,
	};

	c->ns[step->thread] = segment.start_ns;
	if (c->thread == step->thread && (step->ns != 0 || segment.flags != 0))
		c->no_memory |= !c->take(c->to, &segment);
}

/* Takes the token from a thread that waited.  A wait that settle.c took back
   has the length 0. */
static void
critical_wait(struct critical *c, const struct es__graph_step *step)
{
	if (c->thread == step->thread && step->ns > 0) {
		c->until_ns = c->ns[step->thread];
		c->waiting = step->thread;
		c->thread = PATHS_NONE;
		c->flight++;
	}
	c->ns[step->thread] -= step->ns;
}

/* Offers the token to the other slot of a step JOIN. */
static void
critical_join(struct critical *c, const struct es__graph_step *step)
{
	if (c->thread != PATHS_NONE || c->offered[step->at] != c->flight)
		return;
	c->offered[step->ns] = c->flight;
	if (step->flags & ES__GRAPH_NEW)
		c->offered[step->at] = 0;
}

static void
critical_post(struct critical *c, const struct es__graph_step *step)
{
	if (c->thread != PATHS_NONE || c->offered[step->at] != c->flight)
		return;
	c->offered[step->at] = 0;
	if (c->ns[step->thread] == c->until_ns)
		c->thread = step->thread;
}

static void
critical_step(struct critical *c, const struct es__graph_step *step)
{
	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
	case ES__GRAPH_LEAVE:
		critical_add(c, step);
		break;
	case ES__GRAPH_WAITED:
		critical_wait(c, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
		if (c->waiting == step->thread &&
		    (step->flags & ES__GRAPH_BINDS)) {
			c->offered[step->at] = c->flight;
			c->waiting = PATHS_NONE;
		}
		break;
	case ES__GRAPH_JOIN:
		critical_join(c, step);
		break;
	case ES__GRAPH_POST:
		critical_post(c, step);
		break;
	}
}

static paths_status
critical_steps(struct critical *c, const struct es__graph *graph)
{
	struct es__graph_reader reader = es__graph_read(graph, true);
	uint32_t count = 1;

	while (count > 0 && !c->no_memory) {
		const struct es__graph_step *steps =
		    es__graph_read_block(&reader, &count);

		for (uint32_t n = count; n-- > 0;)
			critical_step(c, &steps[n]);
	}
	return c->no_memory ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for a path") :
	    PATHS_OK;
}

paths_status
es__graph_critical(const struct es__graph *graph, es__graph_segment_take *take,
    void *to)
{
	struct critical c = { .take = take, .to = to, .waiting = PATHS_NONE };
	paths_status st = PATHS_ENOMEM;

	c.ns = malloc(((size_t)graph->thread_count + 1) * sizeof(*c.ns));
	c.offered = calloc((size_t)graph->slot_count + 1, sizeof(*c.offered));
	if (c.ns == NULL || c.offered == NULL)
		(void)paths_log_fail(st, "no memory for a path");
	else
		st = PATHS_OK;
	for (uint32_t t = 0; st == PATHS_OK && t < graph->thread_count; t++) {
		c.ns[t] = graph->end_ns[t];
		if (c.ns[t] > c.ns[c.thread])
			c.thread = t;
	}
	if (st == PATHS_OK)
		st = critical_steps(&c, graph);
	free(c.ns);
	free(c.offered);
	return st;
}
