/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes_find_private.h - finds, for each wait, the activities in
 * which the late thread lost time
 *
 * The waiting thread and the late thread were last synchronised when one of
 * them waited for the other, or in a collective of both.  From that moment to
 * the end of the wait, the late thread spent more time in some activities than
 * the waiting one did: these are delays.  The late thread may also have waited
 * itself.  If classes are net, the delays are scaled so that their sum is the
 * time that the late thread spent more in all activities together.
 */

#ifndef SCOPES_GRAPH_CAUSES_FIND_PRIVATE_H
#define SCOPES_GRAPH_CAUSES_FIND_PRIVATE_H

#include "scopes/graph/classes_private.h"
#include "scopes/graph/pass_private.h"

/* Record of a wait in the spool.  It is followed by its delays (struct
   es__graph_delay), then by the size of the record with its delays and of this
   number, in bytes (uint64_t). */
struct es__graph_wait {
	int64_t begin_ns; /* the threads were last synchronised */
	int64_t until_ns; /* the wait ended */
	int64_t wait_ns;
	int64_t delayed_ns; /* sum of its delays */
	/* Time that the late thread waited since begin_ns. */
	int64_t passed_ns;
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
 * Leaves out waits in the operations at whose end the measured interval begins.
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
