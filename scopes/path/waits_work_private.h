/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_work_private.h - goes through the operations of a tree and
 * finds the waits of each
 */

#ifndef SCOPES_PATH_WAITS_WORK_PRIVATE_H
#define SCOPES_PATH_WAITS_WORK_PRIVATE_H

#include "scopes/path/waits_plan_private.h"

struct waits_worker;

/* An operation at one collector.  Its wait there begins at start_ns. */
struct es__waits_moment {
	int64_t start_ns, stop_ns;
	int64_t own_ns;	  /* time between this collector and the next one */
	int64_t wait_ns;  /* part of own_ns; 0: it did not wait there */
	uint32_t culprit; /* culprit of the wait: its number in the plan */
	int64_t bound_ns; /* largest error of wait_ns */
	/* The clocks do not tell whether it waited for the culprit. */
	bool undecided;
};

/* An operation on the element of the tree. */
struct es__waits_operation {
	uint32_t collector; /* collector above the element */
	uint64_t at;	    /* number of the operation in the collector */
};

/* The operations on the element for which the current one waits, if they are
   not done when it begins.  For a read, this is the write of its tuple; for a
   write, the reads that make room for its tuple. */
struct es__waits_on {
	const struct es__waits_operation *list;
	uint32_t count;
	bool unknown; /* the list is empty because records are missing */
	/* Index is valid, which is always so for reads with a list. */
	bool numbered;
	uint64_t index; /* of the tuple that it reads or writes */
};

/*
 * es__waits_work_open - prepare to step through operations of a tree
 *
 * range	their sequence numbers
 * worker	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__waits_work_close; borrows the others until
 *		then
 */
paths_status es__waits_work_open(const struct es__waits_plan *plan,
    const struct es_analysis *a, struct es__range range,
    struct waits_worker **worker) PATHS_CHECKED;
void es__waits_work_close(struct waits_worker *w);

/* Goes to the next operation, and finds its waits.  Adds its times at all slots
   to the costs and blames of `sums`, unless it is NULL.  Returns false at the
   end. */
bool es__waits_work_next(struct waits_worker *w, int64_t *sums);

/* Return the sequence number of the operation, its tuples, and its times at
   each slot. */
uint64_t es__waits_work_seq(const struct waits_worker *w);
const struct es__lane *es__waits_work_lanes(const struct waits_worker *w);
const struct es__waits_moment *es__waits_work_moments(
    const struct waits_worker *w);

/* Returns the operations on the element that the operation waits for. */
const struct es__waits_on *es__waits_work_on(const struct waits_worker *w);

/* Returns the culprit that came last to the n-th join of the plan. */
uint32_t es__waits_work_last(const struct waits_worker *w, uint32_t n);

#endif
