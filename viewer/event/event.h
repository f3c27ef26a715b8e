/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/event.h - operations of a thread by time
 */

#ifndef VIEWER_EVENT_EVENT_H
#define VIEWER_EVENT_EVENT_H

#include "viewer/model/model.h"

/* An operation, as the first collector of its path recorded it. */
struct esv_event {
	uint32_t thread;
	uint32_t collector;
	uint64_t n;		   /* index of the tuple in the collector */
	int64_t start_ns, stop_ns; /* stop_ns < start_ns: not returned */
	uint64_t seq;		   /* see es_collector_seq */
	uint32_t step;
	uint32_t op; /* kind, or MPI function */
};

/*
 * esv_event_at - find the operation of a thread at a time
 *
 * row		index of model->rows, of a thread
 * slack_ns	the largest distance from the operation to the time
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no operation is there, or no event spaces
 */
paths_status esv_event_at(struct esv_model *model, uint32_t row, double time_ns,
    double slack_ns, struct esv_event *event) PATHS_CHECKED;

/*
 * esv_event_neighbour - find the previous or next operation of a thread
 *
 * direction	-1: before; 1: after
 *
 * Returns	as esv_event_at
 */
paths_status esv_event_neighbour(struct esv_model *model,
    const struct esv_event *event, int direction, struct esv_event *next)
    PATHS_CHECKED;

#endif
