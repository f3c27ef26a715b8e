/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/walk.c - follows a sequence through the loops of its graph
 *
 * The node of an event has the symbols of later events, too.  With an order
 * above 1, the last calls of the last iteration are therefore not in the loop,
 * because the node has symbols of what follows the loop.  These events are
 * followed in the loop by their first symbol alone.
 */

#include "scopes/phase/walk_private.h"

#include "libpaths/log.h"

/* As many as loops that contain each other, and one. */
#define LEVELS 34u

static void
loop_begin(struct es__phase_walk *w, uint32_t loop)
{
	struct es__phase_state *state = &w->states[loop];
	uint64_t before = state->begin;

	state->begin = w->event;
	state->number++;
	state->instance++;
	w->to->begin(w->to, loop, state, state->instance > 1, before);
}

static void
loops_leave(struct es__phase_walk *w, uint32_t loop, uint32_t outer)
{
	while (loop != outer) {
		w->to->leave(w->to, loop, &w->states[loop], w->event);
		loop = w->nest->loops[loop].parent;
	}
}

/* Enters the loops from one below `outer` to `loop`. */
static void
loops_enter(struct es__phase_walk *w, uint32_t loop, uint32_t outer,
    uint32_t node)
{
	uint32_t entered[LEVELS], count = 0;

	for (; loop != outer; loop = w->nest->loops[loop].parent)
		entered[count++] = loop;
	while (count > 0) {
		loop = entered[--count];
		w->states[loop].instance = 0;
		if (!w->nest->loops[loop].irregular &&
		    es__phase_nest_begins(w->nest, loop, node))
			loop_begin(w, loop);
	}
}

/* Returns the innermost loop that two loops are in, or are. */
static uint32_t
loops_common(const struct es__phase_nest *nest, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (a == ES__PHASE_NONE || b == ES__PHASE_NONE)
			return ES__PHASE_NONE;
		if (nest->loops[a].depth >= nest->loops[b].depth)
			a = nest->loops[a].parent;
		else
			b = nest->loops[b].parent;
	}
	return a;
}

/* Goes from the current node along an edge. */
static void
walk_go(struct es__phase_walk *w, uint32_t edge, uint32_t node)
{
	uint32_t from = w->nest->loop_of[w->at];
	uint32_t to = w->nest->loop_of[node];
	uint32_t back =
	    edge == ES__PHASE_NONE ? ES__PHASE_NONE : w->nest->back_of[edge];
	uint32_t common;

	if (from != to || back != ES__PHASE_NONE) {
		common = back != ES__PHASE_NONE ?
		    back :
		    loops_common(w->nest, from, to);
		loops_leave(w, from, common);
		if (back != ES__PHASE_NONE)
			loop_begin(w, back);
		loops_enter(w, to, common, node);
	}
	w->at = node;
}

/* Returns the edge that stays in the loop that the current node is in, and
   leads to the symbol of a node; ES__PHASE_NONE: there is none. */
static uint32_t
walk_ghost(const struct es__phase_walk *w, uint32_t node)
{
	const struct es__phase_graph *graph = w->graph;
	uint32_t e = graph->nodes[w->at].out;

	for (; e != ES__PHASE_NONE; e = graph->edges[e].out) {
		uint32_t to = graph->edges[e].to;

		if (graph->nodes[to].symbol == graph->nodes[node].symbol &&
		    w->nest->loop_of[to] != ES__PHASE_NONE)
			return e;
	}
	return ES__PHASE_NONE;
}

static void
walk_node(struct es__phase_walk *w, uint32_t edge, uint32_t node)
{
	uint32_t from = w->nest->loop_of[w->at], ghost;

	if (w->nest->loop_of[node] != ES__PHASE_NONE) {
		w->ghost = w->graph->order - 1;
		walk_go(w, w->at == w->node ? edge : ES__PHASE_NONE, node);
		return;
	}
	if (from != ES__PHASE_NONE && w->ghost > 0) {
		w->ghost--;
		ghost = walk_ghost(w, node);
		if (ghost != ES__PHASE_NONE) {
			walk_go(w, ghost, w->graph->edges[ghost].to);
			return;
		}
	}
	walk_go(w, ES__PHASE_NONE, node);
}

paths_status
es__phase_walk_add(struct es__phase_walk *walk, const uint32_t *symbols,
    size_t count)
{
	for (size_t n = 0; n < count; n++) {
		uint32_t edge =
		    es__phase_graph_step(walk->graph, walk->node, symbols[n]);
		uint32_t node;

		if (edge == ES__PHASE_NONE)
			return paths_log_fail(PATHS_EDAMAGED,
			    "the calls are not those that loops were found in");
		node = walk->graph->edges[edge].to;
		walk->event++;
		if (walk->to->step != NULL && walk->at == walk->node &&
		    walk->nest->loop_of[walk->at] != ES__PHASE_NONE)
			walk->to->step(walk->to, walk->at, edge,
			    &walk->states[walk->nest->loop_of[walk->at]]);
		walk_node(walk, edge, node);
		walk->node = node;
	}
	return PATHS_OK;
}

paths_status
es__phase_walk_end(struct es__phase_walk *walk)
{
	const uint32_t end = ES__PHASE_END;
	paths_status st = PATHS_OK;

	for (unsigned n = 0; st == PATHS_OK && n < walk->graph->order; n++)
		st = es__phase_walk_add(walk, &end, 1);
	return st;
}

paths_status
es__phase_walk_open(struct es__phase_walk *walk, struct es__phase_graph *graph,
    const struct es__phase_nest *nest, struct es__phase_to *to)
{
	*walk = (struct es__phase_walk){ .graph = graph,
		.nest = nest,
		.to = to,
		.event = 0 - (uint64_t)graph->order };
	walk->states = calloc(nest->loop_count + 1, sizeof(*walk->states));
	return walk->states != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for loops");
}

void
es__phase_walk_close(struct es__phase_walk *walk)
{
	free(walk->states);
	walk->states = NULL;
}
