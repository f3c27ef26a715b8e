/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/engine/wait_test.c - proves libpaths/engine/wait.c
 */

#include "libpaths/engine/wait_private.h"

#include "libpaths/clock.h"

#include "tests/test.h"

#include <string.h>

/* Returns how many waits begin without a yield; at most 100. */
static int
waits_without_yield(void)
{
	int n = 0;

	while (n < 100 && !paths__wait_yield(0, UINT32_MAX))
		n++;
	return n;
}

/* Makes the penalty the least one. */
static void
yield_quickly(void)
{
	for (int i = 0; i < 10000; i++)
		(void)paths__wait_yield(0, UINT32_MAX);
}

/* Every yield is slow under a limit of 0. */
static void
yield_slowly(int times)
{
	for (int i = 0; i < times; i++)
		EXPECT_TRUE(!paths__wait_yield(1, 0));
}

static void
yields_are_off_for_twice_as_long_after_each_slow_one(void)
{
	EXPECT_EQ(0, waits_without_yield());
	yield_slowly(1);
	EXPECT_EQ(1, waits_without_yield());
	yield_slowly(5);
	EXPECT_EQ(16, waits_without_yield());
	yield_slowly(1);
	EXPECT_EQ(27, waits_without_yield());
}

struct fake {
	struct paths_op op;
	int pumps, parks, glances;
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
fake_glance(void *pumped)
{
	struct fake *fake = pumped;

	fake->glances++;
}

static void
a_wait_without_yields_reads_nothing_before_it_sleeps(void)
{
	static const struct paths__pump pump = { fake_pump, fake_park,
		fake_glance };
	static struct fake fake;

	fake.op.pump = &pump;
	fake.op.pumped = &fake;
	yield_slowly(1);
	EXPECT_TRUE(paths__wait_op(&fake.op, UINT64_MAX));
	EXPECT_EQ(0, fake.pumps);
	EXPECT_EQ(1, fake.parks);
}

/* Bytes of a large tuple move; the fourth part is the last. */
static bool
fake_pump_part(void *pumped)
{
	struct fake *fake = pumped;

	if (++fake->pumps == 4)
		atomic_store(&fake->op.done, PATHS__UP);
	return true;
}

static void
fake_park_only(void *pumped, uint64_t until)
{
	struct fake *fake = pumped;

	EXPECT_EQ(UINT64_MAX, until);
	fake->parks++;
}

/* On a busy machine all yields may be slow, so there are several attempts. */
static void
a_wait_yields_again_while_a_large_tuple_moves(void)
{
	static const struct paths__pump pump = { fake_pump_part, fake_park_only,
		fake_glance };
	struct fake fake = { .parks = 4 };

	for (int i = 0; i < 100 && fake.parks == 4; i++) {
		memset(&fake, 0, sizeof(fake));
		fake.op.pump = &pump;
		fake.op.pumped = &fake;
		yield_quickly();
		yield_slowly(1);
		EXPECT_TRUE(paths__wait_op(&fake.op, UINT64_MAX));
		EXPECT_EQ(4, fake.pumps);
	}
	EXPECT_TRUE(fake.parks < 4);
}

/* Breaks the connection, which ends the operation. */
static void
fake_glance_last(void *pumped)
{
	struct fake *fake = pumped;

	if (++fake->glances == 2)
		atomic_store(&fake->op.done, PATHS__UP);
}

/* So that a thread that polls, or sleeps elsewhere, notices silence too. */
static void
a_wait_without_time_glances_at_the_connection(void)
{
	static const struct paths__pump pump = { fake_pump, fake_park_only,
		fake_glance_last };
	struct fake fake = { .op.pump = &pump };

	fake.op.pumped = &fake;
	EXPECT_TRUE(!paths__wait_op(&fake.op, paths_clock_ticks()));
	EXPECT_TRUE(paths__wait_op(&fake.op, paths_clock_ticks()));
	EXPECT_EQ(2, fake.pumps);
	EXPECT_EQ(2, fake.glances);
	EXPECT_EQ(0, fake.parks);
}

TEST_MAIN(yields_are_off_for_twice_as_long_after_each_slow_one,
    a_wait_without_yields_reads_nothing_before_it_sleeps,
    a_wait_yields_again_while_a_large_tuple_moves,
    a_wait_without_time_glances_at_the_connection)
