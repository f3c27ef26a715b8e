/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/nest_private.h - nested loops of a transition graph
 *
 * A loop is a strongly connected component.  It is entered at its header, and
 * an iteration begins whenever the header is reached.  Without the edges that
 * lead back to the header, the components of the rest are the inner loops.  So
 * calls that a program makes in some iterations only, inner loops of any
 * length, and iterations that end early need no special care.
 *
 * A component with several entries is a loop if its entries are alternatives
 * for the first call of an iteration.  Otherwise it is irregular, as those of
 * random sequences are.
 *
 * Source	Steensgaard: Sequentializing program dependence graphs for
 *		irreducible programs (nested components); Havlak: Nesting of
 *		reducible and irreducible loops
 */

#ifndef SCOPES_PHASE_NEST_PRIVATE_H
#define SCOPES_PHASE_NEST_PRIVATE_H

#include "scopes/phase/graph_private.h"

struct es__phase_loop {
	uint32_t parent; /* ES__PHASE_NONE: none; comes before its loops */
	uint32_t depth;	 /* 0: outermost */
	uint32_t header; /* node; of several, the first */
	uint32_t header_first, header_count;
	uint32_t symbols; /* nodes of the loop, inner ones included */
	uint64_t events;  /* in the loop, inner ones included */
	bool irregular;	  /* it has no header, so no iterations */
	bool shared;	  /* the inner loop begins with the same call */
	bool turned;	  /* an iteration does not begin where the loop does */
};

struct es__phase_nest {
	const struct es__phase_graph *graph;
	struct es__phase_loop *loops;
	size_t loop_count, loop_room;
	uint32_t *loop_of; /* innermost loop of each node */
	uint32_t *back_of; /* loop that an edge begins an iteration of */
	uint32_t *headers;
	size_t header_count, header_room;
	/* Parts that a higher order may explain. */
	bool unclear;
	/* Work. */
	uint32_t *in, *in_next; /* edges to each node, and the next one */
	uint32_t *region;	/* set that a node is in */
	uint32_t region_last;
	uint32_t *mark, *index, *low, *cursor, *stack, *frames;
	uint32_t *chosen; /* of edges back to a header */
	uint32_t mark_last;
	bool *late; /* it follows a loop that it seems to be in */
	/* For each header: node where iterations begin, or also begin; and no
	   inner loop begins with it. */
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

/* Finds them again, after a change of nest->turn, nest->other or
   nest->merge.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__phase_nest_again(struct es__phase_nest *nest) PATHS_CHECKED;
void es__phase_nest_close(struct es__phase_nest *nest);

/* Returns whether a loop is another one or inside of it. */
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
