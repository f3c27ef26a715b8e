/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/graph.c - transition graph of a sequence of symbols
 *
 * The edge that a node took last is tried first: in a loop it is nearly always
 * the right one.  Other edges are found in a hash table.
 */

#include "scopes/phase/graph_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* Programs have fewer call sites.  Random sequences have more nodes as the
   order grows. */
#define NODES_MAX ((size_t)1 << 13)
#define EDGES_MAX ((size_t)1 << 14)

struct step {
	uint64_t key; /* node and symbol, + 1 */
	uint32_t edge;
};

struct state {
	uint64_t key; /* hash of the symbols, never 0 */
	uint32_t node;
};

static uint64_t
graph_mix(uint64_t value)
{
	value ^= value >> 31;
	value *= UINT64_C(0x9e3779b97f4a7c15);
	return value ^ value >> 29;
}

static bool
key_used(const void *item)
{
	return *(const uint64_t *)item != 0;
}

static uint64_t
key_hash(const void *item)
{
	return graph_mix(*(const uint64_t *)item);
}

static bool
key_equal(const void *a, const void *b)
{
	return *(const uint64_t *)a == *(const uint64_t *)b;
}

static const struct paths__hash_kind steps_kind = { sizeof(struct step),
	key_used, key_hash, key_equal };
static const struct paths__hash_kind states_kind = { sizeof(struct state),
	key_used, key_hash, key_equal };

static uint64_t
step_key(uint32_t node, uint32_t symbol)
{
	return ((uint64_t)node << 32 | symbol) + 1;
}

uint32_t
es__phase_graph_find(struct es__phase_graph *graph, uint32_t node,
    uint32_t symbol)
{
	const struct step step = { .key = step_key(node, symbol) };
	const struct step *found =
	    paths__hash_find(&graph->steps, &steps_kind, &step);

	if (found == NULL)
		return ES__PHASE_NONE;
	graph->nodes[node].likely = found->edge;
	return found->edge;
}

static uint64_t
window_key(const struct es__phase_graph *graph)
{
	uint64_t key = 0x51ed;

	for (unsigned n = 0; n < graph->order; n++)
		key = graph_mix(key ^ graph->window[n]) +
		    UINT64_C(0x2545f4914f6cdd1d);
	return key | 1;
}

/* Returns the node of the symbols in the window; ES__PHASE_NONE: no memory. */
static uint32_t
graph_node(struct es__phase_graph *graph)
{
	struct state state = { .key = window_key(graph),
		.node = (uint32_t)graph->node_count };
	const struct state *slot =
	    paths__hash_put(&graph->states, &states_kind, &state);

	if (slot == NULL)
		return ES__PHASE_NONE;
	if (slot->node < graph->node_count)
		return slot->node;
	if (!paths__array_grow(&graph->nodes, graph->node_count,
		&graph->node_room, sizeof(*graph->nodes)))
		return ES__PHASE_NONE;
	graph->nodes[graph->node_count] =
	    (struct es__phase_node){ .symbol = graph->window[0],
		    .likely = ES__PHASE_NONE,
		    .out = ES__PHASE_NONE };
	return (uint32_t)graph->node_count++;
}

/* Adds an edge from the current node to that of the window. */
static uint32_t
graph_edge(struct es__phase_graph *graph, uint32_t symbol)
{
	struct step step = { .key = step_key(graph->at, symbol),
		.edge = (uint32_t)graph->edge_count };
	uint32_t to = graph_node(graph);

	if (to == ES__PHASE_NONE ||
	    !paths__array_grow(&graph->edges, graph->edge_count,
		&graph->edge_room, sizeof(*graph->edges)) ||
	    paths__hash_put(&graph->steps, &steps_kind, &step) == NULL)
		return ES__PHASE_NONE;
	graph->edges[graph->edge_count] =
	    (struct es__phase_edge){ .from = graph->at,
		    .to = to,
		    .symbol = symbol,
		    .out = graph->nodes[graph->at].out };
	graph->nodes[graph->at].out = step.edge;
	graph->nodes[graph->at].likely = step.edge;
	graph->edge_count++;
	graph->full =
	    graph->node_count > NODES_MAX || graph->edge_count > EDGES_MAX;
	return step.edge;
}

paths_status
es__phase_graph_open(struct es__phase_graph *graph, unsigned order)
{
	*graph = (struct es__phase_graph){ .order = order };
	for (unsigned n = 0; n < order; n++)
		graph->window[n] = ES__PHASE_END;
	return graph_node(graph) == 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a graph of calls");
}

void
es__phase_graph_close(struct es__phase_graph *graph)
{
	free(graph->nodes);
	free(graph->edges);
	free(graph->steps.slots);
	free(graph->states.slots);
	*graph = (struct es__phase_graph){ .order = 0 };
}

static void
window_push(struct es__phase_graph *graph, uint32_t symbol)
{
	for (unsigned n = 1; n < graph->order; n++)
		graph->window[n - 1] = graph->window[n];
	graph->window[graph->order - 1] = symbol;
}

paths_status
es__phase_graph_add(struct es__phase_graph *graph, const uint32_t *symbols,
    size_t count)
{
	for (size_t n = 0; n < count && !graph->full; n++) {
		uint32_t edge =
		    es__phase_graph_step(graph, graph->at, symbols[n]);
		struct es__phase_node *node;

		window_push(graph, symbols[n]);
		if (edge == ES__PHASE_NONE)
			edge = graph_edge(graph, symbols[n]);
		if (edge == ES__PHASE_NONE)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a graph of calls");
		graph->edges[edge].count++;
		graph->at = graph->edges[edge].to;
		node = &graph->nodes[graph->at];
		node->last = graph->events++;
		if (node->count++ == 0)
			node->first = node->last;
	}
	return PATHS_OK;
}

paths_status
es__phase_graph_end(struct es__phase_graph *graph)
{
	const uint32_t end = ES__PHASE_END;
	paths_status st = PATHS_OK;

	for (unsigned n = 0; st == PATHS_OK && n < graph->order; n++)
		st = es__phase_graph_add(graph, &end, 1);
	return st;
}
