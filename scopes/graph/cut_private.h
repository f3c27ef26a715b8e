/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/cut_private.h - computes sums and ideal lengths of windows of
 * time of a graph
 *
 * A window contains the parts of all activities that are in its time.  Its
 * replay with an ideal network takes only the computations in it: a thread
 * computes for as long as it did in the window, and an operation takes no time
 * of its own, but waits for its dependences.  Dependences from before the
 * window are fulfilled when it begins.  So the ideal length of a window is that
 * of the longest chain of computations in it, each of which depends on the one
 * before it.  It is at least the time that any thread computes in the window,
 * and no longer than the window.
 *
 * The windows of a sequence may also be taken as a whole: then a chain goes
 * through all of them, and the time between windows counts as 0.
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
	/* Time outside of operations, sum of all members. */
	int64_t useful_ns;
	int64_t useful_ns_max; /* the largest of a member */
	/* Length with an ideal network, in ns; uncoupled_ns: with one in which
	   sends do not wait for receives, either. */
	int64_t ideal_ns, uncoupled_ns;
	/* Number of the members: MPI calls that ended in it, or operations on
	   paths that began in it. */
	uint64_t operations;
};

/* A sequence of windows, in the order of time, that do not overlap. */
struct es__graph_lane {
	const struct es__graph_window *windows;
	uint32_t window_count; /* at least 1 */
	bool whole;
	const bool *members; /* of each thread: it is a member; NULL: all are */
	/* Results: one for each window, or one if whole. */
	struct es__graph_cut *cuts;
	int64_t *host_ns; /* useful time of the members on each host, for each
			     cut */
};

/* Arguments of es__graph_cut: the graph, the ranks and hosts of its threads,
   and the windows. */
struct es__graph_cutting {
	const struct es__graph *graph; /* finished */
	/* The graph is of operations on paths, which have parts. */
	bool paths;
	const uint32_t *ranks; /* of each thread */
	const uint32_t *hosts; /* of each thread */
	uint32_t host_count;
	struct es__graph_lane *lanes;
	uint32_t lane_count;
	unsigned threads; /* number of threads that share the work; 0: as 1 */
};

/*
 * es__graph_begins_late - find whether a thread may not have existed during a
 * computation
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
 * Each of the threads reads the log once.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees cuts and host_ns of each lane, also on failure
 */
paths_status es__graph_cut(const struct es__graph_cutting *cutting)
    PATHS_CHECKED;

#endif
