/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/critical_private.h - finds the critical path of a graph
 *
 * The path leads backward from the end of the thread that ended last.  Where a
 * thread on the path waited, the path continues in the thread whose post ended
 * the wait, at the time of the post.  So the path contains no waits, and is as
 * long as the run.
 *
 * Source	Boehme, Wolf, de Supinski, Schulz, Geimer: Scalable
 *		Critical-Path Based Performance Analysis, 2012
 */

#ifndef SCOPES_GRAPH_CRITICAL_PRIVATE_H
#define SCOPES_GRAPH_CRITICAL_PRIVATE_H

#include "scopes/graph/graph_private.h"

/* A part of the path: an activity of a thread, without waiting.  It may end
   before it starts if clocks contradict each other. */
struct es__graph_segment {
	int64_t start_ns, stop_ns;
	uint32_t activity;
	uint32_t flags; /* of a step LEAVE; 0: a computation */
};

/* Takes the segments of the path, the last one first; false: no memory. */
typedef bool es__graph_segment_take(void *to,
    const struct es__graph_segment *segment);

/*
 * es__graph_critical - find the critical path
 *
 * graph	finished
 * take		is called with each segment that is not empty or has flags
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_critical(const struct es__graph *graph,
    es__graph_segment_take *take, void *to) PATHS_CHECKED;

#endif
