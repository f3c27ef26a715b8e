/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/pass_private.h - makes several passes over a graph while its log
 * is read once
 *
 * Passes in the same direction take each block of steps one after the other,
 * while it is in the caches of the processor.
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

/* Reads a finished graph forward.  Returns PATHS_OK, or the first error of a
   pass. */
paths_status es__graph_pass(const struct es__graph *graph,
    const struct es__graph_pass *passes, size_t count) PATHS_CHECKED;

#endif
