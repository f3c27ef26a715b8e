/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/check_test.c - proves libpaths/map/check.c
 */

#include "tests/libpaths/map/fakes.h"

#include <stdlib.h>

#define JOIN(name, inputs, next) \
	"stage " name " join -process p -inputs " inputs " -next {" next "}\n"

static void
the_count_of_chains_that_enter_is_checked(void)
{
	static const struct refused refused[] = {
		{ JOIN("s", "2", "{element e}") "path t e {{s}}",
		    "m:10: s: expected 2 chains to enter it, as -inputs says, "
		    "not 1" },
		{ JOIN("s", "1", "{element e}") "path t e {{s}}\n"
						"path u e {{s}}",
		    "m:10: s: expected 1 chains to enter it, as -inputs says, "
		    "not 2" },
		{ JOIN("s", "1", "{element e}") "path t e {{element e}}",
		    "m:10: s: expected 1 chains to enter it, as -inputs says, "
		    "not 0" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

/* Tails of joins, tails of buffers and second chains count alike. */
static void
every_kind_of_chain_counts_as_an_input(void)
{
	struct paths_map *map = parse_fakes(BASE JOIN("s", "4", "{element e}")
		JOIN("below", "1", "{s}") "path t e {{below}}\n"
					  "path u e {{side {{behind} "
					  "{s}}} {behind} {s}}\n"
					  "thread v -process p\n"
					  "path v e {{s}}\n");
	uint32_t s = instance_named(map, "s");
	uint32_t next = 0;

	EXPECT_EQ(4, map->instances[s].inputs);
	for (uint32_t n = 0; n < map->item_count; n++) {
		if (map->items[n].instance == s)
			EXPECT_EQ(next++, map->items[n].input);
	}
	EXPECT_EQ(4, next);
	paths_map_close(map);
}

static void
every_element_is_reached(void)
{
	static const struct refused refused[] = {
		{ "", "m:9: e: expected a path that leads to it" },
		{ "path t e {{turn}}",
		    "m:9: e: expected a path that leads to it" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_cycle_of_chains_is_refused(void)
{
	static const struct refused refused[] = {
		{ "path t e {{s}}\n" JOIN("s", "2", "{s}"),
		    "m:11: s: expected a chain that does not come back to "
		    "it" },
		{ "path t e {{a}}\n" JOIN("a", "2", "{pass} {b}")
			JOIN("b", "1", "{c}") JOIN("c", "1", "{behind} {a}"),
		    "m:13: a: expected a chain that does not come back to "
		    "it" },
		{ "path t e {{a}}\n" JOIN("a", "2", "{side {{a}}} {element e}"),
		    "m:11: a: expected a chain that does not come back to "
		    "it" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_path_ends_at_the_element_it_names(void)
{
	static const struct refused refused[] = {
		{ "path t f {{element e}}",
		    "m:10: f: expected the path to end there, not at e" },
		{ JOIN("s", "1", "{behind} {element e}") "path t f {{pass} "
							 "{s}}",
		    "m:11: f: expected the path to end there, not at e" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

/* The depth is the count of lines; the check must not be recursive. */
static void
a_long_chain_of_chains_is_checked(void)
{
	enum { STAGES = 50000 };
	size_t room = (size_t)STAGES * 80 + 1000;
	char *text = malloc(room);
	size_t n = (size_t)snprintf(text, room, BASE "path t e {{s0}}\n");
	struct paths_map *map;
	uint32_t steps = 0;

	for (int i = 0; i < STAGES; i++)
		n += (size_t)snprintf(text + n, room - n,
		    JOIN("s%d", "1", "{s%d}"), i, i + 1);
	snprintf(text + n, room - n, JOIN("s%d", "1", "{element e}"), STAGES);
	map = parse_fakes(text);
	for (uint32_t at = map->chains[map->paths[0].chain].first;
	     at != PATHS_NONE; at = paths_map_next(map, at))
		steps++;
	EXPECT_EQ(STAGES + 2, steps);
	EXPECT_EQ(0, map->paths[0].element);
	paths_map_close(map);
	free(text);
}

TEST_MAIN(the_count_of_chains_that_enter_is_checked,
    every_kind_of_chain_counts_as_an_input, every_element_is_reached,
    a_cycle_of_chains_is_refused, a_path_ends_at_the_element_it_names,
    a_long_chain_of_chains_is_checked)
