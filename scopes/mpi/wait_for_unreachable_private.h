/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_unreachable_private.h - the wait-for graph of a run, and
 * its unreachable set: the ranks that can never go on
 *
 * A node is a thread.  It waits for all or for any of its arcs, and an arc
 * leads to the ranks that could end the wait, all of them together or any
 * alone.  A rank goes on when one of its threads does.  The unreachable set is
 * what remains when every node that can go on has gone on: each cycle in it is
 * a deadlock.
 *
 * Source	Hilbrich and others: distributed wait state tracking for
 *		runtime MPI deadlock detection, the AND and OR model
 */

#ifndef SCOPES_MPI_WAIT_FOR_UNREACHABLE_PRIVATE_H
#define SCOPES_MPI_WAIT_FOR_UNREACHABLE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum es__wait_for_mode {
	ES__WAIT_FOR_NOTHING, /* it goes on, or may */
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
	enum es__wait_for_mode arcs; /* ALL or ANY of them; NOTHING */
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
	bool *unreachable; /* in the set; ranks that have ended are too */
	uint32_t *next;	   /* a rank of the set that it waits for; NONE */
};

/* Finds the unreachable set: fills in everything that is `out`. */
void es__wait_for_unreachable(struct es__wait_for_graph *graph);

/*
 * es__wait_for_unreachable_cycle - follow `next` from a rank to a cycle
 *
 * seen		of each rank: a mark of an earlier call, or NONE; ranks on the
 *		way get `mark`
 * mark		not used by an earlier call
 * start	out: the first rank of the cycle; the last rank of the way when
 *		it ends; NONE when the way meets one that was seen before
 *
 * Returns	how many ranks the cycle has; 0: there is none
 */
uint32_t es__wait_for_unreachable_cycle(const struct es__wait_for_graph *graph,
    uint32_t rank, uint32_t *seen, uint32_t mark, uint32_t *start);

#endif
