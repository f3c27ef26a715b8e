/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/trees_private.h - the messages of collectives, by usual
 * algorithms
 */

#ifndef SCOPES_PLACEMENT_TREES_PRIVATE_H
#define SCOPES_PLACEMENT_TREES_PRIVATE_H

#include "scopes/mpi.h"

/* Messages from one rank to another one. */
struct es_place_messages {
	double count, bytes;
	/* Number of messages of each es_space_size_class; NULL: they are of the
	   same size. */
	const uint64_t *classes;
};

/* Takes traffic from a rank of the run to another one. */
struct es_place_edges {
	paths_status (*add)(void *to, uint32_t from, uint32_t target,
	    const struct es_place_messages *messages);
	void *to; /* first argument of add */
};

/*
 * Passes the messages of the collectives that a rank counted, and that have no
 * counts per peer, to a function.
 *
 * phase	of the run; PATHS_NONE: all
 *
 * Returns	PATHS_OK, or the first failure of the function
 */
paths_status es_place_trees(const struct es_mpi *mpi, uint32_t rank,
    uint32_t phase, const struct es_place_edges *edges) PATHS_CHECKED;

#endif
