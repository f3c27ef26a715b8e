/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes_find_private.h - finds by what the late thread of each
 * wait was late
 *
 * The waiting and the late thread were last synchronised when one of them
 * waited for the other, or in a collective of both.  From that moment to the
 * end of the wait, the late thread spent more time in some activities than the
 * waiting one did: these are delays.  It also may have waited itself.  If
 * classes are net, delays are reduced in proportion to what it spent more in
 * all activities.
 */

#ifndef SCOPES_GRAPH_CAUSES_FIND_PRIVATE_H
#define SCOPES_GRAPH_CAUSES_FIND_PRIVATE_H

#include "scopes/graph/classes_private.h"
#include "scopes/graph/pass_private.h"

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

/* Finds the waits of a graph. */
struct es__graph_find;

/*
 * es__graph_find_begin - begin to write the waits of a graph, in the order of
 * its log
 *
 * Leaves out those at the begin of the measured interval.
 *
 * waits	opened and empty
 * find		out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	borrows all; the caller calls es__graph_find_end
 */
paths_status es__graph_find_begin(const struct es__graph *graph,
    const struct es__graph_classes *classes, struct es__spool *waits,
    struct es__graph_find **find) PATHS_CHECKED;

struct es__graph_pass es__graph_find_pass(struct es__graph_find *find);

/* find		NULL: nothing happens */
void es__graph_find_end(struct es__graph_find *find);

#endif
