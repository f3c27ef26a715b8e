/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/walk_private.h - follows a sequence through the loops of its
 * graph
 *
 * An *instance* of a loop lasts from entering the loop to leaving it.  The
 * iterations of a loop are numbered from 0, through all its instances.  Calls
 * before the first header of an instance are in no iteration.
 */

#ifndef SCOPES_PHASE_WALK_PRIVATE_H
#define SCOPES_PHASE_WALK_PRIVATE_H

#include "scopes/phase/nest_private.h"

/* A loop while it is followed. */
struct es__phase_state {
	/* Number of iterations that have begun, in all instances. */
	uint64_t number;
	/* Number of iterations that have begun in this instance. */
	uint64_t instance;
	uint64_t begin; /* event at which the last one began */
};

struct es__phase_walk;

/* Receiver of iterations. */
struct es__phase_to {
	/* Iteration number state->number - 1 begins, at the event state->begin.
	   `again`: it follows another iteration of the same instance, which
	   began at the event `before`. */
	void (*begin)(struct es__phase_to *to, uint32_t loop,
	    const struct es__phase_state *state, bool again, uint64_t before);
	/* An instance of a loop has ended; `event` is the first event after
	   it. */
	void (*leave)(struct es__phase_to *to, uint32_t loop,
	    const struct es__phase_state *state, uint64_t event);
	/* An edge is taken from a node in a loop; NULL: do not call. */
	void (*step)(struct es__phase_to *to, uint32_t node, uint32_t edge,
	    const struct es__phase_state *state);
};

struct es__phase_walk {
	struct es__phase_graph *graph;
	const struct es__phase_nest *nest;
	struct es__phase_state *states; /* of each loop */
	struct es__phase_to *to;
	uint32_t node; /* current node of the sequence */
	uint32_t at;   /* node whose loops are current */
	/* Number of events that may still belong to a loop that was left. */
	unsigned ghost;
	uint64_t event; /* event of the node */
};

/*
 * es__phase_walk_open - begin to follow a sequence
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__phase_walk_close, also on failure
 */
paths_status es__phase_walk_open(struct es__phase_walk *walk,
    struct es__phase_graph *graph, const struct es__phase_nest *nest,
    struct es__phase_to *to) PATHS_CHECKED;
void es__phase_walk_close(struct es__phase_walk *walk);

/*
 * es__phase_walk_add - follow symbols
 * es__phase_walk_end - end the sequence
 *
 * The symbols must be those from which the graph was made.  Returns PATHS_OK,
 * or PATHS_EDAMAGED if they are not.
 */
paths_status es__phase_walk_add(struct es__phase_walk *walk,
    const uint32_t *symbols, size_t count) PATHS_CHECKED;
paths_status es__phase_walk_end(struct es__phase_walk *walk) PATHS_CHECKED;

#endif
