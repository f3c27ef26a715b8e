/* SPDX-License-Identifier: MIT */
/*
 * tests/examples/cut_test.c - slices of about equal cost
 */

#include "examples/cut.h"

#include "tests/test.h"

static void
rows_of_one_cost_are_cut_evenly(void)
{
	uint64_t cost[12];
	uint32_t cuts[13];

	for (unsigned i = 0; i < 12; i++)
		cost[i] = 5;
	for (uint32_t slices = 1; slices <= 12; slices++) {
		cut_rows(cost, 12, slices, cuts);
		EXPECT_EQ(0, cuts[0]);
		EXPECT_EQ(12, cuts[slices]);
		for (uint32_t n = 0; n < slices; n++) {
			uint32_t rows = cuts[n + 1] - cuts[n];

			EXPECT_TRUE(
			    rows == 12 / slices || rows == 12 / slices + 1);
		}
	}
}

static void
costly_rows_are_shared_out(void)
{
	const uint64_t cost[] = { 1, 1, 8, 8, 8, 8, 1, 1, 1, 1, 1, 1 };
	uint32_t cuts[3];

	cut_rows(cost, 12, 2, cuts);
	EXPECT_EQ(4, cuts[1]);
}

/* Also if one row costs more than all others together. */
static void
no_slice_is_left_without_a_row(void)
{
	uint64_t cost[8] = { 0 };
	uint32_t cuts[9];

	for (uint32_t heavy = 0; heavy < 8; heavy++)
		for (uint32_t slices = 1; slices <= 8; slices++) {
			for (unsigned i = 0; i < 8; i++)
				cost[i] = i == heavy ? 1000 : 1;
			cut_rows(cost, 8, slices, cuts);
			EXPECT_EQ(0, cuts[0]);
			EXPECT_EQ(8, cuts[slices]);
			for (uint32_t n = 0; n < slices; n++)
				EXPECT_TRUE(cuts[n] < cuts[n + 1]);
		}
}

TEST_MAIN(rows_of_one_cost_are_cut_evenly, costly_rows_are_shared_out,
    no_slice_is_left_without_a_row)
