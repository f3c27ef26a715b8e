/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/behind_private.h - sends tuples along a chain that a stage
 * owns
 *
 * A buffer and a tee send tuples along a chain of their own, one after another.
 * The thread that brought the first tuple, or that completed the operation
 * before, sends until an operation is parked.  A parked operation is met twice:
 * when its start has returned, and when it has ended.  The second of the two
 * threads sends the next tuple.  So many tuples make a loop and never a deep
 * stack, and only one thread at a time is on the path.
 *
 * struct behind is the first member of the state of such a stage.
 */

#ifndef LIBPATHS_STAGES_BEHIND_PRIVATE_H
#define LIBPATHS_STAGES_BEHIND_PRIVATE_H

#include "libpaths/engine/inner_private.h"
#include "libpaths/map/stage_private.h"

#include <pthread.h>

struct behind {
	/* Written by open; the callbacks before it. */
	struct paths_path *path; /* NULL: not open */
	bool lock_made;
	const char *subject; /* "an earlier write", for messages */

	/* Puts the next tuple into op->tuple, and its numbers into op->seq and
	   op->step.  Returns false when there is none: behind_run must be
	   called for the next one. */
	bool (*next)(struct behind *b, struct paths_op *op);

	/* Is called at the end of each operation. */
	void (*done)(struct behind *b, const struct paths_op *op);
	_Atomic uint32_t met; /* by start and end of the operation */

	/* The rest is read and written under the lock. */
	pthread_mutex_t lock;
	bool sending;		 /* an operation is under way below */
	bool ended;		 /* no operation follows from above */
	struct paths_op *parked; /* waits for its tuple to be taken */
	paths_status failed;	 /* to be reported to the next operation */
	char why[PATHS_OP_WHY_BYTES];
	uint64_t failures;
	uint64_t waits;
};

/*
 * behind_open - open the chain that is the tail of a stage
 *
 * b	subject, next and done are set
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the status of paths__inner_open
 * Threads	one
 * Since	0.1
 */
paths_status behind_open(struct behind *b, const struct paths_stage_env *env);

/*
 * behind_run - send the tuple of behind_op, then those of next
 *
 * Returns	nothing; while the first operation is parked, too
 * Threads	any, but only one between open, or a next that was false, and
 *		this call
 * Since	0.1
 */
void behind_run(struct behind *b);

/*
 * behind_op - the operation of the chain, whose tuple is memory of the path
 *
 * Returns	the operation, whose seq, step and tuple the caller sets
 * Ownership	lent while nothing is sent
 * Threads	the one that calls behind_run
 * Since	0.1
 */
struct paths_op *behind_op(const struct behind *b);

/*
 * behind_end - end the chain: its last tuple has been sent
 *
 * Returns	nothing
 * Threads	one, when nothing is sent; also from next
 * Since	0.1
 */
void behind_end(struct behind *b);

/*
 * behind_keep_failure - keep the failure of an operation of the chain
 *
 * The first failure is kept until it is reported.
 *
 * Returns	nothing
 * Threads	any, with the lock held
 * Since	0.1
 */
void behind_keep_failure(struct behind *b, const struct paths_op *op);

/*
 * behind_report - fail an operation with the failure that is kept
 *
 * Returns	true when there was one; op has failed and none is kept
 * Threads	any, with the lock held
 * Since	0.1
 */
bool behind_report(struct behind *b, struct paths_op *op);

/* Functions that all stages with a chain of their own use as theirs. */
bool behind_cancel(void *self, struct paths_op *op, uint64_t *slot);
void behind_lost(void *self, const char *why);
void behind_close(void *self);

#endif
