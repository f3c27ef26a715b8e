/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/wait_for_unreachable_private.h - the wait-for graph of a run, and
 * its unreachable set: the ranks that can never continue
 *
 * In a run of programs on paths, a rank is a thread.
 *
 * A node is a thread.  A node waits for all or for any of its arcs.  An arc
 * leads to the ranks that can end the wait, either all of them together or any
 * of them alone.  A rank continues when one of its threads does.  Nodes that
 * can continue are removed until no further node can continue.  The remaining
 * nodes are the unreachable set.  Each cycle in it is a deadlock.
 *
 * Source	Hilbrich and others: distributed wait state tracking for
 *		runtime MPI deadlock detection, the AND and OR model
 */

#ifndef SCOPES_PATH_WAIT_FOR_UNREACHABLE_PRIVATE_H
#define SCOPES_PATH_WAIT_FOR_UNREACHABLE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum es__wait_for_mode {
	ES__WAIT_FOR_NOTHING, /* it continues, or may continue */
	ES__WAIT_FOR_ALL,
	ES__WAIT_FOR_ANY
};

struct es__wait_for_arc {
	enum es__wait_for_mode targets; /* ALL or ANY of them */
	size_t first;			/* of its targets */
	uint32_t count;			/* at least 1 */
};

struct es__wait_for_node {
	uint32_t rank;
	enum es__wait_for_mode arcs; /* ALL or ANY of them, or NOTHING */
	size_t first;		     /* of its arcs */
	uint32_t count;
	bool unreachable; /* out */
};

struct es__wait_for_graph {
	struct es__wait_for_node *nodes;
	uint32_t node_count, rank_count;
	struct es__wait_for_arc *arcs;
	uint32_t *targets; /* ranks */
	bool *ended;	   /* of each rank: its process has ended */
	/* Out, of each rank. */
	/* The rank is in the set; ranks that have ended also are. */
	bool *unreachable;
	uint32_t *next; /* rank of the set that it waits for, or PATHS_NONE */
};

/* Finds the unreachable set, and fills in the members that are out. */
void es__wait_for_unreachable(struct es__wait_for_graph *graph);

/*
 * es__wait_for_unreachable_cycle - follow `next` from a rank to a cycle
 *
 * seen		mark of each rank by an earlier call, or PATHS_NONE; the ranks
 *		that are visited get `mark`
 * mark		not used by an earlier call
 * start	out: the first rank of the cycle; without a cycle, the last rank
 *		visited; PATHS_NONE when a rank was reached that an earlier call
 *		has seen
 *
 * Returns	number of ranks in the cycle; 0: there is none
 */
uint32_t es__wait_for_unreachable_cycle(const struct es__wait_for_graph *graph,
    uint32_t rank, uint32_t *seen, uint32_t mark, uint32_t *start);

#endif
