/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/arrows.h - arrows to the operations that others release
 */

#ifndef VIEWER_EVENT_ARROWS_H
#define VIEWER_EVENT_ARROWS_H

#include "viewer/event/links.h"
#include "viewer/timeline/strips.h"

/*
 * esv_event_arrows - find the arrows of a window
 *
 * In an MPI run these are the matched messages.  In other runs they go from
 * the last operation to arrive at a join to those that it releases, and from
 * writes to their reads.
 *
 * most		the largest number; links->all is larger if there are more
 * links	out
 *
 * Returns	PATHS_OK; PATHS_ENOENT; PATHS_ENOMEM; the errors of a query
 * Ownership	the caller calls esv_links_fini
 */
paths_status esv_event_arrows(struct esv_model *model,
    const struct esv_window *window, size_t most, struct esv_links *links)
    PATHS_CHECKED;

#endif
