/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/allgather.c - a join that gives all inputs the parts of all
 *
 * All tuples, above and below, have a part for each thread.  The join takes
 * from the tuple of each input the part of this input, and one tuple with these
 * parts goes down.  After an exchange every input has the tuple that came up,
 * with the parts of all.  In a tree of these joins, the part of an input is
 * that of all threads that reach it.
 *
 * Arguments	-type TYPE of the tuples; -width N: values in the part of an
 *		input, default all values divided by the inputs; -first N:
 *		place of the part of input 0, default 0
 * Counters	as join.c
 * Errors	as join.c; reads and deletes are refused with PATHS_EINVAL
 *		PATHS_ERANGE	the tuple has no place for all parts
 */

#include "libpaths/stages/join_private.h"

#include <string.h>

/* Returns the bytes of the part of an input in a tuple; UINT32_MAX: the tuple
   does not have a part for each. */
static uint32_t
allgather_part(const struct join *j, uint32_t bytes)
{
	uint64_t part = j->spec.part_bytes;

	if (j->spec.even) {
		part = bytes / j->inputs;
		return part * j->inputs == bytes && part % j->value_bytes == 0 ?
		    (uint32_t)part :
		    UINT32_MAX;
	}
	return j->spec.part_at + part * j->inputs <= bytes ? (uint32_t)part :
							     UINT32_MAX;
}

static bool
allgather_put(struct join *j, uint32_t input, const void *tuple, uint32_t bytes)
{
	uint32_t part = allgather_part(j, bytes);
	size_t at = j->spec.part_at + (size_t)part * input;

	if (part == UINT32_MAX || (input > 0 && bytes != j->length))
		return false;
	if (input == 0)
		j->length = bytes;
	memcpy(j->acc + at, (const char *)tuple + at, part);
	return true;
}

/* Finds the number of values in the part of an input, and the first value. */
static paths_status
allgather_parts(const struct paths_map_item *item, uint32_t inputs,
    uint64_t *first, uint64_t *width)
{
	const struct paths_type *type = &paths_map_option(item, "-type")->type;
	const struct paths_map_value *given = paths_map_option(item, "-width");
	char text[48];

	*first = paths_map_option(item, "-first")->number;
	*width = given == NULL ? type->count / inputs : given->number;
	if (given == NULL && type->count % inputs != 0)
		return paths_log_fail(PATHS_ERANGE,
		    "%s has no equal parts for %u inputs",
		    paths_type_text(type, text), inputs);
	if (*first > type->count || *width > (type->count - *first) / inputs)
		return paths_log_fail(PATHS_ERANGE,
		    "%s has no place for %u parts of %llu values from value "
		    "%llu on",
		    paths_type_text(type, text), inputs,
		    (unsigned long long)*width, (unsigned long long)*first);
	return PATHS_OK;
}

static paths_status
allgather_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	uint64_t first, width;
	paths_status st = allgather_parts(item, inputs, &first, &width);

	if (st != PATHS_OK)
		return st;
	return join_types_same(item, inputs, above, below);
}

static paths_status
allgather_open(void *self, const struct paths_stage_env *env)
{
	const struct paths_type *type =
	    &paths_map_option(env->item, "-type")->type;
	struct join_spec spec = { .put = allgather_put };
	uint64_t first, width;
	paths_status st =
	    allgather_parts(env->item, env->inputs, &first, &width);

	if (st != PATHS_OK)
		return st;
	spec.part_at = (uint32_t)first * type->value_bytes;
	spec.part_bytes = (uint32_t)width * type->value_bytes;
	spec.even =
	    type->varies && paths_map_option(env->item, "-width") == NULL;
	return join_open(self, env, &spec);
}

static const struct paths_option allgather_options[] = {
	{ "-type", PATHS_OPTION_TYPE, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "type of the tuples, with the parts of all" },
	{ "-first", PATHS_OPTION_COUNT, 0, NULL, "0",
	    "place of the part of input 0, in values" },
	{ "-width", PATHS_OPTION_COUNT, 0, NULL, NULL,
	    "number of values in the part of an input" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_allgather = {
	.abi = PATHS_STAGE_ABI,
	.name = "allgather",
	.about = "give all inputs the parts of all",
	.example = "allgather -type u8*6",
	.flags = PATHS_STAGE_JOIN,
	.size = sizeof(struct join_stage),
	.options = allgather_options,
	.types = allgather_types,
	.open = allgather_open,
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
