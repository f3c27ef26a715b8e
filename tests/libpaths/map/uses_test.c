/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/uses_test.c - proves libpaths/map/uses.c
 */

#include "tests/libpaths/map/fakes.h"

#define SWAPS "stage s swaps -process p -inputs 1 -next {{element e}}\n"

static void
a_path_needs_stages_that_take_its_operations(void)
{
	static const struct refused refused[] = {
		{ "path t e {{pass} {writes} {element e}} -use read",
		    "m:10: e: expected stages that take read; t/e.1:writes "
		    "takes only write" },
		{ "path t e {{reads} {element e}} -use write",
		    "m:10: e: expected stages that take write; t/e.0:reads "
		    "takes only read" },
		{ SWAPS "path t e {{pass} {s}} -use read",
		    "m:11: e: expected stages that take read; s takes only "
		    "write or exchange" },
		{ "path t e {{element e}}\n"
		  "path u e {{writes} {element e}} -use exchange",
		    "m:11: e: expected stages that take exchange; "
		    "u/e.0:writes takes only write" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

/* Operations become writes at the stage `behind`. */
static void
the_chain_behind_a_stage_needs_to_take_writes(void)
{
	static const struct refused refused[] = {
		{ "path t e {{behind} {reads} {element e}} -use read",
		    "m:10: e: expected stages that take write; "
		    "t/e.0:behind.0:reads takes only read" },
		{ "path t e {{behind} {reads} {element e}}",
		    "m:10: e: expected stages that take write; "
		    "t/e.0:behind.0:reads takes only read" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
	paths_map_close(parse_fakes(
	    BASE "path t e {{behind} {writes} {element e}} -use read"));
}

static void
a_path_of_any_use_needs_one_kind_that_passes(void)
{
	static const struct refused refused[] = {
		{ "path t e {{writes} {pass} {reads} {element e}}",
		    "m:10: e: expected stages that take write; t/e.2:reads "
		    "takes only read" },
		{ SWAPS "path t e {{reads} {s}}",
		    "m:11: e: expected stages that take read; s takes only "
		    "write or exchange" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
	paths_map_close(parse_fakes(BASE SWAPS "path t e {{writes} {s}}"));
}

/* The second chain of a stage carries copies, not the path's operations. */
static void
a_second_chain_is_not_part_of_the_path(void)
{
	paths_map_close(parse_fakes(
	    BASE "path t e {{side {{writes} {turn}}} {element e}} -use read"));
}

/* A run that was recorded can be read, whatever its paths could do. */
static void
a_reader_of_runs_does_not_check_uses(void)
{
	static const char text[] =
	    BASE "path t e {{writes} {element e}} -use read";
	static const char *const none[] = { NULL };
	const struct paths_map_reader strict = { .plugins = none };
	struct paths_map *map = NULL;

	register_fakes();
	EXPECT_OK(paths_map_read_text(text, sizeof(text) - 1, "m", NULL, &map));
	paths_map_close(map);
	EXPECT_EQ(PATHS_ESYNTAX,
	    paths_map_read_text(text, sizeof(text) - 1, "m", &strict, &map));
}

TEST_MAIN(a_path_needs_stages_that_take_its_operations,
    the_chain_behind_a_stage_needs_to_take_writes,
    a_path_of_any_use_needs_one_kind_that_passes,
    a_second_chain_is_not_part_of_the_path,
    a_reader_of_runs_does_not_check_uses)
