/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/scatter.c - a join that divides one tuple among its inputs
 *
 * When every input has issued a read, the stage reads one long tuple through
 * its tail (the chain below it) and gives each input its part, in the order of
 * the inputs.
 *
 * Arguments	-type TYPE of the tuples of one input; a tuple of the tail has
 *		the parts of all inputs: f64*6 for f64*2 and 3 inputs
 * Counters	as join.c
 * Errors	as join.c; all operations but reads are refused with
 *		PATHS_EINVAL
 */

#include "libpaths/stages/join_private.h"

static paths_status
scatter_open(void *self, const struct paths_stage_env *env)
{
	const struct join_spec spec = {
		.sliced = true,
	};

	return join_open(self, env, &spec);
}

static const struct paths_option scatter_options[] = {
	{ "-type", PATHS_OPTION_TYPE, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "type of the tuples of one input" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_scatter = {
	.abi = PATHS_STAGE_ABI,
	.name = "scatter",
	.about = "divide one tuple among all inputs",
	.example = "scatter -type f64*1",
	.flags = PATHS_STAGE_JOIN,
	.size = sizeof(struct join_stage),
	.options = scatter_options,
	.types = join_types_sliced,
	.open = scatter_open,
	.port = join_port,
	.down = join_down,
	.up = join_up,
	.cancel = join_cancel,
	.lost = join_lost,
	.reopen = join_reopen,
	.stat = join_stat,
	.close = join_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ),
};
