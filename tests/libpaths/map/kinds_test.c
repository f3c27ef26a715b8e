/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/kinds_test.c - proves libpaths/map/kinds.c
 */

#include "tests/libpaths/map/fakes.h"

#include <stdlib.h>

/* Kinds with chains of their own, before and after others that add stages. */
static const char lines[] =
    BASE "stage s fjoint -type f64*1 -process p -inputs 2 -next "
	 "{{fpass} {element e}}\n"
	 "path t e {{fside {{fpass} {delay 1us} {fturn}}} {fbehind} {delay "
	 "2us} {fall word -count 3} {s}}\n"
	 "path u e {{fpass} {fall other} {s}}\n";

/* Copies a text, and removes "f" before the names of kinds that are fakes, or
   replaces it by another letter. */
static char *
renamed(const char *text, char letter)
{
	char *copy = strdup(text);
	char *to = copy;
	const char *before = "";

	EXPECT_TRUE(copy != NULL);
	for (; *text != '\0'; before = text++) {
		if (*text != 'f' || (*before != '{' && *before != ' ') ||
		    strncmp(text, "f64", 3) == 0 ||
		    strncmp(text, "far", 3) == 0)
			*to++ = *text;
		else if (letter != '\0')
			*to++ = letter;
	}
	*to = '\0';
	return copy;
}

/* Puts a letter before the first word of each line. */
static char *
prefixed(const char *text, char letter)
{
	char *copy = NULL;
	size_t bytes;
	FILE *to = open_memstream(&copy, &bytes);

	EXPECT_TRUE(to != NULL);
	for (bool first = true; *text != '\0'; first = *text++ == '\n') {
		if (first)
			fputc(letter, to);
		fputc(*text, to);
	}
	EXPECT_EQ(0, fclose(to));
	return copy;
}

static struct paths_map *
read_with(const char *text, const char *kinds)
{
	const struct paths_map_reader reader = { .kinds = kinds };
	struct paths_map *map = NULL;
	paths_status st =
	    paths_map_read_text(text, strlen(text), "m", &reader, &map);

	if (st != PATHS_OK)
		printf("# %s\n", paths_log_last());
	EXPECT_OK(st);
	return map;
}

static void
kinds_that_libpaths_lacks_are_described(void)
{
	char *text = renamed(lines, '\0');
	struct paths_map *map = parse_fakes(text);
	char *kinds;

	EXPECT_OK(paths_map_kinds(map, "pass", &kinds));
	EXPECT_STR_EQ("side 8 chain:chain\n"
		      "behind 4\n"
		      "turn 2\n"
		      "all 0 first:word -word:word -count:word -bytes:word "
		      "-time:word -rate:word -type:word -choice:word "
		      "second:word\n",
	    kinds);
	free(kinds);
	paths_map_close(map);
	free(text);
}

static void
a_map_without_plugins_has_no_description(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{delay 1us} {element e}}\n");
	char *kinds;

	EXPECT_OK(paths_map_kinds(map, NULL, &kinds));
	EXPECT_STR_EQ("", kinds);
	free(kinds);
	paths_map_close(map);
}

/* The reader sees kinds of other names, which nobody registered. */
static void
a_reader_numbers_stages_as_the_program(void)
{
	char *program_text = renamed(lines, '\0');
	char *reader_text = renamed(lines, 'x');
	struct paths_map *program = parse_fakes(program_text);
	struct paths_map *reader;
	char *text, *kinds;

	EXPECT_OK(paths_map_kinds(program, NULL, &text));
	kinds = prefixed(text, 'x');
	reader = read_with(reader_text, kinds);
	EXPECT_EQ(program->instance_count, reader->instance_count);
	EXPECT_EQ(program->chain_count, reader->chain_count);
	for (uint32_t n = 0; n < program->instance_count; n++) {
		const char *one = program->instances[n].ops->name;
		const char *other = reader->instances[n].ops->name;

		EXPECT_STR_EQ(one, other + (*other == 'x'));
		EXPECT_EQ(program->instances[n].tail,
		    reader->instances[n].tail);
	}
	EXPECT_TRUE(!reader->unknowns[0].described);
	EXPECT_TRUE(reader->unknowns[1].described);
	paths_map_close(reader);
	paths_map_close(program);
	free(kinds);
	free(text);
	free(reader_text);
	free(program_text);
}

/* A description can be damaged, or be made to harm its reader. */
static void
a_bad_description_does_no_harm(void)
{
	static const char *const bad[] = { "", "fancy", "fancy ", "fancy\n",
		"fancy x", "fancy 4294967295", "fancy 99999999999999999999",
		"fancy 0 :", "fancy 0 ::chain", "fancy 0 -",
		"fancy 0 a: b:chain", "fancy 0  a:word", "fancy 1 x:chain",
		"fancyer 8 c:chain", "x fancy 8 c:chain" };
	static const char text[] = BASE "path t e {{fancy} {element e}}\n";

	for (size_t n = 0; n < COUNT(bad); n++) {
		const struct paths_map_reader reader = { .kinds = bad[n] };
		struct paths_map *map = NULL;

		if (paths_map_read_text(text, strlen(text), "m", &reader,
			&map) != PATHS_OK)
			continue;
		EXPECT_EQ(0, map->items[0].ops->flags & PATHS_STAGE_JOIN);
		paths_map_close(map);
	}
}

static void
a_long_description_is_ignored(void)
{
	char *kinds = malloc(PATHS_MAP_KINDS_BYTES_MAX + 32);
	struct paths_map *map;

	EXPECT_TRUE(kinds != NULL);
	memset(kinds, '\n', PATHS_MAP_KINDS_BYTES_MAX + 1);
	strcpy(kinds + PATHS_MAP_KINDS_BYTES_MAX + 1, "fancy 0\n");
	map = read_with(BASE "path t e {{fancy a b} {element e}}\n", kinds);
	EXPECT_TRUE(!map->unknowns[0].described);
	paths_map_close(map);
	free(kinds);
}

/* A kind of a chain cannot become one of a stage line. */
static void
a_description_sets_only_flags_about_chains(void)
{
	struct paths_map *map = read_with(BASE "path t e {{fancy} {other}}\n"
					       "path u e {{element e}}\n",
	    "fancy 1\nother 4294967187\n");

	EXPECT_EQ(PATHS_STAGE_UNKNOWN, map->items[0].ops->flags);
	EXPECT_EQ(PATHS_STAGE_UNKNOWN | PATHS_STAGE_END,
	    map->items[1].ops->flags);
	paths_map_close(map);
}

/* More options than a description may have are left out. */
static void
a_description_has_a_bounded_number_of_options(void)
{
	char kinds[1024] = "fancy 0";
	struct paths_map *map;

	for (int n = 0; n < 100; n++)
		sprintf(kinds + strlen(kinds), " -o%d:word", n);
	map = read_with(BASE "path t e {{fancy -o79 x} {element e}}\n", kinds);
	EXPECT_STR_EQ("x", paths_map_option(&map->items[0], "-o79")->text);
	EXPECT_TRUE(map->items[0].ops->options[80].name == NULL);
	paths_map_close(map);
}

TEST_MAIN(kinds_that_libpaths_lacks_are_described,
    a_map_without_plugins_has_no_description,
    a_reader_numbers_stages_as_the_program, a_bad_description_does_no_harm,
    a_long_description_is_ignored, a_description_sets_only_flags_about_chains,
    a_description_has_a_bounded_number_of_options)
