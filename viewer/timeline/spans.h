/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/spans.h - the waits of threads, from view.db
 */

#ifndef VIEWER_TIMELINE_SPANS_H
#define VIEWER_TIMELINE_SPANS_H

#include "scopes/timeline.h"
#include "viewer/model/model.h"

/* The waits of a thread in a time interval, in the order of their start. */
struct esv__spans {
	struct es_timeline_span *list;
	size_t count, room;
	double from_ns, to_ns; /* the interval; to_ns <= from_ns: none yet */
	bool asked, none;      /* it is known, then if the thread has none */
};

/*
 * esv__spans_need - read the waits of a thread that overlap an interval
 *
 * Reads more on both sides, so that most windows after it need no reading.
 *
 * spans	zeros at first; kept for the next window
 *
 * Returns	PATHS_OK; PATHS_EIO, PATHS_EDAMAGED; PATHS_ENOMEM
 */
paths_status esv__spans_need(struct esv_model *model, uint32_t thread,
    double from_ns, double to_ns, struct esv__spans *spans) PATHS_CHECKED;

/*
 * esv__spans_read - read the waits of a thread that overlap an interval
 *
 * Reads some that do not overlap it, too.
 *
 * spans	its list is used again
 *
 * Returns	as esv__spans_need
 */
paths_status esv__spans_read(struct esv_model *model, uint32_t thread,
    int64_t from_ns, int64_t to_ns, struct esv__spans *spans) PATHS_CHECKED;

/* Returns the index of the first wait that may end after a time. */
size_t esv__spans_find(const struct esv__spans *spans, double from_ns);

#endif
