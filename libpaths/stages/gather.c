/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/gather.c - a join that concatenates the tuples of its inputs
 *
 * One tuple goes down, with a part for each input, in their order.  After an
 * exchange every input has its own part of the tuple that came up, which must
 * be as long as the one that went down.
 *
 * Arguments	-type TYPE of the tuples of one input; the tail has a tuple of
 *		all inputs: f64*6 for f64*2 and 3 inputs, f64*..6 for f64*..2
 * Counters	as join.c
 * Errors	as join.c; reads and deletes are refused with PATHS_EINVAL
 */

#include "libpaths/stages/join_private.h"

#include <string.h>

static bool
gather_put(struct join *j, uint32_t input, const void *tuple, uint32_t bytes)
{
	struct join_input *in = &j->input[input];

	in->part_at = j->length;
	in->part_bytes = bytes;
	memcpy(j->acc + j->length, tuple, bytes);
	j->length += bytes;
	return true;
}

static paths_status
gather_open(void *self, const struct paths_stage_env *env)
{
	const struct join_spec spec = {
		.put = gather_put,
		.sliced = true,
	};

	return join_open(self, env, &spec);
}

static const struct paths_option gather_options[] = {
	{ "-type", PATHS_OPTION_TYPE, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "type of the tuples of one input" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_gather = {
	.abi = PATHS_STAGE_ABI,
	.name = "gather",
	.about = "concatenate the tuples of all inputs into one",
	.example = "gather -type f64*1",
	.flags = PATHS_STAGE_JOIN,
	.size = sizeof(struct join_stage),
	.options = gather_options,
	.types = join_types_sliced,
	.open = gather_open,
	.port = join_port,
	.down = join_down,
	.up = join_up,
	.cancel = join_cancel,
	.lost = join_lost,
	.reopen = join_reopen,
	.stat = join_stat,
	.close = join_close,
	.kinds = PATHS_KIND_BIT(PATHS_WRITE) | PATHS_KIND_BIT(PATHS_EXCHANGE),
};
