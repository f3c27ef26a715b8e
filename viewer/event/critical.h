/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/critical.h - the critical path of a run, from view.db
 */

#ifndef VIEWER_EVENT_CRITICAL_H
#define VIEWER_EVENT_CRITICAL_H

#include "viewer/event/links.h"
#include "viewer/timeline/strips.h"

/* The most parts of each pixel, on average, that are all read. */
#define ESV_CRITICAL_PARTS 16

/*
 * esv_event_critical - find the critical path in a window
 *
 * Each link is a part of the path on one thread, in order of time.  Of parts
 * that begin and end in the same pixel only the longest is found, so there are
 * at most two links a pixel.  If there are more than ESV_CRITICAL_PARTS of each
 * pixel, it is the part in the middle of the pixel, so that the time does not
 * depend on their number.
 *
 * links	out: from_row and to_row are equal; none if the path is not
 *		computed
 *
 * Returns	PATHS_OK; PATHS_EDAMAGED; PATHS_ENOMEM; the errors of a query
 * Ownership	the caller calls esv_links_fini
 */
paths_status esv_event_critical(struct esv_model *model,
    const struct esv_window *window, struct esv_links *links) PATHS_CHECKED;

/*
 * esv_event_hop - find the part of the path that begins next
 *
 * direction	1: after ns; -1: before it
 * hop		out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is none, or the path is not computed
 *		the errors of esv_event_critical
 */
paths_status esv_event_hop(struct esv_model *model, double ns, int direction,
    struct esv_link *hop) PATHS_CHECKED;

#endif
