/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/mpi_pairs_test.c - proves scopes/run/mpi_pairs.c
 */

#include "scopes/run/mpi_pairs_private.h"

#include "libpaths/map.h"
#include "tests/test.h"

static void
the_least_number_of_each_key_is_found(void)
{
	static const struct es__mpi_pair added[] = { { 3, 1 }, { 1, 9 },
		{ 1, 4 }, { 2, 5 }, { 3, 0 }, { 2, 5 } };
	struct es__mpi_pairs pairs = { 0 };

	for (size_t n = 0; n < sizeof(added) / sizeof(added[0]); n++)
		EXPECT_OK(
		    es__mpi_pairs_add(&pairs, added[n].from, added[n].to));
	es__mpi_pairs_sort(&pairs);
	EXPECT_EQ(3, pairs.count);
	EXPECT_EQ(PATHS_NONE, es__mpi_pairs_find(&pairs, 0));
	EXPECT_EQ(4, es__mpi_pairs_find(&pairs, 1));
	EXPECT_EQ(5, es__mpi_pairs_find(&pairs, 2));
	EXPECT_EQ(0, es__mpi_pairs_find(&pairs, 3));
	EXPECT_EQ(PATHS_NONE, es__mpi_pairs_find(&pairs, 4));
	es__mpi_pairs_fini(&pairs);
}

static void
nothing_is_found_among_no_pairs(void)
{
	struct es__mpi_pairs pairs = { 0 };

	es__mpi_pairs_sort(&pairs);
	EXPECT_EQ(PATHS_NONE, es__mpi_pairs_find(&pairs, 0));
	es__mpi_pairs_fini(&pairs);
}

TEST_MAIN(the_least_number_of_each_key_is_found,
    nothing_is_found_among_no_pairs)
