/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/reduce.c - a join that combines the values of its inputs
 *
 * The tuples of all inputs are combined value by value, in the order of the
 * inputs, and one tuple of the same type goes down.  After an exchange every
 * input has the tuple that came up.
 *
 * Sums and products of integers wrap around.  A NaN in any input makes the
 * minimum and the maximum NaN.
 *
 * Arguments	-op sum|min|max|prod|and|or, -type TYPE
 * Counters	as join.c
 * Errors	as join.c; reads and deletes, and tuples of several lengths in
 *		one generation, are refused with PATHS_EINVAL
 *		PATHS_ETYPE	-type is not one of i32, i64, u64, f32 and f64,
 *				or -op is "and" or "or" and -type f32 or f64
 */

#include "libpaths/stages/join_private.h"

#include <string.h>

/* Tuples of an application may be at any address. */
#define REDUCE_ANY __attribute__((aligned(1), may_alias))
typedef int32_t REDUCE_ANY reduce_i32;
typedef int64_t REDUCE_ANY reduce_i64;
typedef uint32_t REDUCE_ANY reduce_u32;
typedef uint64_t REDUCE_ANY reduce_u64;
typedef float REDUCE_ANY reduce_f32;
typedef double REDUCE_ANY reduce_f64;

#define REDUCE_FOLD(name, type, expression) \
	static void reduce_##name(void *acc, const void *from, uint32_t count) \
	{ \
		type *to = acc; \
		const type *add = from; \
\
		for (uint32_t i = 0; i < count; i++) { \
			type a = to[i]; \
			type b = add[i]; \
\
			to[i] = (expression); \
		} \
	}

/* Signed sums and products are computed in unsigned types, which may wrap. */
REDUCE_FOLD(sum_32, reduce_u32, a + b)
REDUCE_FOLD(sum_64, reduce_u64, a + b)
REDUCE_FOLD(sum_f32, reduce_f32, a + b)
REDUCE_FOLD(sum_f64, reduce_f64, a + b)
REDUCE_FOLD(prod_32, reduce_u32, (a * b))
REDUCE_FOLD(prod_64, reduce_u64, (a * b))
REDUCE_FOLD(prod_f32, reduce_f32, (a * b))
REDUCE_FOLD(prod_f64, reduce_f64, (a * b))
REDUCE_FOLD(min_i32, reduce_i32, b < a ? b : a)
REDUCE_FOLD(min_i64, reduce_i64, b < a ? b : a)
REDUCE_FOLD(min_u64, reduce_u64, b < a ? b : a)
REDUCE_FOLD(min_f32, reduce_f32, b < a || b != b ? b : a)
REDUCE_FOLD(min_f64, reduce_f64, b < a || b != b ? b : a)
REDUCE_FOLD(max_i32, reduce_i32, b > a ? b : a)
REDUCE_FOLD(max_i64, reduce_i64, b > a ? b : a)
REDUCE_FOLD(max_u64, reduce_u64, b > a ? b : a)
REDUCE_FOLD(max_f32, reduce_f32, b > a || b != b ? b : a)
REDUCE_FOLD(max_f64, reduce_f64, b > a || b != b ? b : a)
REDUCE_FOLD(and_32, reduce_u32, (a & b))
REDUCE_FOLD(and_64, reduce_u64, (a & b))
REDUCE_FOLD(or_32, reduce_u32, a | b)
REDUCE_FOLD(or_64, reduce_u64, a | b)

enum {
	REDUCE_I32,
	REDUCE_I64,
	REDUCE_U64,
	REDUCE_F32,
	REDUCE_F64,
	REDUCE_TYPES
};

#define REDUCE_OPS "sum|min|max|prod|and|or"

/* In the order of REDUCE_OPS; NULL: the type has no such operation. */
static join_fold *const reduce_folds[][REDUCE_TYPES] = {
	{ reduce_sum_32, reduce_sum_64, reduce_sum_64, reduce_sum_f32,
	    reduce_sum_f64 },
	{ reduce_min_i32, reduce_min_i64, reduce_min_u64, reduce_min_f32,
	    reduce_min_f64 },
	{ reduce_max_i32, reduce_max_i64, reduce_max_u64, reduce_max_f32,
	    reduce_max_f64 },
	{ reduce_prod_32, reduce_prod_64, reduce_prod_64, reduce_prod_f32,
	    reduce_prod_f64 },
	{ reduce_and_32, reduce_and_64, reduce_and_64, NULL, NULL },
	{ reduce_or_32, reduce_or_64, reduce_or_64, NULL, NULL },
};

static paths_status
reduce_find(const struct paths_map_item *item, join_fold **fold)
{
	const struct paths_map_value *op = paths_map_option(item, "-op");
	const struct paths_map_value *type = paths_map_option(item, "-type");
	uint32_t column;

	switch (type->type.kind) {
	case PATHS_TYPE_I32:
		column = REDUCE_I32;
		break;
	case PATHS_TYPE_I64:
		column = REDUCE_I64;
		break;
	case PATHS_TYPE_U64:
		column = REDUCE_U64;
		break;
	case PATHS_TYPE_F32:
		column = REDUCE_F32;
		break;
	case PATHS_TYPE_F64:
		column = REDUCE_F64;
		break;
	default:
		return paths_log_fail(PATHS_ETYPE,
		    "reduce works on i32, i64, u64, f32 and f64, not on %s",
		    type->text);
	}
	*fold = reduce_folds[op->number][column];
	if (*fold == NULL)
		return paths_log_fail(PATHS_ETYPE,
		    "-op %s works on i32, i64 and u64, not on %s", op->text,
		    type->text);
	return PATHS_OK;
}

static paths_status
reduce_types(const struct paths_map_item *item, uint32_t inputs,
    struct paths_type *above, struct paths_type *below)
{
	join_fold *fold;
	paths_status st = reduce_find(item, &fold);

	if (st != PATHS_OK)
		return st;
	return join_types_same(item, inputs, above, below);
}

static bool
reduce_put(struct join *j, uint32_t input, const void *tuple, uint32_t bytes)
{
	if (input == 0) {
		j->length = bytes;
		memcpy(j->acc, tuple, bytes);
	} else if (bytes == j->length) {
		/* A value has 4 or 8 bytes. */
		j->spec.fold(j->acc, tuple,
		    bytes >> __builtin_ctz(j->value_bytes));
	}
	return bytes == j->length;
}

static paths_status
reduce_open(void *self, const struct paths_stage_env *env)
{
	struct join_spec spec = {
		.put = reduce_put,
	};
	paths_status st = reduce_find(env->item, &spec.fold);

	if (st != PATHS_OK)
		return st;
	return join_open(self, env, &spec);
}

static const struct paths_option reduce_options[] = {
	{ "-op", PATHS_OPTION_CHOICE, PATHS_OPTION_REQUIRED, REDUCE_OPS, NULL,
	    "operation on two values" },
	{ "-type", PATHS_OPTION_TYPE, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "type of the tuples, above and below" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_reduce = {
	.abi = PATHS_STAGE_ABI,
	.name = "reduce",
	.about = "combine the values of all inputs: sum, min, max and others",
	.example = "reduce -op sum -type f64*1",
	.flags = PATHS_STAGE_JOIN,
	.size = sizeof(struct join_stage),
	.options = reduce_options,
	.types = reduce_types,
	.open = reduce_open,
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
