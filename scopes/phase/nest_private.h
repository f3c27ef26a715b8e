/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/nest_private.h - finds the nested loops of a transition graph
 *
 * A loop is a strongly connected component of the graph.  It is entered at its
 * header, and an iteration begins whenever the header is reached.  If the edges
 * back to the header are removed, the components of the remaining nodes are the
 * inner loops.  So no special care is needed for calls that are made only in
 * some iterations, for inner loops of any length, and for iterations that end
 * early.
 *
 * A component with several entries is a loop if its entries are alternatives
 * for the first call of an iteration.  Otherwise it is irregular, like the
 * components of random sequences.
 *
 * Source	Steensgaard: Sequentializing program dependence graphs for
 *		irreducible programs (nested components); Havlak: Nesting of
 *		reducible and irreducible loops
 */

#ifndef SCOPES_PHASE_NEST_PRIVATE_H
#define SCOPES_PHASE_NEST_PRIVATE_H

#include "scopes/phase/graph_private.h"

struct es__phase_loop {
	/* Enclosing loop, which has a smaller number; ES__PHASE_NONE: none. */
	uint32_t parent;
	uint32_t depth;	 /* 0: outermost */
	uint32_t header; /* node; of several, the first */
	uint32_t header_first, header_count;
	uint32_t symbols; /* number of its nodes, including inner loops */
	uint64_t events;  /* number of its events, including inner loops */
	bool irregular;	  /* it has no header, and therefore no iterations */
	bool shared;	  /* an inner loop begins with the same call */
	/* Iterations do not begin at the node where the loop is entered. */
	bool turned;
};

struct es__phase_nest {
	const struct es__phase_graph *graph;
	struct es__phase_loop *loops;
	size_t loop_count, loop_room;
	uint32_t *loop_of; /* innermost loop of each node */
	uint32_t *back_of; /* loop of which an edge begins an iteration */
	uint32_t *headers;
	size_t header_count, header_room;
	/* Some components are irregular, but may be loops in a graph of higher
	   order. */
	bool unclear;
	/* Work space. */
	/* First edge to each node, and the next edge to the same node. */
	uint32_t *in, *in_next;
	uint32_t *region; /* set in which a node is */
	uint32_t region_last;
	uint32_t *mark, *index, *low, *cursor, *stack, *frames;
	uint32_t *chosen; /* edges back to a header */
	uint32_t mark_last;
	/* For each node: it comes after a loop that it seems to be in. */
	bool *late;
	/* For each header: the node where iterations begin instead (turn); a
	   second node where iterations begin (other); no inner loop begins at
	   the header (merge). */
	uint32_t *turn, *other;
	bool *merge;
	struct es__phase_set *sets;
	size_t set_count, set_room;
};

/*
 * es__phase_nest_make - find the loops of a graph
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__phase_nest_close, also on failure; borrows
 *		the graph until then
 */
paths_status es__phase_nest_make(struct es__phase_nest *nest,
    const struct es__phase_graph *graph) PATHS_CHECKED;

/* Finds the loops again, after a change of nest->turn, nest->other or
   nest->merge.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__phase_nest_again(struct es__phase_nest *nest) PATHS_CHECKED;
void es__phase_nest_close(struct es__phase_nest *nest);

/* Returns whether a loop is `outer` or inside of it. */
static inline bool
es__phase_nest_inside(const struct es__phase_nest *nest, uint32_t loop,
    uint32_t outer)
{
	while (loop != ES__PHASE_NONE &&
	    nest->loops[loop].depth > nest->loops[outer].depth)
		loop = nest->loops[loop].parent;
	return loop == outer;
}

/* Returns whether an iteration of a loop begins with a node. */
static inline bool
es__phase_nest_begins(const struct es__phase_nest *nest, uint32_t loop,
    uint32_t node)
{
	const struct es__phase_loop *l = &nest->loops[loop];

	for (uint32_t n = 0; n < l->header_count; n++)
		if (nest->headers[l->header_first + n] == node)
			return true;
	return false;
}

#endif
