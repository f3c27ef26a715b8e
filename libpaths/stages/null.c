/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/null.c - the end of a path that discards tuples
 *
 * Discards every tuple.  An exchange gets its own tuple back.
 *
 * Arguments	none
 * Counters	none
 * Errors	PATHS_EINVAL	a read: there is never a tuple
 */

#include "libpaths/map/stage_private.h"

static enum paths_pass
null_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)slot;
	if (op->kind == PATHS_READ)
		return paths_op_fail(op, PATHS_EINVAL, "takes no read");
	return PATHS_PASS_TURN;
}

const struct paths_stage_ops paths__stage_null = {
	.abi = PATHS_STAGE_ABI,
	.name = "null",
	.about = "discard every tuple",
	.example = "null",
	.flags = PATHS_STAGE_END,
	.down = null_down,
};
