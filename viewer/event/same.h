/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/same.h - operations of all threads that belong to a given one
 */

#ifndef VIEWER_EVENT_SAME_H
#define VIEWER_EVENT_SAME_H

#include "viewer/event/event.h"
#include "viewer/event/links.h"

/*
 * esv_event_same - find the intervals of all threads in the same operation
 *
 * For a collective: the calls with its number; for another MPI call: that call
 * alone.  For an operation on a path: all operations of its step, or if the
 * program sets no steps, those of its sequence number on all paths that meet at
 * its last join.
 *
 * links	out
 *
 * Returns	PATHS_OK; PATHS_ENOENT; PATHS_ENOMEM; the errors of a query
 * Ownership	the caller calls esv_links_fini
 */
paths_status esv_event_same(struct esv_model *model,
    const struct esv_event *event, struct esv_links *links) PATHS_CHECKED;

#endif
