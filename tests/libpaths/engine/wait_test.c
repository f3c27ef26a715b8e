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

struct fake {
	struct paths_op op;
	int pumps, parks;
};

static bool
fake_pump(void *pumped)
{
	struct fake *fake = pumped;

	fake->pumps++;
	return false;
}

/* Reads the answer while it sleeps. */
static void
fake_park(void *pumped, uint64_t until)
{
	struct fake *fake = pumped;

	EXPECT_EQ(UINT64_MAX, until);
	fake->parks++;
	atomic_store(&fake->op.done, PATHS__UP);
}

static void
a_wait_without_yields_reads_nothing_before_it_sleeps(void)
{
	static const struct paths__pump pump = { fake_pump, fake_park };
	static struct fake fake;

	fake.op.pump = &pump;
	fake.op.pumped = &fake;
	EXPECT_TRUE(!paths__wait_yield(1, 0));
	EXPECT_TRUE(paths__wait_op(&fake.op, UINT64_MAX));
	EXPECT_EQ(0, fake.pumps);
	EXPECT_EQ(1, fake.parks);
}

TEST_MAIN(yields_are_off_for_twice_as_long_after_each_slow_one,
    a_wait_without_yields_reads_nothing_before_it_sleeps)
