/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/causes_private.h - finds the delays that caused the waiting of
 * all threads
 *
 * Let W be the length of a wait, D the sum of the delays of the late thread
 * since the two threads were last synchronised, and P the time that the late
 * thread itself waited since then.  Each delay d of the late thread is charged
 * W d / (D + P); this is its short-term cost.  The rest, W P / (D + P), is
 * charged in the same way to the delays that made the late thread wait, and so
 * on; this is their long-term cost.  All costs together are the time that all
 * threads waited.
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
	/* Its own waiting in operations of the class: caused by delays of the
	   thread that it waited for (direct), and by waits of that thread
	   (indirect). */
	double direct, indirect;
	/* Length of its own waits that made others wait. */
	double propagating;
};

struct es__graph_causes {
	uint32_t thread_count, class_count;
	struct es__graph_cause *list; /* class_count entries for each thread */
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

/* State of es__graph_causes_begin: finds causes while the graph is read once
   for several passes. */
struct es__graph_causing {
	const struct es__graph *graph;
	struct es__spool waits;
	struct es__graph_find *find; /* for es__graph_find_pass */
	/* es__graph_causes_end moves the waits here, and the caller closes it;
	   NULL: the waits are dropped. */
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
 * st		PATHS_OK, or the error of the pass, which is then returned
 * causes	out
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller frees causes->list
 */
paths_status es__graph_causes_end(struct es__graph_causing *causing,
    paths_status st, struct es__graph_causes *causes) PATHS_CHECKED;

#endif
