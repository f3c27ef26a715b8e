/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/causes.h - delays with the waits that they caused, deaths, and
 * the cycle of a deadlock, from view.db
 *
 * A link within one row is the delay itself, or a moment in which a thread died
 * (from_ns and to_ns are equal).  A link between rows is an arrow.
 */

#ifndef VIEWER_EVENT_CAUSES_H
#define VIEWER_EVENT_CAUSES_H

#include "viewer/event/links.h"
#include "viewer/model/model.h"

/* The most delays of which arrows are drawn at once: those that caused most
   waiting. */
#define ESV_CAUSES_DELAYS 100

/*
 * esv_event_delays - find delays in a window, and the waits that they caused
 *
 * They are those of the view idle_wave: a thread is late, others wait for it,
 * further ones for them.  Each arrow ends where a wait ends.
 *
 * links	out: none if the view is not computed
 *
 * Returns	PATHS_OK; PATHS_EDAMAGED; PATHS_ENOMEM; the errors of a query
 * Ownership	the caller calls esv_links_fini
 */
paths_status esv_event_delays(struct esv_model *model, double t0_ns,
    double span_ns, struct esv_links *links) PATHS_CHECKED;

/*
 * esv_event_ends - find the processes that died, and the cycle of a deadlock
 *
 * A process has its moment if the time of its end is known, and the launcher
 * did not end it.  Each arrow of a cycle goes from the begin of the operation
 * that waits to the end of the run, on the thread that it waits for.
 *
 * links	out
 *
 * Returns	as esv_event_delays
 * Ownership	the caller calls esv_links_fini
 */
paths_status esv_event_ends(struct esv_model *model, struct esv_links *links)
    PATHS_CHECKED;

#endif
