/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/behind_private.h - sends tuples along a chain that a stage
 * owns
 *
 * A buffer and a tee send tuples along a chain of their own, one after another.
 * The next tuple is sent after two events: the operation of the tuple before
 * has ended, and the call that started this operation has returned.  The thread
 * of the later event sends.  So tuples are sent in a loop and not by recursion,
 * and only one thread at a time is on the path.
 *
 * struct behind is the first member of the state of such a stage.
 */

#ifndef LIBPATHS_STAGES_BEHIND_PRIVATE_H
#define LIBPATHS_STAGES_BEHIND_PRIVATE_H

#include "libpaths/inner.h"
#include "libpaths/map/stage_private.h"

#include <pthread.h>

struct behind {
	/* path and lock_made are written by behind_open, the others before. */
	struct paths_path *path;
	bool lock_made;
	const char *subject; /* "an earlier write", for messages */

	/* Puts the next tuple into op->tuple, and its numbers into op->seq and
	   op->step.  Returns false when there is none: behind_run must be
	   called for the next tuple. */
	bool (*next)(struct behind *b, struct paths_op *op);

	/* Is called at the end of each operation. */
	void (*done)(struct behind *b, const struct paths_op *op);
	_Atomic uint32_t met; /* set at the first of the two events */

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
 * Returns	PATHS_OK; PATHS_ENOMEM; the status of paths_inner_open
 * Threads	one
 * Since	0.1
 */
paths_status behind_open(struct behind *b, const struct paths_stage_env *env);

/*
 * behind_run - send the tuple of behind_op, then those of next
 *
 * Returns	nothing, when an operation is parked or next has returned false
 * Threads	any, at most once after behind_open and after each false of next
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
 * Returns	true when a failure was kept; op has failed with it, and it is
 *		not kept any more
 * Threads	any, with the lock held
 * Since	0.1
 */
bool behind_report(struct behind *b, struct paths_op *op);

/* Functions that the stages with a chain of their own share. */
bool behind_cancel(void *self, struct paths_op *op, uint64_t *slot);
void behind_lost(void *self, const char *why);
paths_status behind_reopen(void *self);
void behind_close(void *self);

#endif
