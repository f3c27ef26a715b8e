/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes_private.h - the causes of waiting
 *
 * A wait has the length W.  Since the two threads were last synchronised, the
 * late one had delays of D in all, and waited for P.  W is shared among these
 * in proportion: a delay d causes W d / (D + P) at once (short term).  The
 * share of P is passed on to what that thread waited for, and so on, which
 * makes costs of delays in other threads (long term).  All costs together are
 * the time that all threads waited.
 *
 * Source	Boehme, Geimer, Arnold, Voigtlaender, Wolf: Identifying the
 *		Root Causes of Wait States in Large-Scale Parallel Applications,
 *		2016
 */

#ifndef SCOPES_GRAPH_CAUSES_PRIVATE_H
#define SCOPES_GRAPH_CAUSES_PRIVATE_H

#include "scopes/graph/causes_find_private.h"

/* Sums of a thread and a class of activities, in ns. */
struct es__graph_cause {
	/* Waiting of other threads that its delays caused. */
	double short_term, long_term;
	/* Its own waiting, in operations of the class: by delays of the thread
	   that it waited for, and by what that waited for. */
	double direct, indirect;
	/* Part of its own waiting that let others wait. */
	double propagating;
};

struct es__graph_causes {
	uint32_t thread_count, class_count;
	struct es__graph_cause *list; /* class_count of each thread */
	double waited;		      /* by all threads */
};

/*
 * es__graph_causes - find the causes of all waiting
 *
 * graph	finished
 * dir		directory for a temporary file, as for es__spool_open
 * causes	out
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller frees causes->list
 */
paths_status es__graph_causes(const struct es__graph *graph,
    const struct es__graph_classes *classes, const char *dir,
    struct es__graph_causes *causes) PATHS_CHECKED;

/* Finds causes, in a reading of the graph that other passes share. */
struct es__graph_causing {
	const struct es__graph *graph;
	struct es__spool waits;
	struct es__graph_find *find; /* has the pass: es__graph_find_pass */
	/* Gets the waits in the end, and the caller closes it; NULL: they are
	   dropped. */
	struct es__spool *kept;
	bool measured; /* only waits inside the measured interval count */
	struct es__graph_causes causes;
};

/* Begins to find causes, as es__graph_causes.  PATHS_OK; PATHS_EIO;
   PATHS_ENOMEM.  The caller calls es__graph_causes_end, also on failure. */
paths_status es__graph_causes_begin(const struct es__graph *graph,
    const struct es__graph_classes *classes, const char *dir,
    struct es__graph_causing *causing) PATHS_CHECKED;

/*
 * es__graph_causes_end - find the causes of the waits that the pass has found
 *
 * st		PATHS_OK; or why the waits are not known, which is returned
 * causes	out
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller frees causes->list
 */
paths_status es__graph_causes_end(struct es__graph_causing *causing,
    paths_status st, struct es__graph_causes *causes) PATHS_CHECKED;

#endif
