/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/path/histogram_test.c - proves scopes/path/histogram.c
 */

#include "scopes/path/histogram_private.h"

#include "tests/test.h"

#include <string.h>

static struct es__histogram histogram;

static int64_t
middle_of_one(uint64_t n)
{
	memset(&histogram, 0, sizeof(histogram));
	es__histogram_add(&histogram, (int64_t)n);
	return es__histogram_at(&histogram, 0.5);
}

static void
small_numbers_are_exact(void)
{
	for (uint64_t n = 0; n < 512; n++)
		EXPECT_EQ(n, middle_of_one(n));
}

static void
no_number_is_off_by_half_a_percent(void)
{
	for (uint64_t n = 512; n < UINT64_C(1) << 62; n += n / 77 + 1)
		EXPECT_NEAR((double)n, (double)middle_of_one(n),
		    0.002 * (double)n);
	EXPECT_TRUE(es__histogram_bin(UINT64_MAX) < ES__HISTOGRAM_BINS);
}

static void
bins_follow_each_other(void)
{
	uint32_t last = es__histogram_bin(0);

	for (uint64_t n = 1; n < 1000000; n++) {
		uint32_t bin = es__histogram_bin(n);

		EXPECT_TRUE(bin == last || bin == last + 1);
		last = bin;
	}
}

static void
quantiles_are_by_rank(void)
{
	memset(&histogram, 0, sizeof(histogram));
	EXPECT_EQ(0, es__histogram_at(&histogram, 0.5));
	for (int64_t n = 1; n <= 100; n++)
		es__histogram_add(&histogram, n);
	EXPECT_EQ(1, es__histogram_at(&histogram, 0));
	EXPECT_EQ(50, es__histogram_at(&histogram, 0.5));
	EXPECT_EQ(95, es__histogram_at(&histogram, 0.95));
	EXPECT_EQ(100, es__histogram_at(&histogram, 1));
}

TEST_MAIN(small_numbers_are_exact, no_number_is_off_by_half_a_percent,
    bins_follow_each_other, quantiles_are_by_rank)
