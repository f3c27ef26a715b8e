/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/batch_fuzz.c - the stages of gather trees survive any batch
 *
 * What a stage makes of a batch is a batch, is not longer than allowed, and has
 * the same tuples: those that it returns, counts, or left out.
 *
 * Input	a batch
 */

#include "tests/fuzz/fuzz.h"

#include "scopes/gather/count_private.h"
#include "scopes/gather/filter_private.h"
#include "scopes/gather/gather_private.h"
#include "scopes/gather/order_private.h"

#include <string.h>

#define BATCH_MOST 65536u

struct sum {
	uint64_t tuples, left, counted;
	bool whole;
};

/* Reads all that a batch has. */
static struct sum
sum_of(const void *tuple, size_t bytes)
{
	struct sum sum = { .tuples = 0 };
	const struct es__record *r;
	struct es__batch_part part;
	paths_status st = PATHS_OK;
	struct es__batch b;
	unsigned touched = 0;

	es__batch_init(&b, tuple, bytes);
	while ((r = es__batch_next(&b, &st)) != NULL) {
		if (r->kind == ES__RECORD_RUN || r->kind == ES__RECORD_COUNT)
			sum.left += r->left;
		if (r->kind == ES__RECORD_COUNT)
			sum.counted += r->first;
		for (uint32_t n = 0; r->kind == ES__RECORD_MIX && n < r->count;
		     n++)
			sum.left += es__batch_sources(r)[n].left;
		while (es__batch_tuples(&b, r, &part)) {
			sum.tuples += part.head.count;
			for (size_t n = 0; n <
			     (size_t)part.head.count * part.head.tuple_bytes;
			     n++)
				touched += part.tuples[n];
		}
	}
	sum.whole = st == PATHS_OK;
	MUST(touched < UINT32_MAX);
	return sum;
}

/* Passes a batch through the up-pass of a stage. */
static void
fuzz_stage(const struct paths_stage_ops *ops, const uint8_t *data, size_t size)
{
	struct paths_map_value values[3] = { { .text = "op" }, { .number = 0 },
		{ .text = "2" } };
	struct paths_map_item item = { .values = values };
	struct paths_stage_env env = { .item = &item,
		.above = { .varies = true } };
	struct paths_op op = { .kind = PATHS_READ, .bytes = (uint32_t)size };
	struct sum before, after;
	void *self = calloc(1, ops->size);
	uint64_t slot = 0;

	/* With its exact size, so that a sanitizer sees what is beyond. */
	op.tuple = malloc(size + !size);
	MUST(self != NULL && op.tuple != NULL);
	memcpy(op.tuple, data, size);
	before = sum_of(op.tuple, size);
	MUST(ops->open(self, &env) == PATHS_OK);
	ops->up(self, &op, &slot);
	if (op.status == PATHS_OK) {
		MUST(op.bytes <= size);
		after = sum_of(op.tuple, op.bytes);
		MUST(after.whole);
		/* `left` of a record has 32 bits. */
		MUST(before.left + before.tuples > UINT32_MAX ||
		    after.tuples + after.left + after.counted ==
			before.tuples + before.left + before.counted);
	}
	ops->close(self);
	free(op.tuple);
	free(self);
}

/* Orders the tuples of a batch, given twice, into small batches. */
static void
fuzz_order(const uint8_t *data, size_t size)
{
	static const bool wanted[2] = { false };
	static _Alignas(8) uint8_t batch[BATCH_MOST / 2];
	struct es__order order = { .streams = NULL };
	struct sum before = sum_of(data, size), after = { .tuples = 0 };
	bool more = false;

	if (before.whole && es__order_add(&order, 0, data, size, &more) == 0 &&
	    es__order_add(&order, 1, data, size, &more) == 0) {
		struct es__batch_out out;

		do {
			struct sum part;

			out = (struct es__batch_out){ .base = batch,
				.room = sizeof(batch) };
			MUST(es__order_take(&order, &out, wanted) == PATHS_OK);
			MUST(out.used <= out.room);
			part = sum_of(batch, out.used);
			MUST(part.whole);
			after.tuples += part.tuples;
			after.left += part.left;
		} while (out.used > 0);
		if (es__order_is_empty(&order))
			MUST(after.tuples == 2 * before.tuples &&
			    after.left == 2 * before.left);
	}
	es__order_fini(&order);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Records are aligned. */
	void *copy = malloc(size + 1);

	if (size > BATCH_MOST) {
		free(copy);
		return 0;
	}
	MUST(copy != NULL);
	memcpy(copy, data, size);
	/* A stage fails the operation of another batch, which needs a path. */
	if (sum_of(copy, size).whole) {
		fuzz_stage(&es__stage_filter, copy, size);
		fuzz_stage(&es__stage_count, copy, size);
	}
	fuzz_order(copy, size);
	free(copy);
	return 0;
}
