/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/option_test.c - proves libpaths/map/option.c
 */

#include "tests/libpaths/map/fakes.h"

/* Loads a map whose only path passes a stage with these words. */
static struct paths_map *
with_options(const char *words)
{
	char text[1024];

	snprintf(text, sizeof(text), BASE "path t e {{all %s} {element e}}\n",
	    words);
	return parse_fakes(text);
}

static uint64_t
number_of(const char *option, const char *value)
{
	char words[128];
	struct paths_map *map;
	uint64_t number;

	snprintf(words, sizeof(words), "%s %s", option, value);
	map = with_options(words);
	number = paths_map_option(&map->items[0], option)->number;
	paths_map_close(map);
	return number;
}

static void
options_that_are_not_given_are_absent_or_the_default(void)
{
	struct paths_map *map = with_options("");
	const struct paths_map_item *item = &map->items[0];

	EXPECT_STR_EQ("usual", paths_map_option(item, "-word")->text);
	EXPECT_STR_EQ("green", paths_map_option(item, "-choice")->text);
	EXPECT_EQ(1, paths_map_option(item, "-choice")->number);
	EXPECT_TRUE(paths_map_option(item, "-count") == NULL);
	EXPECT_TRUE(paths_map_option(item, "first") == NULL);
	EXPECT_TRUE(paths_map_option(item, "-nobody") == NULL);
	EXPECT_TRUE(paths_map_option(&map->items[1], "-word") == NULL);
	paths_map_close(map);
}

static void
positional_words_fill_their_names_in_order(void)
{
	struct paths_map *map = with_options("one -count 3 2");
	const struct paths_map_item *item = &map->items[0];

	EXPECT_STR_EQ("one", paths_map_option(item, "first")->text);
	EXPECT_EQ(2, paths_map_option(item, "second")->number);
	EXPECT_EQ(3, paths_map_option(item, "-count")->number);
	paths_map_close(map);
}

static void
numbers_have_the_units_of_their_kind(void)
{
	static const struct {
		const char *option, *value;
		uint64_t number;
	} numbers[] = {
		{ "-count", "0", 0 },
		{ "-count", "18446744073709551615", UINT64_MAX },
		{ "-bytes", "4096", 4096 },
		{ "-bytes", "64k", 65536 },
		{ "-bytes", "64K", 65536 },
		{ "-bytes", "2M", 2 << 20 },
		{ "-bytes", "3G", UINT64_C(3) << 30 },
		{ "-time", "0", 0 },
		{ "-time", "0.0", 0 },
		{ "-time", "500ns", 500 },
		{ "-time", "500us", 500000 },
		{ "-time", "2ms", 2000000 },
		{ "-time", "1.5s", 1500000000 },
		{ "-time", "0.25us", 250 },
		{ "-time", "{1 s}", 1000000000 },
		{ "-time", "1.50us", 1500 },
		{ "-rate", "100", 100 },
		{ "-rate", "64k", 64000 },
		{ "-rate", "1.5M", 1500000 },
		{ "-rate", "10G", UINT64_C(10000000000) },
	};

	for (size_t n = 0; n < COUNT(numbers); n++)
		EXPECT_EQ((intmax_t)numbers[n].number,
		    (intmax_t)number_of(numbers[n].option, numbers[n].value));
}

static void
a_choice_is_its_index(void)
{
	EXPECT_EQ(0, number_of("-choice", "red"));
	EXPECT_EQ(1, number_of("-choice", "green"));
	EXPECT_EQ(2, number_of("-choice", "blue"));
}

static void
a_type_is_read(void)
{
	struct paths_map *map = with_options("-type f32*7");

	EXPECT_STR_EQ("f32*7",
	    type_of(&paths_map_option(&map->items[0], "-type")->type));
	paths_map_close(map);
}

/* Quotes, braces and backslashes have the meaning of Tcl lists. */
static void
words_are_quoted_like_tcl_lists(void)
{
	struct paths_map *map = with_options("{two words} -word \"a\\tb\"");

	EXPECT_STR_EQ("two words",
	    paths_map_option(&map->items[0], "first")->text);
	EXPECT_STR_EQ("a\tb", paths_map_option(&map->items[0], "-word")->text);
	paths_map_close(map);
}

static void
bad_values_are_refused(void)
{
#define IN_ALL(words) "path t e {{all " words "} {element e}}"
	static const struct refused refused[] = {
		{ IN_ALL("-count -1"),
		    "m:10: -1: negative: expected a whole number for -count "
		    "of all" },
		{ IN_ALL("-count 1k"),
		    "m:10: 1k: \"k\" after the number: expected a whole "
		    "number for -count of all" },
		{ IN_ALL("-count {}"),
		    "m:10: : empty: expected a whole number for -count of "
		    "all" },
		{ IN_ALL("-bytes 1Q"),
		    "m:10: 1Q: \"Q\" after the number: expected a size such "
		    "as 4096, 64K or 1MiB for -bytes of all" },
		{ IN_ALL("-bytes 17179869184G"),
		    "m:10: 17179869184G: too large: expected at most "
		    "16777216 TiB for -bytes of all" },
		{ IN_ALL("-time 1"),
		    "m:10: 1: no unit: expected a duration such as 500us or "
		    "1.5s for -time of all" },
		{ IN_ALL("-time 0.5ns"),
		    "m:10: 0.5ns: not a whole number of ns: expected a "
		    "duration such as 500us or 1.5s for -time of all" },
		{ IN_ALL("-rate fast"),
		    "m:10: fast: not a number: expected bytes per second "
		    "such as 100M for -rate of all" },
		{ IN_ALL("-type f65"),
		    "m:10: f65: expected a tuple type, as f64*1024 for -type "
		    "of all" },
		{ IN_ALL("-choice yellow"),
		    "m:10: yellow: expected red|green|blue for -choice of "
		    "all" },
		{ IN_ALL("-choice red|green"),
		    "m:10: red|green: expected red|green|blue for -choice of "
		    "all" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
options_are_given_once_with_a_value(void)
{
	static const struct refused refused[] = {
		{ IN_ALL("-count"),
		    "m:10: -count: expected a whole number "
		    "after it" },
		{ IN_ALL("-choice"),
		    "m:10: -choice: expected red|green|blue after it" },
		{ IN_ALL("-count 1 -count 1"),
		    "m:10: -count: expected only once for all" },
		{ IN_ALL("-Count 1"),
		    "m:10: -Count: expected one of the options of all: -word, "
		    "-count, -bytes, -time, -rate, -type, -choice" },
		{ IN_ALL("a 1 b"),
		    "m:10: b: expected one of the options of all: -word, "
		    "-count, -bytes, -time, -rate, -type, -choice" },
		{ IN_ALL("a b"),
		    "m:10: b: not a number: expected a whole number for "
		    "second of all" },
		{ "path t e {{bare x} {element e}}",
		    "m:10: x: expected no more words for bare" },
		{ "path t e {{pass -x} {element e}}",
		    "m:10: -x: expected no more words for pass" },
		{ "path t e {{typed} {element e}}",
		    "m:10: typed: expected -type, a tuple type, as f64*1024" },
		{ "path t e {{element} {element e}}",
		    "m:10: element: expected name, an element of the map" },
		{ "path t e {{broken} {element e}}",
		    "m:10: broken: expected a whole number as the default of "
		    "-n, not many" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

TEST_MAIN(options_that_are_not_given_are_absent_or_the_default,
    positional_words_fill_their_names_in_order,
    numbers_have_the_units_of_their_kind, a_choice_is_its_index, a_type_is_read,
    words_are_quoted_like_tcl_lists, bad_values_are_refused,
    options_are_given_once_with_a_value)
