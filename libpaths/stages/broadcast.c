/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/broadcast.c - a join that gives one tuple to all its inputs
 *
 * When all inputs read, one tuple is read below, and every input gets it.  In
 * an exchange only the tuple of input 0 goes down.
 *
 * Arguments	-type TYPE of the tuples
 * Counters	as join.c
 * Errors	as join.c; writes and deletes are refused with PATHS_EINVAL
 */

#include "libpaths/stages/join_private.h"

static paths_status
broadcast_open(void *self, const struct paths_stage_env *env)
{
	const struct join_spec spec = {
		.put = join_put_first,
	};

	return join_open(self, env, &spec);
}

static const struct paths_option broadcast_options[] = {
	{ "-type", PATHS_OPTION_TYPE, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "type of the tuples, above and below" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_broadcast = {
	.abi = PATHS_STAGE_ABI,
	.name = "broadcast",
	.about = "give one tuple to all inputs",
	.example = "broadcast -type f64*1",
	.flags = PATHS_STAGE_JOIN,
	.size = sizeof(struct join_stage),
	.options = broadcast_options,
	.types = join_types_same,
	.open = broadcast_open,
	.port = join_port,
	.down = join_down,
	.up = join_up,
	.cancel = join_cancel,
	.lost = join_lost,
	.reopen = join_reopen,
	.stat = join_stat,
	.close = join_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ) | PATHS_KIND_BIT(PATHS_EXCHANGE),
};
