/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes_find_private.h - finds by what the late thread of each
 * wait was late
 *
 * The waiting and the late thread were last synchronised when one of them
 * waited for the other, or in a collective of both.  From that moment to the
 * end of the wait, the late thread spent more time in some activities than the
 * waiting one did: these are delays.  It also may have waited itself.
 */

#ifndef SCOPES_GRAPH_CAUSES_FIND_PRIVATE_H
#define SCOPES_GRAPH_CAUSES_FIND_PRIVATE_H

#include "scopes/graph/classes_private.h"
#include "scopes/graph/graph_private.h"

/* A wait.  It is followed by its delays, then by the number of bytes of all
   that (uint64_t). */
struct es__graph_wait {
	int64_t begin_ns; /* the threads were synchronised */
	int64_t until_ns; /* the wait ended */
	int64_t wait_ns;
	int64_t delayed_ns;    /* sum of its delays */
	int64_t passed_ns;     /* that the late thread waited since begin_ns */
	uint32_t waiter, late; /* threads */
	uint32_t class;	       /* of the operation that waited */
	uint32_t count;	       /* of delays */
};

struct es__graph_delay {
	int64_t ns;
	uint32_t class;
};

/*
 * es__graph_causes_find - write the waits of a graph, in the order of its log
 *
 * Leaves out those at the begin of the measured interval.
 *
 * waits	opened and empty; finished on success
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 */
paths_status es__graph_causes_find(const struct es__graph *graph,
    const struct es__graph_classes *classes, struct es__spool *waits)
    PATHS_CHECKED;

#endif
