/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/types_test.c - proves libpaths/map/types.c
 */

#include "tests/libpaths/map/fakes.h"

/* Lists "above>below" of each item of the chain of a path. */
static const char *
types_along(const struct paths_map *map, uint32_t chain)
{
	static char types[512];
	const struct paths_map_chain *c = &map->chains[chain];

	types[0] = '\0';
	for (uint32_t n = 0; n < c->count; n++) {
		const struct paths_map_item *item = &map->items[c->first + n];

		strcat(types, n == 0 ? "" : " ");
		strcat(types, type_of(&item->above));
		strcat(types, ">");
		strcat(types, type_of(&item->below));
	}
	return types;
}

static void
types_come_up_from_the_element(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{pass} {proxy q} {proxy p} {typed "
			     "-type f64*1} {pass} {element e}}\n");

	EXPECT_STR_EQ("f64*1", type_of(&map->chains[0].type));
	EXPECT_STR_EQ("f64*1>f64*1 f64*1>f64*1 f64*1>f64*1 f64*1>f64*1 "
		      "f64*1>f64*1 f64*1>f64*1",
	    types_along(map, 0));
	paths_map_close(map);
}

static void
a_stage_may_change_the_type(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{pass} {change -above u8*4 -below i32} {pass} "
		 "{change -above i32 -below f64} {element e}}\n");

	EXPECT_STR_EQ("u8*4", type_of(&map->chains[0].type));
	EXPECT_STR_EQ("u8*4>u8*4 u8*4>i32*1 i32*1>i32*1 i32*1>f64*1 "
		      "f64*1>f64*1",
	    types_along(map, 0));
	paths_map_close(map);
}

static void
types_pass_joins_and_buffers(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{pass} {s}}\n"
			     "stage s join -process p -inputs 1 -next {{pass} "
			     "{behind} {element e}}\n");

	EXPECT_STR_EQ("f64*1", type_of(&map->chains[0].type));
	EXPECT_STR_EQ("f64*1>f64*1 f64*1>f64*1", types_along(map, 0));
	EXPECT_STR_EQ("f64*1>f64*1 f64*1>f64*1", types_along(map, 1));
	paths_map_close(map);
}

/* When no stage below has a type, the stage above gives it. */
static void
types_come_down_when_none_is_known_below(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{element e}}\n"
		 "path t n {{pass} {typed -type u8*2} {side {{pass} {turn}}} "
		 "{s}}\n"
		 "stage s join -process p -inputs 1 -next {{behind} {pass} "
		 "{turn}}\n");

	EXPECT_STR_EQ("u8*2>u8*2 u8*2>u8*2 u8*2>u8*2 u8*2>u8*2",
	    types_along(map, 1));
	for (uint32_t c = 1; c < map->chain_count; c++) {
		EXPECT_STR_EQ("u8*2", type_of(&map->chains[c].type));
		for (uint32_t n = 0; n < map->chains[c].count; n++)
			EXPECT_STR_EQ("u8*2",
			    type_of(
				&map->items[map->chains[c].first + n].below));
	}
	paths_map_close(map);
}

static void
a_chain_without_any_type_is_unknown(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{element e}}\npath t n {{pass} {turn}}\n");

	EXPECT_EQ(PATHS_TYPE_NONE, map->chains[1].type.kind);
	EXPECT_STR_EQ("unknown>unknown unknown>unknown", types_along(map, 1));
	paths_map_close(map);
}

static void
a_second_chain_gives_the_type_too(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t n {{pass} {side {{element e}}} {turn}}\n");

	EXPECT_STR_EQ("f64*1>f64*1 f64*1>f64*1 f64*1>f64*1",
	    types_along(map, 0));
	paths_map_close(map);
}

static void
the_same_way_of_types_differs(const char *text, const char *error)
{
	char map[1024];

	snprintf(map, sizeof(map), BASE "%s\n", text);
	expect_refused(PATHS_ETYPE, map, strlen(map), error);
}

#define ELEMENT_F "element f -process p -type u8\npath u f {{element f}}\n"

static void
types_that_differ_are_refused(void)
{
	register_fakes();
	the_same_way_of_types_differs(
	    "path t e {{typed -type u8*8} {pass} {element e}}",
	    "m:10: t/e.0:typed: expected tuples of u8*8, not of f64*1 as e "
	    "has them");
	the_same_way_of_types_differs(
	    "path t e {{change -above u8 -below i8} {change -above i16 -below "
	    "f64} {element e}}",
	    "m:10: t/e.0:change: expected tuples of i8*1, not of i16*1 as "
	    "t/e.1:change has them");
	the_same_way_of_types_differs(
	    "path t e {{s}}\n"
	    "stage s joint -type f32 -process p -inputs 1 -next {{element "
	    "e}}",
	    "m:10: s: expected tuples of f32*1, not of f64*1 as e has them");
	the_same_way_of_types_differs(
	    "path t e {{typed -type f32} {s}}\n"
	    "stage s join -process p -inputs 1 -next {{pass} {element e}}",
	    "m:10: t/e.0:typed: expected tuples of f32*1, not of f64*1 as e "
	    "has them");
	the_same_way_of_types_differs(ELEMENT_F
	    "path t e {{side {{element f}}} {element e}}",
	    "m:12: t/e.0:side: expected tuples of u8*1, not of f64*1 as e has "
	    "them");
}

static void
all_inputs_of_a_join_have_one_type(void)
{
	register_fakes();
	the_same_way_of_types_differs(
	    "path t e {{element e}}\n"
	    "path t n {{typed -type f32} {s}}\n"
	    "path u n {{typed -type u32} {pass} {s}}\n"
	    "stage s join -process p -inputs 2 -next {{turn}}",
	    "m:11: s: expected tuples of f32*1, not of u32*1 as s has them");
}

/* The message has the stage and the line of its options. */
static void
a_stage_may_refuse_its_options(void)
{
	static char text[64 << 10];
	int n = snprintf(text, sizeof(text),
	    BASE
	    "stage s joint -type f64 -process p -inputs 1000 -next {{element "
	    "e}}\n");
	struct paths_map *map = NULL;

	for (int i = 0; i < 1000; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    "thread t%d -process p\npath t%d e {{s}}\n", i, i);
	register_fakes();
	EXPECT_EQ(PATHS_ERANGE, paths_map_parse(text, (size_t)n, "m", &map));
	EXPECT_STR_EQ("m:10: s: expected other options: 1000 is over 999",
	    paths_log_last());
}

static void
chains_of_a_stage_have_its_type(void)
{
	static const char differ[] =
	    BASE "path t e {{sides {{typed -type u8*4} {turn}} "
		 "{{typed -type u8*8} {turn}}}}\npath u e {{element e}}\n";
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{pass} {sides {{turn}} {{typed -type u8*4} {turn}} "
		 "{{pass} {turn}}}}\npath u e {{element e}}\n");

	EXPECT_STR_EQ("u8*4", type_of(&map->chains[0].type));
	for (uint32_t n = 1; n <= 3; n++)
		EXPECT_STR_EQ("u8*4", type_of(&map->chains[n].type));
	paths_map_close(map);
	expect_refused(PATHS_ETYPE, differ, strlen(differ),
	    "m:10: t/e.0:sides: expected tuples of u8*8, not of u8*4 as "
	    "t/e.0:sides has them");
}

TEST_MAIN(chains_of_a_stage_have_its_type, types_come_up_from_the_element,
    a_stage_may_change_the_type, types_pass_joins_and_buffers,
    types_come_down_when_none_is_known_below,
    a_chain_without_any_type_is_unknown, a_second_chain_gives_the_type_too,
    types_that_differ_are_refused, all_inputs_of_a_join_have_one_type,
    a_stage_may_refuse_its_options)
