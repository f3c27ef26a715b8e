/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/messages.h - the messages of an MPI run as arrows
 */

#ifndef VIEWER_EVENT_MESSAGES_H
#define VIEWER_EVENT_MESSAGES_H

#include "viewer/event/links.h"
#include "viewer/model/model.h"

/*
 * esv__messages_find - find the messages of an MPI run in a time interval
 *
 * Finds nothing if model->analysis is not open yet and the run has more than
 * 10 Mi tuples, because matching them would take too long.
 *
 * most	links to keep; further links are only counted in links->all
 */
paths_status esv__messages_find(struct esv_model *model, int64_t t0_ns,
    int64_t t1_ns, size_t most, struct esv_links *links) PATHS_CHECKED;

#endif
