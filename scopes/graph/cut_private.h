/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/cut_private.h - cuts windows of time out of a graph
 *
 * A window has the parts of all activities that are in its time.  The replay of
 * a window with an ideal network takes only the computations in it: a thread
 * computes for as long as it did in the window, and an operation ends when all
 * that it waits for has happened, which costs no time.  What happened before
 * the window is there when it begins.  So the ideal length of a window is that
 * of the longest chain of computations in it, each of which depends on the one
 * before it.  It is at least the time that any thread computes in the window,
 * and no longer than the window.
 *
 * Windows of a sequence may also be cut out as a whole: then one chain goes
 * through all of them, and the time between them has the length 0.
 */

#ifndef SCOPES_GRAPH_CUT_PRIVATE_H
#define SCOPES_GRAPH_CUT_PRIVATE_H

#include "scopes/graph/graph_private.h"

#include "libpaths/map.h"

struct es__graph_window {
	int64_t from_ns, to_ns; /* to_ns > from_ns */
};

/* The sums of a window, or of a sequence of windows as a whole. */
struct es__graph_cut {
	int64_t elapsed_ns;
	int64_t useful_ns;     /* of all members: outside of operations */
	int64_t useful_ns_max; /* of a member */
	/* The length with an ideal network; uncoupled: sends do not wait for
	   receives, either. */
	int64_t ideal_ns, uncoupled_ns;
	uint64_t operations; /* of members: calls that ended in it; operations
				on paths that began in it */
};

/* A sequence of windows, in the order of time, that do not overlap. */
struct es__graph_lane {
	const struct es__graph_window *windows;
	uint32_t window_count; /* at least 1 */
	bool whole;
	const bool *members; /* of each thread; NULL: all are */
	/* Results: one for each window, or one if whole. */
	struct es__graph_cut *cuts;
	int64_t *host_ns; /* useful time of the members on each host, for each
			     cut */
};

/* A graph that windows are cut from, and what is known of its threads. */
struct es__graph_cutting {
	const struct es__graph *graph; /* finished */
	bool paths;	       /* operations on paths, which have parts */
	const uint32_t *ranks; /* of each thread */
	const uint32_t *hosts; /* of each thread */
	uint32_t host_count;
	struct es__graph_lane *lanes;
	uint32_t lane_count;
	unsigned threads; /* that share the lanes; 0: as 1 */
};

/*
 * es__graph_begins_late - find whether a computation may be none
 *
 * A thread that is not the first one of its rank, or one of a run of paths, may
 * not have begun before its first operation.
 */
static inline bool
es__graph_begins_late(const struct es__graph *graph, const uint32_t *ranks,
    bool paths, const struct es__graph_step *step)
{
	return graph->names.list[step->at].from == PATHS_NONE &&
	    (paths ||
		(step->thread > 0 &&
		    ranks[step->thread - 1] == ranks[step->thread]));
}

/*
 * es__graph_cut - cut the windows of some sequences out of a graph
 *
 * Each thread passes over the log once.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees cuts and host_ns of each lane, also on failure
 */
paths_status es__graph_cut(const struct es__graph_cutting *cutting)
    PATHS_CHECKED;

#endif
