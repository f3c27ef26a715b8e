/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/engine/wait_test.c - proves libpaths/engine/wait.c
 */

#include "libpaths/engine/wait_private.h"

#include "tests/test.h"

/* Returns how many waits begin without a yield; at most 100. */
static int
waits_without_yield(void)
{
	int n = 0;

	while (n < 100 && !paths__wait_yield(0, UINT32_MAX))
		n++;
	return n;
}

/* Every yield is slow under a limit of 0. */
static void
yields_are_off_for_twice_as_long_after_each_slow_one(void)
{
	EXPECT_EQ(0, waits_without_yield());
	EXPECT_TRUE(!paths__wait_yield(1, 0));
	EXPECT_EQ(16, waits_without_yield());
	EXPECT_TRUE(!paths__wait_yield(1, 0));
	EXPECT_EQ(31, waits_without_yield());
}

TEST_MAIN(yields_are_off_for_twice_as_long_after_each_slow_one)
