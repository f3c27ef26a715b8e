/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/hops_test.c - of a long critical path, the longest parts
 * are written, and some of the others
 */

#include "scopes/graph/hops_private.h"

#include "tests/test.h"

#define COUNT 1000

static struct es__graph_hop hops[COUNT];

/* Makes parts of a length; every tenth one takes ten times as long. */
static void
path(int64_t ns, bool same)
{
	int64_t now = 0;

	for (size_t n = 0; n < COUNT; n++) {
		hops[n].start_ns = now;
		now += n % 10 == 0 && !same ? 10 * ns : ns;
		hops[n].stop_ns = now;
	}
}

/* Expects so many parts, and so many of them in each tenth of the path. */
static void
expect_taken(uint64_t most, uint64_t all, uint64_t in_tenth)
{
	struct es__graph_hops choice = es__graph_hops_choose(hops, COUNT, most);
	uint64_t taken = 0, tenth = 0;

	for (size_t n = 0; n < COUNT; n++) {
		tenth += es__graph_hops_take(&choice, &hops[n]);
		if (n % 100 < 99)
			continue;
		EXPECT_EQ(in_tenth, tenth);
		taken += tenth;
		tenth = 0;
	}
	EXPECT_EQ(all, taken);
}

static void
a_short_path_is_whole(void)
{
	path(100, false);
	expect_taken(COUNT, COUNT, 100);
	path(1, true);
	expect_taken(COUNT, COUNT, 100);
}

static void
the_longest_parts_are_taken(void)
{
	path(100, false);
	expect_taken(100, 100, 10);
	/* One in two of the others, spread over the path. */
	expect_taken(550, 550, 55);
}

static void
parts_of_the_same_length_are_spread(void)
{
	static const int64_t lengths[] = { 1, 2, 1023, 1024, 1025,
		INT64_MAX / COUNT };

	for (size_t n = 0; n < sizeof(lengths) / sizeof(lengths[0]); n++) {
		path(lengths[n], true);
		expect_taken(500, 500, 50);
		expect_taken(990, 990, 99);
		expect_taken(0, 0, 0);
	}
}

TEST_MAIN(a_short_path_is_whole, the_longest_parts_are_taken,
    parts_of_the_same_length_are_spread)
