/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/place/machine_test.c - proves scopes/machine.h and traffic.h
 */

#include "scopes/machine.h"
#include "scopes/traffic.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

/* Pseudorandom numbers that are the same each time. */
static uint32_t
draw(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % below;
}

static void
a_synthetic_machine_counts_hops_or_adds_links(void)
{
	struct es_machine *m = NULL;

	EXPECT_OK(es_machine_synthetic("8:2:4", NULL, &m));
	EXPECT_EQ(64, es_machine_slots(m));
	EXPECT_EQ(2, es_machine_levels(m));
	EXPECT_NEAR(0, es_machine_distance(m, 9, 9), 0);
	EXPECT_NEAR(2, es_machine_distance(m, 0, 3), 0);
	EXPECT_NEAR(4, es_machine_distance(m, 0, 4), 0);
	EXPECT_NEAR(6, es_machine_distance(m, 0, 8), 0);
	EXPECT_EQ(1, es_machine_depth(m, 0, 4));
	EXPECT_EQ(7, es_machine_group(m, 63, 0));
	EXPECT_EQ(15, es_machine_group(m, 63, 1));
	es_machine_destroy(m);
	EXPECT_OK(es_machine_synthetic("8:2:4", "10:3:1", &m));
	EXPECT_NEAR(1, es_machine_distance(m, 0, 3), 0);
	EXPECT_NEAR(4, es_machine_distance(m, 0, 4), 0);
	EXPECT_NEAR(14, es_machine_distance(m, 0, 63), 0);
	es_machine_destroy(m);
	EXPECT_OK(es_machine_synthetic("5", NULL, &m));
	EXPECT_EQ(0, es_machine_levels(m));
	EXPECT_NEAR(2, es_machine_distance(m, 0, 4), 0);
	es_machine_destroy(m);
}

#define UNEQUAL 200u
#define LEVELS 4u

/* Returns the number of levels on which two slots have the same groups. */
static uint32_t
shared(const uint32_t *groups, uint32_t a, uint32_t b)
{
	uint32_t n = 0;

	while (n < LEVELS && groups[a * LEVELS + n] == groups[b * LEVELS + n])
		n++;
	return n;
}

/* Slots in any order, and groups of any sizes and numbers. */
static void
distances_of_unequal_groups_are_those_of_their_paths(void)
{
	static const double distances[] = { 9, 6.5, 6.5, 2, 0 };
	uint32_t groups[UNEQUAL * LEVELS], state = 7, keep[UNEQUAL / 2];
	struct es_machine_tree tree = { UNEQUAL, LEVELS, groups, distances };
	struct es_machine *m = NULL, *part = NULL;

	for (uint32_t n = 0; n < UNEQUAL * LEVELS; n++)
		groups[n] = 1000000007u * draw(&state, 3 + n % LEVELS);
	EXPECT_OK(es_machine_create(&tree, &m));
	for (uint32_t n = 0; n < UNEQUAL / 2; n++)
		keep[n] = (n * 34 + 5) % UNEQUAL / 2 * 2 + n % 2;
	for (uint32_t a = 0; a < UNEQUAL; a++)
		for (uint32_t b = 0; b < UNEQUAL; b++) {
			uint32_t depth = shared(groups, a, b);

			EXPECT_NEAR(a == b ? 0 : distances[depth],
			    es_machine_distance(m, a, b), 0);
			EXPECT_EQ(depth, es_machine_depth(m, a, b));
			for (uint32_t n = 0; n < LEVELS; n++)
				EXPECT_EQ(n < depth,
				    es_machine_group(m, a, n) ==
					es_machine_group(m, b, n));
		}
	for (uint32_t n = 0; n < UNEQUAL / 2; n++)
		keep[n] = UNEQUAL - 1 - 2 * n;
	EXPECT_OK(es_machine_subset(m, keep, UNEQUAL / 2, &part));
	for (uint32_t a = 0; a < UNEQUAL / 2; a++)
		for (uint32_t b = 0; b < UNEQUAL / 2; b++)
			EXPECT_NEAR(es_machine_distance(m, keep[a], keep[b]),
			    es_machine_distance(part, a, b), 0);
	es_machine_destroy(part);
	es_machine_destroy(m);
}

static void
descriptions_that_are_none_are_refused(void)
{
	static const struct {
		const char *arity, *links;
		paths_status want;
	} bad[] = {
		{ "", NULL, PATHS_ESYNTAX },
		{ "8:", NULL, PATHS_ESYNTAX },
		{ "8::4", NULL, PATHS_ESYNTAX },
		{ "8:x", NULL, PATHS_ESYNTAX },
		{ "8:0", NULL, PATHS_ESYNTAX },
		{ "8:2.5", NULL, PATHS_ESYNTAX },
		{ "-8:2", NULL, PATHS_ESYNTAX },
		{ "nan", NULL, PATHS_ESYNTAX },
		{ "8:2", "1", PATHS_ESYNTAX },
		{ "8:2", "1:2:3", PATHS_ESYNTAX },
		{ "8:2", "1:-2", PATHS_ESYNTAX },
		{ "100000:100000", NULL, PATHS_ERANGE },
		{ "1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1", NULL, PATHS_ERANGE },
	};
	struct es_machine *m = NULL;

	for (size_t n = 0; n < sizeof(bad) / sizeof(*bad); n++)
		EXPECT_EQ(bad[n].want,
		    es_machine_synthetic(bad[n].arity, bad[n].links, &m));
	EXPECT_TRUE(m == NULL);
}

static void
trees_that_are_none_are_refused(void)
{
	static const double falls[] = { 1, 2 }, minus[] = { 1, -1 };
	static const double none[] = { NAN, 1 };
	static const uint32_t groups[] = { 0, 1 }, twice[] = { 1, 1 };
	struct es_machine_tree tree = { 0, 1, groups, NULL };
	struct es_machine *m = NULL, *part = NULL;

	EXPECT_EQ(PATHS_EINVAL, es_machine_create(&tree, &m));
	tree.slot_count = 2;
	tree.distances = falls;
	EXPECT_EQ(PATHS_EINVAL, es_machine_create(&tree, &m));
	EXPECT_STR_EQ("distance 2 of depth 1 is larger than 1 of depth 0",
	    paths_log_last());
	tree.distances = minus;
	EXPECT_EQ(PATHS_EINVAL, es_machine_create(&tree, &m));
	tree.distances = none;
	EXPECT_EQ(PATHS_EINVAL, es_machine_create(&tree, &m));
	tree.distances = NULL;
	EXPECT_OK(es_machine_create(&tree, &m));
	EXPECT_EQ(PATHS_EINVAL, es_machine_subset(m, twice, 2, &part));
	EXPECT_EQ(PATHS_EINVAL, es_machine_subset(m, twice, 0, &part));
	EXPECT_TRUE(part == NULL);
	es_machine_destroy(m);
}

/* Both directions and all entries of a pair are one weight. */
static void
traffic_adds_the_entries_of_a_pair(void)
{
	static const struct es_traffic_edge edges[] = { { 3, 1, 2 },
		{ 1, 3, 0.5 }, { 2, 2, 100 }, { 0, 4, 0 }, { 4, 1, 7 },
		{ 3, 1, 4 } };
	struct es_traffic *t = NULL;

	EXPECT_OK(es_traffic_create(5, edges, 6, &t));
	EXPECT_EQ(5, es_traffic_processes(t));
	EXPECT_EQ(2, es_traffic_pairs(t));
	EXPECT_NEAR(6.5, es_traffic_weight(t, 1, 3), 0);
	EXPECT_NEAR(6.5, es_traffic_weight(t, 3, 1), 0);
	EXPECT_NEAR(7, es_traffic_weight(t, 1, 4), 0);
	EXPECT_NEAR(0, es_traffic_weight(t, 2, 2), 0);
	EXPECT_NEAR(0, es_traffic_weight(t, 0, 4), 0);
	es_traffic_destroy(t);
}

static void
traffic_that_is_none_is_refused(void)
{
	struct es_traffic_edge edges[] = { { 0, 1, 1 }, { 1, 0, NAN } };
	struct es_traffic *t = NULL;

	EXPECT_EQ(PATHS_EINVAL, es_traffic_create(2, edges, 2, &t));
	EXPECT_STR_EQ("traffic from process 1 to 0 is nan: not a number from 0 "
		      "up",
	    paths_log_last());
	edges[1].weight = -1;
	EXPECT_EQ(PATHS_EINVAL, es_traffic_create(2, edges, 2, &t));
	edges[1].weight = INFINITY;
	EXPECT_EQ(PATHS_EINVAL, es_traffic_create(2, edges, 2, &t));
	edges[0].weight = edges[1].weight = 1.7e308;
	EXPECT_EQ(PATHS_ERANGE, es_traffic_create(2, edges, 2, &t));
	edges[1].weight = 1;
	EXPECT_EQ(PATHS_ERANGE, es_traffic_create(1, edges, 1, &t));
	EXPECT_STR_EQ("traffic from process 0 to 1: there are 1 processes",
	    paths_log_last());
	EXPECT_EQ(PATHS_EINVAL, es_traffic_create(0, edges, 0, &t));
	EXPECT_TRUE(t == NULL);
}

TEST_MAIN(a_synthetic_machine_counts_hops_or_adds_links,
    distances_of_unequal_groups_are_those_of_their_paths,
    descriptions_that_are_none_are_refused, trees_that_are_none_are_refused,
    traffic_adds_the_entries_of_a_pair, traffic_that_is_none_is_refused)
