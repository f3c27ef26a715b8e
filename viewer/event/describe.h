/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/describe.h - description of an operation as text
 */

#ifndef VIEWER_EVENT_DESCRIBE_H
#define VIEWER_EVENT_DESCRIBE_H

#include "viewer/event/event.h"

/*
 * esv_event_describe - describe an operation in lines "name: value"
 *
 * Thread, host, operation, element, step, sequence number, start, duration,
 * bytes, peer, call site, waiting and own time, and the thread waited for.
 *
 * Ownership	the caller frees the text
 */
paths_status esv_event_describe(struct esv_model *model,
    const struct esv_event *event, char **text) PATHS_CHECKED;

#endif
