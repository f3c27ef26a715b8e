/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/threads_private.h - the traffic between the threads of a
 * path map
 */

#ifndef SCOPES_PLACEMENT_THREADS_PRIVATE_H
#define SCOPES_PLACEMENT_THREADS_PRIVATE_H

#include "scopes/placement/trees_private.h"
#include "scopes/run.h"

/*
 * es_place_threads - pass the traffic of the threads of a run to a function
 *
 * A message goes from the thread of its path, or from a join, to the join or
 * element at the end of its chain.  Joins and elements count as where the first
 * thread is that enters them in their process, or else the first thread of
 * their process; PATHS_NONE: the process has no thread.
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		the first failure of the function
 */
paths_status es_place_threads(const struct es_run *run,
    const struct es_place_edges *edges) PATHS_CHECKED;

#endif
