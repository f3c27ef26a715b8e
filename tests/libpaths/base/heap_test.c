/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/heap_test.c - proves libpaths/base/heap.h
 */

#include "libpaths/base/heap.h"

#include "tests/test.h"

#include <stdint.h>

#define COUNT 200u

static bool
number_before(const void *context, const void *a, const void *b)
{
	const bool *descending = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return *descending ? x > y : x < y;
}

static const struct paths__heap_kind number_kind = { sizeof(uint32_t),
	number_before };

/* Spreads COUNT numbers over their range. */
static uint32_t
spread(uint32_t n)
{
	return n * 77 % COUNT;
}

/* Takes all numbers, which must ascend or descend by 1. */
static void
expect_in_order(struct paths__heap *heap, bool descending)
{
	uint32_t *numbers = heap->items;

	for (uint32_t n = 0; n < COUNT; n++) {
		EXPECT_EQ(descending ? COUNT - 1 - n : n, numbers[0]);
		numbers[0] = numbers[--heap->count];
		paths__heap_sink(heap, &number_kind, 0);
	}
}

static void
an_array_is_made_a_heap(void)
{
	for (int descending = 0; descending < 2; descending++) {
		const bool order = descending != 0;
		uint32_t numbers[COUNT], spare;
		struct paths__heap heap = { numbers, COUNT, &spare, &order };

		for (uint32_t n = 0; n < COUNT; n++)
			numbers[n] = spread(n);
		paths__heap_make(&heap, &number_kind);
		expect_in_order(&heap, order);
	}
}

static void
items_are_added_one_by_one(void)
{
	const bool descending = false;
	uint32_t numbers[COUNT], spare;
	struct paths__heap heap = { numbers, 0, &spare, &descending };

	for (uint32_t n = 0; n < COUNT; n++) {
		numbers[heap.count] = spread(n);
		paths__heap_rise(&heap, &number_kind, heap.count++);
	}
	expect_in_order(&heap, descending);
}

static void
the_first_item_is_replaced(void)
{
	const bool descending = false;
	uint32_t numbers[COUNT], spare, last = 0;
	struct paths__heap heap = { numbers, COUNT, &spare, &descending };

	for (uint32_t n = 0; n < COUNT; n++)
		numbers[n] = spread(n);
	paths__heap_make(&heap, &number_kind);
	for (uint32_t n = 0; n < 5 * COUNT; n++) {
		uint32_t next = numbers[0] + spread(n);

		EXPECT_TRUE(numbers[0] >= last);
		last = numbers[0];
		paths__heap_replace(&heap, &number_kind, 0, &next);
	}
}

TEST_MAIN(an_array_is_made_a_heap, items_are_added_one_by_one,
    the_first_item_is_replaced)
