/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/null.c - the end of a path that discards tuples
 *
 * Discards every tuple.  An exchange gets its own tuple back.
 *
 * Arguments	-type TYPE of the tuples; default the type of the stage before
 * Counters	none
 * Errors	PATHS_EINVAL	a read: there is never a tuple
 */

#include "libpaths/stages/join_private.h"

static enum paths_pass
null_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)slot;
	if (op->kind == PATHS_READ)
		return paths_op_fail(op, PATHS_EINVAL, "takes no read");
	return PATHS_PASS_TURN;
}

static const struct paths_option null_options[] = {
	{ "-type", PATHS_OPTION_TYPE, 0, NULL, NULL, "type of the tuples" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_null = {
	.abi = PATHS_STAGE_ABI,
	.name = "null",
	.about = "discard every tuple",
	.example = "null",
	.flags = PATHS_STAGE_END | PATHS_STAGE_ANY_BYTES,
	.options = null_options,
	.types = join_types_same,
	.down = null_down,
	.kinds = PATHS_KIND_BIT(PATHS_WRITE) | PATHS_KIND_BIT(PATHS_EXCHANGE),
};
