/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside_for_private.h - finds the threads that an operation under
 * way waits for
 */

#ifndef SCOPES_PATH_INSIDE_FOR_PRIVATE_H
#define SCOPES_PATH_INSIDE_FOR_PRIVATE_H

#include "scopes/path/inside_private.h"

/* Returns true if the operations under way in a process are known.  They are
   not known for a process of another host, because a gather tree sends tuples
   only when operations return. */
bool es__inside_is_reported(const struct es_analysis *a, uint32_t process);

/*
 * es__inside_reached - the lowest collector of a path that an operation has
 * entered and not left
 *
 * head		the first collector of the path, which the operation is in
 *
 * Returns	the collector
 */
uint32_t es__inside_reached(const struct es_analysis *a, uint32_t head,
    uint64_t seq);

/*
 * es__inside_progress_read - find how far all paths have come
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__inside_progress_read(const struct es_analysis *a,
    struct es__inside_paths *inside) PATHS_CHECKED;

/*
 * es__inside_for - add the arcs of an operation to the wait-for graph
 *
 * op		mode, first and count are set; count 0: no thread is known that
 *		it waits for
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__inside_for(const struct es_analysis *a,
    struct es__inside_paths *inside, struct es__inside_op *op) PATHS_CHECKED;

#endif
