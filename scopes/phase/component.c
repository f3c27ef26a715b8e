/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/component.c - strongly connected components of a set of nodes
 *
 * Source	Tarjan: Depth-first search and linear graph algorithms
 */

#include "scopes/phase/component_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

paths_status
es__phase_set_open(struct es__phase_nest *nest,
    const struct es__phase_set *like, struct es__phase_set *set)
{
	*set = (struct es__phase_set){ .parent = like->parent,
		.region = ++nest->region_last,
		.nodes =
		    malloc((like->count + (size_t)1) * sizeof(*set->nodes)) };
	return set->nodes != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for loops");
}

paths_status
es__phase_set_search(struct es__phase_nest *nest, struct es__phase_set *set)
{
	if (!paths__array_grow(&nest->sets, nest->set_count, &nest->set_room,
		sizeof(*nest->sets)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for loops");
	nest->sets[nest->set_count++] = *set;
	set->nodes = NULL;
	return PATHS_OK;
}

/* A depth-first search. */
struct search {
	struct es__phase_nest *nest;
	const struct es__phase_set *set;
	uint32_t next;	      /* index of the next node that is found */
	uint32_t frame_count; /* nodes on the path from the root */
	uint32_t stack_count; /* nodes whose component is not complete */
};

static void
search_enter(struct search *s, uint32_t node)
{
	struct es__phase_nest *nest = s->nest;

	nest->index[node] = nest->low[node] = ++s->next;
	nest->frames[s->frame_count++] = node;
	nest->stack[s->stack_count++] = node;
	nest->cursor[node] = nest->graph->nodes[node].out;
}

/* Follows the next edge of a node.  Returns false after the last. */
static bool
search_edge(struct search *s, uint32_t node)
{
	struct es__phase_nest *nest = s->nest;
	uint32_t edge = nest->cursor[node], to;

	if (edge == ES__PHASE_NONE)
		return false;
	nest->cursor[node] = nest->graph->edges[edge].out;
	to = nest->graph->edges[edge].to;
	if (nest->back_of[edge] != ES__PHASE_NONE ||
	    nest->region[to] != s->set->region)
		return true;
	if (nest->index[to] == 0)
		search_enter(s, to);
	else if (nest->index[to] < nest->low[node])
		nest->low[node] = nest->index[to];
	return true;
}

static bool
node_repeats(const struct es__phase_nest *nest, uint32_t node)
{
	uint32_t edge = nest->graph->nodes[node].out;

	while (edge != ES__PHASE_NONE &&
	    (nest->graph->edges[edge].to != node ||
		nest->back_of[edge] != ES__PHASE_NONE))
		edge = nest->graph->edges[edge].out;
	return edge != ES__PHASE_NONE;
}

/* Makes a set of the component whose first node is `node`. */
static paths_status
search_component(struct search *s, uint32_t node)
{
	struct es__phase_nest *nest = s->nest;
	struct es__phase_set component;
	paths_status st = es__phase_set_open(nest, s->set, &component);
	uint32_t other;

	if (st != PATHS_OK)
		return st;
	do {
		other = nest->stack[--s->stack_count];
		es__phase_set_add(nest, &component, other);
	} while (other != node);
	if (component.count == 1 && !node_repeats(nest, node)) {
		free(component.nodes);
		return PATHS_OK;
	}
	component.found = true;
	return es__phase_set_search(nest, &component);
}

static paths_status
search_root(struct search *s, uint32_t root)
{
	struct es__phase_nest *nest = s->nest;
	paths_status st = PATHS_OK;

	search_enter(s, root);
	while (st == PATHS_OK && s->frame_count > 0) {
		uint32_t node = nest->frames[s->frame_count - 1], up;

		if (search_edge(s, node))
			continue;
		s->frame_count--;
		if (nest->low[node] == nest->index[node])
			st = search_component(s, node);
		if (s->frame_count == 0)
			continue;
		up = nest->frames[s->frame_count - 1];
		if (nest->low[node] < nest->low[up])
			nest->low[up] = nest->low[node];
	}
	return st;
}

paths_status
es__phase_set_components(struct es__phase_nest *nest,
    const struct es__phase_set *set)
{
	struct search s = { .nest = nest, .set = set };
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < set->count; n++)
		nest->index[set->nodes[n]] = 0;
	for (uint32_t n = 0; st == PATHS_OK && n < set->count; n++)
		if (nest->index[set->nodes[n]] == 0)
			st = search_root(&s, set->nodes[n]);
	return st;
}
