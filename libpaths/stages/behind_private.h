/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/behind_private.h - a path of a stage's own, always busy
 *
 * A buffer and a tee send tuples along a chain that they own, one after
 * another.  Whoever sends (the thread that brought the first tuple, or whoever
 * completed the operation before) goes on until an operation does not end at
 * once.  Such an operation comes twice to `met`: when its start has returned,
 * and when it has ended.  The second of the two sends the next one; so a long
 * row of tuples is a loop and never a deep stack, and no two threads are on
 * the path at once.
 */

#ifndef LIBPATHS_STAGES_BEHIND_PRIVATE_H
#define LIBPATHS_STAGES_BEHIND_PRIVATE_H

#include "libpaths/engine/inner_private.h"
#include "libpaths/map/stage_private.h"

struct behind {
	/* Written by open. */
	struct paths_path *path; /* NULL: not open */
	void *stage;

	/* Put the next tuple into op->tuple, its numbers into op->seq and
	   op->step; false: there is none, now behind_run must be called for
	   the next one. */
	bool (*next)(void *stage, struct paths_op *op);

	/* An operation has ended so. */
	void (*ended)(void *stage, const struct paths_op *op);
	_Atomic uint32_t met; /* by start and end of the operation */
};

/*
 * behind_open - open the chain that is the tail of a stage
 *
 * b	stage, next and ended set
 *
 * Returns	PATHS_OK; what paths__inner_open answers
 * Threads	one
 * Since	0.1
 */
paths_status behind_open(struct behind *b, const struct paths_stage_env *env);

/*
 * behind_run - send the tuple that is in behind_op, then what next gives
 *
 * Returns	nothing; at once where the tuple does not end at once
 * Threads	any, but only one from open or a next that was false to here
 * Since	0.1
 */
void behind_run(struct behind *b);

/*
 * behind_op - the operation, whose tuple is the path's own memory
 *
 * Returns	it, for seq, step and tuple to be filled in
 * Ownership	lent while nothing is sent
 * Threads	that which calls behind_run
 * Since	0.1
 */
struct paths_op *behind_op(const struct behind *b);

/*
 * behind_drain - nothing more comes from above, but the last is still sent
 *
 * Returns	nothing
 * Threads	one, while an operation is under way
 * Since	0.1
 */
void behind_drain(struct behind *b);

/*
 * behind_end - the last has been sent: the chain has ended
 *
 * Returns	nothing
 * Threads	one, when nothing is sent; from next, too
 * Since	0.1
 */
void behind_end(struct behind *b);

/*
 * behind_close - for close of the stage
 *
 * Returns	nothing; also when it has ended, or was never opened
 * Threads	one
 * Since	0.1
 */
void behind_close(struct behind *b);

#endif
