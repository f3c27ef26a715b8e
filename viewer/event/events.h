/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/events.h - single operations: pointed at, searched, summed up
 *
 * All from the event spaces; where these are missing each answers
 * PATHS_ENOENT, and paths_log_last says what is missing.
 */

#ifndef VIEWER_EVENT_EVENTS_H
#define VIEWER_EVENT_EVENTS_H

#include "viewer/timeline/strips.h"

/* An operation, as the first collector of its path recorded it. */
struct esv_event {
	uint32_t thread;
	uint32_t collector;
	uint64_t n;		   /* of the collector's tuples */
	int64_t start_ns, stop_ns; /* stop_ns < start_ns: still inside */
	uint32_t seq;
	uint32_t step;
	uint32_t op; /* kind, or MPI function */
};

/*
 * esv_event_at - the operation of a row at a time
 *
 * row		of model->rows, of a thread
 * slack_ns	how far off it may be
 *
 * Returns	PATHS_OK; PATHS_ENOENT: there is none, or no event spaces
 */
paths_status esv_event_at(struct esv_model *model, uint32_t row, double time_ns,
    double slack_ns, struct esv_event *event) PATHS_CHECKED;

/*
 * esv_event_neighbour - the one before (-1) or after (1) it on the same thread
 *
 * Returns	as esv_event_at
 */
paths_status esv_event_neighbour(struct esv_model *model,
    const struct esv_event *event, int direction, struct esv_event *next)
    PATHS_CHECKED;

/*
 * esv_event_search - the next operation of any thread, by start, that matches
 *
 * what	words that must all hold: op=NAME, thread=PATTERN, host=PATTERN,
 *	element=PATTERN, dur>TIME (1us, 3ms ...), dur<TIME, step=N, seq=N,
 *	bytes>N, peer=N, or a bare word: part of the name of op or thread
 * from_ns, direction
 *	the first that starts after (1) or before (-1) it
 *
 * Returns	as esv_event_at; PATHS_ESYNTAX: the word that is not understood
 */
paths_status esv_event_search(struct esv_model *model, const char *what,
    double from_ns, int direction, struct esv_event *event) PATHS_CHECKED;

/*
 * esv_event_describe - describe an operation in lines "name: value"
 *
 * Thread, host, operation, element, step, sequence number, start, duration,
 * bytes, peer, call site, wait against own time, and for whom it waited.
 *
 * Ownership	the caller frees the text
 */
paths_status esv_event_describe(struct esv_model *model,
    const struct esv_event *event, char **text) PATHS_CHECKED;

/* One interval to be highlighted, or an arrow from one row to another. */
struct esv_link {
	uint32_t from_row, to_row; /* of model->rows */
	int64_t from_ns, to_ns;
};

struct esv_links {
	struct esv_link *links;
	size_t count, capacity;
	uint64_t all; /* how many there are; more than count when too many */
};

/*
 * esv_event_same - the intervals of all threads in the same operation
 *
 * Of a collective, a join, a message: the operations with the same sequence
 * number that meet there; of a step: all operations of that step.
 */
paths_status esv_event_same(struct esv_model *model,
    const struct esv_event *event, struct esv_links *links) PATHS_CHECKED;

/*
 * esv_event_arrows - who sent to whom in a window
 *
 * From the matched messages of MPI runs, else from the path map: from the last
 * to come to a join to those it let go.  At most `most` are given.
 */
paths_status esv_event_arrows(struct esv_model *model,
    const struct esv_window *window, size_t most, struct esv_links *links)
    PATHS_CHECKED;
void esv_links_fini(struct esv_links *links);

/* Statistics of the operations that start in a selection. */
struct esv_selection_row {
	uint32_t row;
	uint64_t count;
	double mean_ns, median_ns, stdev_ns, max_ns, sum_ns;
	double share; /* of the selected time that was communication */
};

/*
 * esv_event_select - statistics of a part of time, a row each
 *
 * statistics	in: row, of model->rows; out: the rest
 *
 * Returns	PATHS_OK; PATHS_EINVAL: there is no such part; what esv_event_at
 *		answers
 */
paths_status esv_event_select(struct esv_model *model, int64_t t0_ns,
    int64_t t1_ns, struct esv_selection_row *statistics, uint32_t row_count)
    PATHS_CHECKED;

#endif
