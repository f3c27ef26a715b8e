/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/hash_test.c - proves libpaths/base/hash.h
 */

#include "libpaths/base/hash.h"

#include "tests/test.h"

#define NUMBERS 512u

struct item {
	uint32_t number; /* from 1; 0: free */
	uint32_t value;
};

static bool
item_used(const void *item)
{
	return ((const struct item *)item)->number != 0;
}

/* Eight numbers share a hash, so items are moved from their homes. */
static uint64_t
item_hash(const void *item)
{
	return ((const struct item *)item)->number / 8;
}

static bool
item_equal(const void *a, const void *b)
{
	return ((const struct item *)a)->number ==
	    ((const struct item *)b)->number;
}

static const struct paths__hash_kind item_kind = {
	.bytes = sizeof(struct item),
	.used = item_used,
	.hash = item_hash,
	.equal = item_equal,
};

static struct item *
find(const struct paths__hash *table, uint32_t number)
{
	const struct item key = { .number = number };

	return paths__hash_find(table, &item_kind, &key);
}

static void
an_empty_table_has_no_item(void)
{
	const struct paths__hash table = { .room = 0 };

	EXPECT_TRUE(find(&table, 1) == NULL);
}

static void
an_equal_item_is_added_once(void)
{
	struct paths__hash table = { .room = 0 };
	struct item *first = paths__hash_put(&table, &item_kind,
	    &(struct item){ .number = 7, .value = 1 });
	struct item *second = paths__hash_put(&table, &item_kind,
	    &(struct item){ .number = 7, .value = 2 });

	EXPECT_TRUE(first != NULL && first == second && first->value == 1);
	EXPECT_EQ(1, table.count);
	free(table.slots);
}

/* Checks the table against an array of the numbers that it should have. */
static void
expect_numbers(const struct paths__hash *table, const bool *there)
{
	size_t count = 0;

	for (uint32_t n = 1; n < NUMBERS; n++) {
		struct item *item = find(table, n);

		EXPECT_EQ(there[n], item != NULL);
		if (item != NULL)
			EXPECT_EQ(3 * n, item->value);
		count += there[n];
	}
	EXPECT_EQ(count, table->count);
}

static void
items_are_found_after_others_were_added_and_dropped(void)
{
	struct paths__hash table = { .room = 0 };
	bool there[NUMBERS] = { false };
	uint32_t random = 1;

	for (int step = 0; step < 4000; step++) {
		struct item item;

		random = random * 1664525u + 1013904223u;
		item.number = 1 + (random >> 16) % (NUMBERS - 1);
		item.value = 3 * item.number;
		if (there[item.number])
			paths__hash_drop(&table, &item_kind,
			    find(&table, item.number));
		else
			EXPECT_TRUE(
			    paths__hash_put(&table, &item_kind, &item) != NULL);
		there[item.number] = !there[item.number];
		if (step % 100 == 0)
			expect_numbers(&table, there);
	}
	expect_numbers(&table, there);
	EXPECT_TRUE(table.count * 2 <= table.room);
	free(table.slots);
}

TEST_MAIN(an_empty_table_has_no_item, an_equal_item_is_added_once,
    items_are_found_after_others_were_added_and_dropped)
