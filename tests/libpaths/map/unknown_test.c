/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/unknown_test.c - proves libpaths/map/unknown.c
 */

#include "tests/libpaths/map/fakes.h"

#include <stdlib.h>

/* Reads a map as commands do that show a run. */
static struct paths_map *
read_map(const char *text)
{
	struct paths_map *map = NULL;
	paths_status st;

	register_fakes();
	st = paths_map_read_text(text, strlen(text), "m", NULL, &map);
	if (st != PATHS_OK)
		printf("# %s\n", paths_log_last());
	EXPECT_OK(st);
	return map;
}

static bool
is_unknown(const struct paths_map *map, uint32_t item)
{
	return (map->items[item].ops->flags & PATHS_STAGE_UNKNOWN) != 0;
}

static void
an_unknown_kind_is_read_with_any_words(void)
{
	struct paths_map *map =
	    read_map(BASE "path t e {{pass} {fancy} {pass} {fancy -x {a b} "
			  "c -next} {element e}}\n"
			  "path u e {{fancy} {element e}}\n");

	EXPECT_EQ(1, map->unknown_count);
	EXPECT_STR_EQ("fancy", map->unknowns[0].name);
	EXPECT_EQ(10, map->unknowns[0].line);
	EXPECT_TRUE(map->unknowns[0].stage == map->items[1].ops);
	EXPECT_TRUE(map->items[3].ops == map->items[1].ops);
	EXPECT_TRUE(!is_unknown(map, 0) && is_unknown(map, 1));
	EXPECT_STR_EQ("t/e.1:fancy",
	    map->instances[map->items[1].instance].name);
	EXPECT_TRUE(paths_map_option(&map->items[3], "-x") == NULL);
	EXPECT_EQ(0, map->paths[0].element);
	paths_map_close(map);
}

static void
a_chain_may_end_after_an_unknown_kind(void)
{
	struct paths_map *map = read_map(BASE "path t e {{pass} {fancy}}\n"
					      "path u e {{element e}}\n");

	EXPECT_EQ(PATHS_NONE, map->paths[0].element);
	EXPECT_EQ(0, map->paths[1].element);
	paths_map_close(map);
}

static void
a_stage_line_of_an_unknown_kind_has_what_all_have(void)
{
	struct paths_map *map =
	    read_map(BASE "stage s fancy -op {-inputs 7} word -process q "
			  "-inputs 2 -last -next {{proxy p} {element e}}\n"
			  "path t e {{proxy q} {s}}\n"
			  "path u e {{proxy q} {s}}\n");
	const struct paths_map_instance *s =
	    &map->instances[instance_named(map, "s")];

	EXPECT_STR_EQ("fancy", s->ops->name);
	EXPECT_EQ(PATHS_STAGE_JOIN | PATHS_STAGE_UNKNOWN, s->ops->flags);
	EXPECT_EQ(2, s->inputs);
	EXPECT_STR_EQ("q", map->processes[s->process].name);
	EXPECT_EQ(0, map->paths[0].element);
	paths_map_close(map);
}

/* The rest of such a line is checked as always. */
static void
other_errors_are_still_found(void)
{
	static const struct refused refused[] = {
		{ "stage s fancy -process x -inputs 1 -next {{element e}}",
		    "m:10: x: expected the name of a process" },
		{ "stage s fancy -process p -next {{element e}}",
		    "m:10: s: expected -inputs, a whole number" },
		{ "stage s fancy -process p -inputs 2 -next {{element e}}\n"
		  "path t e {{s}}",
		    "m:10: s: expected 2 chains to enter it, as -inputs says, "
		    "not 1" },
		{ "path t e {{fancy} {proxy x} {element e}}",
		    "m:10: x: expected the name of a process" },
	};

	register_fakes();
	for (size_t n = 0; n < COUNT(refused); n++) {
		struct paths_map *map = NULL;
		char text[1024];

		snprintf(text, sizeof(text), BASE "%s\n", refused[n].text);
		EXPECT_EQ(PATHS_ESYNTAX,
		    paths_map_read_text(text, strlen(text), "m", NULL, &map));
		EXPECT_STR_EQ(refused[n].error, paths_log_last());
	}
}

/* Else a map could put any bytes on a terminal. */
static void
an_unknown_kind_is_named_by_a_word(void)
{
	static const char *const names[] = { "{a b}", "\033c", "-x", "a/b",
		"\302\265", NULL };

	for (int n = 0; names[n] != NULL; n++) {
		struct paths_map *map = NULL;
		char text[1024];

		snprintf(text, sizeof(text),
		    BASE "path t e {{%s} {element e}}\n", names[n]);
		EXPECT_EQ(PATHS_ESYNTAX,
		    paths_map_read_text(text, strlen(text), "m", NULL, &map));
	}
}

static void
no_type_crosses_an_unknown_kind(void)
{
	struct paths_map *map =
	    read_map(BASE "path t e {{typed -type u8*3} {pass} {fancy} {pass} "
			  "{element e}}\n");
	static const char *const types[] = { "u8*3", "u8*3", "u8*3", "u8*3",
		"u8*3", "f64*1", "f64*1", "f64*1", "f64*1", "f64*1" };

	for (uint32_t n = 0; n < 5; n++) {
		EXPECT_STR_EQ(types[2 * n], type_of(&map->items[n].above));
		EXPECT_STR_EQ(types[2 * n + 1], type_of(&map->items[n].below));
	}
	paths_map_close(map);
}

/* Neither up nor down. */
static void
a_type_from_above_ends_at_an_unknown_kind(void)
{
	struct paths_map *map =
	    read_map(BASE "path t nowhere {{typed -type u8*3} {fancy} {pass} "
			  "{turn}}\n"
			  "path u e {{element e}}\n");

	EXPECT_STR_EQ("u8*3", type_of(&map->items[1].above));
	EXPECT_STR_EQ("unknown", type_of(&map->items[1].below));
	EXPECT_STR_EQ("unknown", type_of(&map->items[2].above));
	paths_map_close(map);
}

static void
an_unknown_tuple_type_is_read(void)
{
	struct paths_map *map =
	    read_map(BASE "element f -process p -type pixel*4\n"
			  "element g -process p -type pixel\n"
			  "path t e {{element e}}\n"
			  "path t f {{pass} {typed -type pixel*4} {element f}}"
			  "\n"
			  "path t g {{element g}}\n");

	EXPECT_EQ(2, map->unknown_count);
	EXPECT_STR_EQ("pixel*4", map->unknowns[0].name);
	EXPECT_STR_EQ("pixel", map->unknowns[1].name);
	EXPECT_TRUE(map->unknowns[0].stage == NULL);
	EXPECT_STR_EQ("unknown", type_of(&map->elements[1].type));
	paths_map_close(map);
}

static void
a_program_refuses_what_it_does_not_know(void)
{
	static const struct refused refused[] = {
		{ "path t e {{fancy} {element e}}",
		    "m:10: fancy: expected a stage of the map or a kind of "
		    "stage" },
		{ "element f -process p -type pixel",
		    "m:10: pixel: expected a tuple type, as f64*1024 for -type "
		    "of f" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

/* Each name is looked up in a tree; a list would take minutes. */
static void
many_unknown_kinds_are_read_quickly(void)
{
	enum { KINDS = 100000 };
	struct paths_map *map = NULL;
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	fputs(BASE "path t e {", to);
	for (int n = 0; n < KINDS; n++)
		fprintf(to, "{k%d} ", n);
	fputs("{element e}}\n", to);
	EXPECT_EQ(0, fclose(to));
	EXPECT_OK(paths_map_read_text(text, bytes, "m", NULL, &map));
	EXPECT_EQ(KINDS, map->unknown_count);
	paths_map_close(map);
	free(text);
}

TEST_MAIN(an_unknown_kind_is_read_with_any_words,
    a_chain_may_end_after_an_unknown_kind,
    a_stage_line_of_an_unknown_kind_has_what_all_have,
    other_errors_are_still_found, an_unknown_kind_is_named_by_a_word,
    no_type_crosses_an_unknown_kind, a_type_from_above_ends_at_an_unknown_kind,
    an_unknown_tuple_type_is_read, a_program_refuses_what_it_does_not_know,
    many_unknown_kinds_are_read_quickly)
