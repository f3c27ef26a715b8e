/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/graph_private.h - makes the transition graph of a sequence of
 * symbols
 *
 * A node stands for `order` consecutive symbols.  With order 1, the nodes are
 * the symbols.  Higher orders distinguish the different uses of a symbol, such
 * as the only call site in a function that is called from many places.
 *
 * A node belongs to the event of its first symbol.  So the node of an event is
 * known only after the next order - 1 events have been read.
 */

#ifndef SCOPES_PHASE_GRAPH_PRIVATE_H
#define SCOPES_PHASE_GRAPH_PRIVATE_H

#include "libpaths/base/hash.h"
#include "libpaths/status.h"

/* Value in place of a symbol, behind the last symbol of a sequence.  No symbol
   has this value. */
#define ES__PHASE_END UINT32_MAX
#define ES__PHASE_NONE UINT32_MAX
#define ES__PHASE_ORDER_MAX 8u

struct es__phase_node {
	/* ES__PHASE_END: it is before the first or after the last symbol. */
	uint32_t symbol;
	uint32_t likely; /* edge that was taken last */
	uint32_t out;	 /* first edge; ES__PHASE_NONE: none */
	uint64_t count;
	uint64_t first, last; /* numbers of the first and last event */
};

struct es__phase_edge {
	uint32_t from, to;
	uint32_t symbol; /* symbol that was read */
	uint32_t out;	 /* next edge of `from` */
	uint64_t count;
};

struct es__phase_graph {
	unsigned order;
	struct es__phase_node *nodes; /* 0: before the first event */
	struct es__phase_edge *edges;
	size_t node_count, node_room, edge_count, edge_room;
	struct paths__hash steps;  /* edges by node and symbol */
	struct paths__hash states; /* nodes by symbols */
	uint32_t window[ES__PHASE_ORDER_MAX];
	uint32_t at;	 /* node */
	uint64_t events; /* number of symbols read */
	bool full;	 /* there are too many nodes or edges */
};

/*
 * es__phase_graph_open - make an empty graph
 *
 * order	from 1 to ES__PHASE_ORDER_MAX
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__phase_graph_close, also on failure
 */
paths_status es__phase_graph_open(struct es__phase_graph *graph, unsigned order)
    PATHS_CHECKED;
void es__phase_graph_close(struct es__phase_graph *graph);

/*
 * es__phase_graph_add - add symbols to the sequence
 * es__phase_graph_end - end the sequence
 *
 * When the graph is full, further symbols are ignored.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__phase_graph_add(struct es__phase_graph *graph,
    const uint32_t *symbols, size_t count) PATHS_CHECKED;
paths_status es__phase_graph_end(struct es__phase_graph *graph) PATHS_CHECKED;

/* Returns the edge from a node for a symbol; ES__PHASE_NONE: there is none. */
uint32_t es__phase_graph_find(struct es__phase_graph *graph, uint32_t node,
    uint32_t symbol);

/* As es__phase_graph_find, but tries the edge first that was taken last. */
static inline uint32_t
es__phase_graph_step(struct es__phase_graph *graph, uint32_t node,
    uint32_t symbol)
{
	uint32_t likely = graph->nodes[node].likely;

	if (likely != ES__PHASE_NONE && graph->edges[likely].symbol == symbol)
		return likely;
	return es__phase_graph_find(graph, node, symbol);
}

#endif
