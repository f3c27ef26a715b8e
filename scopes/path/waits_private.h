/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_private.h - finds where the time of operations goes
 *
 * The time of an operation at a stage is its time below the collector above the
 * stage, minus its time below the next collector down.  These durations need no
 * common clock, and over a path they add up to the time of the operation.  A
 * part of the time may be waiting for another thread, the culprit:
 *
 *	at a join	from the arrival of the operation to the last arrival;
 *			culprit: the thread whose operation arrived last; of a
 *			copy that a tee sent, the thread of the original
 *	in a read	from its begin to the write of the tuple that it reads;
 *			culprit: the thread that wrote the tuple
 *	in a write	to a full element: from its begin to the last read of
 *			the tuple whose place it reuses; culprit: the thread of
 *			that read
 *
 * Times of different clocks are compared only if a collector is on another host
 * than the stage below it.  Then the error bound of these clocks is the error
 * bound of the wait.  A wait that is not longer than its bound is undecided.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		sections 4 and 5
 */

#ifndef SCOPES_PATH_WAITS_PRIVATE_H
#define SCOPES_PATH_WAITS_PRIVATE_H

#include "scopes/clock/analysis_private.h"

struct es__waits_cost {
	uint32_t thread, stage;
	uint64_t operations;
	int64_t own_ns, wait_ns;
};

struct es__waits_blame {
	uint32_t waiter, culprit; /* threads; culprit PATHS_NONE: unknown */
	uint64_t operations;
	int64_t wait_ns;
	/* Number of operations for which the clocks do not tell whether they
	   waited. */
	uint64_t undecided;
	int64_t bound_ns; /* largest error of wait_ns */
};

struct es__waits {
	struct es__kept kept;
	struct es__waits_cost *costs; /* in order of thread and stage */
	size_t cost_count;
	struct es__waits_blame *blames; /* in order of waiter and culprit */
	size_t blame_count;
	/* For each thread, for each bin of es__steps_shape. */
	int64_t *step_wait_ns;
};

/*
 * es__waits_get - get the costs and waits of all operations
 *
 * The first call computes them, and the analysis keeps them.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__waits_get(struct es_analysis *a,
    const struct es__waits **waits) PATHS_CHECKED;

#endif
