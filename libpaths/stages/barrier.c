/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/barrier.c - a join that only synchronizes its inputs
 *
 * No operation goes on before all inputs have one.  Only the tuple of input 0
 * goes down, and all inputs get the tuple that comes up.
 *
 * Arguments	-type TYPE of the tuples; default the type of the next stage
 * Counters	as join.c
 * Errors	as join.c; deletes are refused with PATHS_EINVAL
 */

#include "libpaths/stages/join_private.h"

static paths_status
barrier_open(void *self, const struct paths_stage_env *env)
{
	const struct join_spec spec = {
		.put = join_put_first,
	};

	return join_open(self, env, &spec);
}

static const struct paths_option barrier_options[] = {
	{ "-type", PATHS_OPTION_TYPE, 0, NULL, NULL,
	    "type of the tuples, above and below" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_barrier = {
	.abi = PATHS_STAGE_ABI,
	.name = "barrier",
	.about = "let no operation go on before all inputs have one",
	.example = "barrier -type u8*1",
	.flags = PATHS_STAGE_JOIN,
	.size = sizeof(struct join_stage),
	.options = barrier_options,
	.types = join_types_same,
	.open = barrier_open,
	.port = join_port,
	.down = join_down,
	.up = join_up,
	.cancel = join_cancel,
	.lost = join_lost,
	.reopen = join_reopen,
	.stat = join_stat,
	.close = join_close,
	.kinds = PATHS_KIND_BIT(PATHS_WRITE) | PATHS_KIND_BIT(PATHS_READ) |
	    PATHS_KIND_BIT(PATHS_EXCHANGE),
};
