/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/wait_for_unreachable.c - finds the unreachable set of a wait-for
 * graph
 *
 * Sweeps over the nodes and removes those that can continue from the set, until
 * a sweep removes none.
 */

#include "scopes/path/wait_for_unreachable_private.h"

#include "libpaths/map.h"

/* Returns a target of an arc that is in the set and keeps the arc from ending;
   PATHS_NONE: the wait for the arc can end. */
static uint32_t
arc_blocking(const struct es__wait_for_graph *g,
    const struct es__wait_for_arc *arc)
{
	uint32_t blocking = PATHS_NONE;

	for (uint32_t n = 0; n < arc->count; n++) {
		uint32_t target = g->targets[arc->first + n];

		if (!g->unreachable[target] && arc->targets == ES__WAIT_FOR_ANY)
			return PATHS_NONE;
		if (g->unreachable[target] && blocking == PATHS_NONE)
			blocking = target;
	}
	return blocking;
}

/* Returns a target in the set for which a node waits; PATHS_NONE: the node can
   continue. */
static uint32_t
node_blocking(const struct es__wait_for_graph *g,
    const struct es__wait_for_node *node)
{
	uint32_t blocking = PATHS_NONE;

	for (uint32_t n = 0; n < node->count; n++) {
		uint32_t target = arc_blocking(g, &g->arcs[node->first + n]);

		if (target == PATHS_NONE && node->arcs == ES__WAIT_FOR_ANY)
			return PATHS_NONE;
		if (blocking == PATHS_NONE)
			blocking = target;
	}
	return blocking;
}

/* Removes the nodes that can continue from the set.  Returns false if there
   were none. */
static bool
graph_sweep(struct es__wait_for_graph *g)
{
	bool moved = false;

	for (uint32_t n = 0; n < g->node_count; n++) {
		struct es__wait_for_node *node = &g->nodes[n];

		if (!node->unreachable ||
		    (node->arcs != ES__WAIT_FOR_NOTHING &&
			node_blocking(g, node) != PATHS_NONE))
			continue;
		node->unreachable = false;
		g->unreachable[node->rank] = false;
		moved = true;
	}
	return moved;
}

void
es__wait_for_unreachable(struct es__wait_for_graph *g)
{
	for (uint32_t r = 0; r < g->rank_count; r++) {
		g->unreachable[r] = g->ended[r];
		g->next[r] = PATHS_NONE;
	}
	for (uint32_t n = 0; n < g->node_count; n++) {
		struct es__wait_for_node *node = &g->nodes[n];

		node->unreachable = !g->ended[node->rank];
		if (node->unreachable)
			g->unreachable[node->rank] = true;
	}
	while (graph_sweep(g))
		;
	for (uint32_t n = 0; n < g->node_count; n++) {
		struct es__wait_for_node *node = &g->nodes[n];

		if (node->unreachable && g->next[node->rank] == PATHS_NONE)
			g->next[node->rank] = node_blocking(g, node);
	}
}

uint32_t
es__wait_for_unreachable_cycle(const struct es__wait_for_graph *g,
    uint32_t rank, uint32_t *seen, uint32_t mark, uint32_t *start)
{
	uint32_t count = 1;

	while (g->next[rank] != PATHS_NONE && seen[rank] == PATHS_NONE) {
		seen[rank] = mark;
		rank = g->next[rank];
	}
	*start = rank;
	if (seen[rank] == PATHS_NONE) { /* the last rank has ended */
		seen[rank] = mark;
		return 0;
	}
	if (seen[rank] != mark) {
		*start = PATHS_NONE;
		return 0;
	}
	for (uint32_t r = g->next[rank]; r != rank; r = g->next[r])
		count++;
	return count;
}
