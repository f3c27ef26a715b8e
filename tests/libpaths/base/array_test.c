/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/array_test.c - proves libpaths/base/array.h
 */

#include "libpaths/base/array.h"

#include "tests/test.h"

#include <stdint.h>

static void
items_are_kept_while_an_array_grows(void)
{
	uint32_t *items = NULL;
	size_t room = 0, grown = 0;

	for (uint32_t n = 0; n < 1000; n++) {
		size_t before = room;

		EXPECT_TRUE(
		    paths__array_grow(&items, n, &room, sizeof(*items)));
		EXPECT_TRUE(room > n);
		grown += room != before;
		items[n] = n;
	}
	for (uint32_t n = 0; n < 1000; n++)
		EXPECT_EQ(n, items[n]);
	EXPECT_TRUE(grown < 10);
	free(items);
}

static void
room_for_many_is_reserved_at_once(void)
{
	char *items = NULL;
	size_t room = 0;

	EXPECT_TRUE(paths__array_reserve(&items, 1000, &room, 1));
	EXPECT_TRUE(room >= 1000);
	items[999] = 'a';
	free(items);
}

TEST_MAIN(items_are_kept_while_an_array_grows,
    room_for_many_is_reserved_at_once)
