/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/interval.h - the operations of a time interval, added up
 *
 * Charts of a part of the run are drawn from this.  All operations that touch
 * the interval are read, by all cores, so the sums are exact at any zoom.
 *
 *	calls		operations that start in the interval
 *	times		the parts of operations and waits in the interval
 *
 * An operation that has not returned lasts to the end of the run.
 */

#ifndef VIEWER_EVENT_INTERVAL_H
#define VIEWER_EVENT_INTERVAL_H

#include "viewer/model/model.h"

/* Durations of [2^(n-1), 2^n) ns are in bin n, those of 0 ns in bin 0. */
#define ESV_INTERVAL_BINS 64u

/* The operations of a thread, of one kind or MPI function, at a call site. */
struct esv_interval_cell {
	uint32_t thread;
	uint32_t op;   /* enum paths_kind, or the MPI function */
	uint32_t site; /* of the run; 0: none, or not known */
	bool mpi;
	uint64_t calls;
	uint64_t bytes; /* of these calls */
	int64_t time_ns, wait_ns;
	int64_t longest_ns; /* longest of these calls, with its parts that are
			       not in the interval */
};

/* A thread.  Operations that overlap each other count once.  It is active from
   its first operation to the end of the last one, a thread of an MPI rank in
   the measured interval. */
struct esv_interval_thread {
	uint64_t calls;
	int64_t active_ns;
	int64_t busy_ns, wait_ns; /* parts of it */
};

/* The point-to-point messages that a rank starts to send to another one. */
struct esv_interval_pair {
	uint32_t source, target; /* ranks of the run */
	uint64_t messages, bytes;
};

/* The waits of a thread for another one, or for none or an unknown one. */
struct esv_interval_blame {
	uint32_t waiter, culprit; /* threads; culprit PATHS_NONE: none */
	uint32_t pattern;	  /* of timeline_pattern */
	uint64_t waits;		  /* that start in the interval */
	int64_t wait_ns;	  /* in the interval and in active time */
};

struct esv_interval {
	int64_t t0_ns, t1_ns;
	bool waits; /* waiting is known */
	/* Sorted by thread, kind of operation and call site. */
	const struct esv_interval_cell *cells;
	size_t cell_count;
	const struct esv_interval_thread *threads; /* thread_count of model */
	/* Sorted by source and target. */
	const struct esv_interval_pair *pairs;
	size_t pair_count;
	/* Sorted by waiter, culprit and pattern; PATHS_NONE is last. */
	const struct esv_interval_blame *blames;
	size_t blame_count;
	uint64_t bins[ESV_INTERVAL_BINS]; /* calls by duration */
};

/*
 * esv_interval_get - add up the operations of a time interval
 *
 * budget_ns	time after which the function returns, to be called again with
 *		the same interval; 0: as long as it takes
 * done		out: share of the work that is done, 1: all; may be NULL
 * interval	out: the sums; NULL: not all is done
 *
 * The model keeps the last interval, so asking again costs nothing.  Another
 * interval stops the work on the last one.
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the interval is empty
 *		PATHS_ENOENT	no event spaces
 *		PATHS_EIO, PATHS_EDAMAGED, PATHS_ENOMEM
 * Ownership	the model's, until it is called with another interval
 * Threads	that of the model
 */
paths_status esv_interval_get(struct esv_model *model,
    const int64_t interval_ns[2], uint64_t budget_ns, double *done,
    const struct esv_interval **interval) PATHS_CHECKED;

#endif
