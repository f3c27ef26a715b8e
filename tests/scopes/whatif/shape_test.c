/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/shape_test.c - another tree of joins answers as much
 * later as its stages tell, to the ns
 */

#include "scopes/whatif/shape_private.h"

#include "libpaths/map.h"

#include "tests/test.h"

/* Four threads: two joins of two above a third one, or one join of all. */
static void
another_tree_answers_at_another_time(void)
{
	struct es__whatif_shape_node tree_members[] = { { 0, 1, 2 },
		{ 0, 1, 2 }, { 1, 1, 2 }, { 1, 1, 2 } };
	struct es__whatif_shape_node tree_joins[] = { { 2, 10, 3 },
		{ 2, 10, 3 }, { PATHS_NONE, 20, 5 } };
	struct es__whatif_shape_node flat_members[] = { { 0, 1, 2 },
		{ 0, 1, 2 }, { 0, 1, 2 }, { 0, 4, 40 } };
	struct es__whatif_shape_node flat_joins[] = { { PATHS_NONE, 20, 5 } };
	double moments[6], more[4];
	struct es__whatif_joined joined = { .element = "total",
		.member_count = 4,
		.old = { .members = tree_members,
		    .joins = tree_joins,
		    .join_count = 3 },
		.new = { .members = flat_members,
		    .joins = flat_joins,
		    .join_count = 1 },
		.moments = moments };

	/* The tree answers at 107 + 1 + 10 + 20, the other at 107 + 1 + 20. */
	es__whatif_shape_more(&joined, (double[]){ 100, 107, 103, 101 }, more);
	EXPECT_EQ(128 + 5 + 2 - (138 + 5 + 3 + 2), (int)more[0]);
	EXPECT_EQ((int)more[0], (int)more[2]);
	/* Thread 3 has a longer way. */
	EXPECT_EQ(128 + 5 + 40 - (138 + 5 + 3 + 2), (int)more[3]);
	/* It comes last now, behind 4 ns. */
	es__whatif_shape_more(&joined, (double[]){ 100, 101, 100, 102 }, more);
	EXPECT_EQ(126 + 5 + 2 - (133 + 5 + 3 + 2), (int)more[0]);
	joined.new = joined.old;
	es__whatif_shape_more(&joined, (double[]){ 100, 107, 103, 101 }, more);
	for (size_t n = 0; n < 4; n++)
		EXPECT_TRUE(more[n] == 0);
}

TEST_MAIN(another_tree_answers_at_another_time)
