/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/pass_private.h - several passes over a graph in one reading
 *
 * Passes in the same direction take each block of steps in turn, while caches
 * hold it.
 */

#ifndef SCOPES_GRAPH_PASS_PRIVATE_H
#define SCOPES_GRAPH_PASS_PRIVATE_H

#include "scopes/graph/graph_private.h"

struct es__graph_pass {
	void *self;
	/* Takes a block of steps, in the order of the log. */
	paths_status (*take)(void *self, const struct es__graph_step *steps,
	    uint32_t count);
};

/* Reads a graph that is finished, forward.  PATHS_OK; the first error of a
   pass. */
paths_status es__graph_pass(const struct es__graph *graph,
    const struct es__graph_pass *passes, size_t count) PATHS_CHECKED;

#endif
