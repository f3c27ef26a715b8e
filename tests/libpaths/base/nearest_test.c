/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/base/nearest_test.c - proves libpaths/base/nearest.c
 */

#include "libpaths/nearest.h"

#include "tests/test.h"

#include <string.h>

static const char *
hint(const char *word)
{
	static const char *const names[] = { "load_balance", "arrival",
		"arrival_pair", "waits_for", "wait_state", "csv", "json",
		"output", "quiet", "x" };
	static struct paths_nearest nearest;

	paths_nearest_init(&nearest, word);
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
		paths_nearest_try(&nearest, names[n]);
	return paths_nearest_hint(&nearest);
}

static void
a_letter_left_out_added_replaced_or_exchanged_is_near(void)
{
	EXPECT_STR_EQ(", did you mean load_balance?", hint("lod_balance"));
	EXPECT_STR_EQ(", did you mean load_balance?", hint("loaad_balance"));
	EXPECT_STR_EQ(", did you mean load_balance?", hint("loud_balance"));
	EXPECT_STR_EQ(", did you mean csv?", hint("cvs"));
	EXPECT_STR_EQ(", did you mean output?", hint("ouptut"));
	EXPECT_STR_EQ(", did you mean quiet?", hint("quite"));
	EXPECT_STR_EQ(", did you mean json?", hint("jsn"));
}

static void
case_and_dashes_are_ignored(void)
{
	EXPECT_STR_EQ(", did you mean load_balance?", hint("Load-Balance"));
}

static void
the_beginning_of_a_name_is_near(void)
{
	EXPECT_STR_EQ(", did you mean load_balance?", hint("load"));
	EXPECT_STR_EQ(", did you mean arrival?", hint("arr"));
	EXPECT_STR_EQ("", hint("lo"));
}

static void
the_nearest_name_is_kept(void)
{
	EXPECT_STR_EQ(", did you mean arrival_pair?", hint("arival_pair"));
	EXPECT_STR_EQ(", did you mean waits_for?", hint("wait_for"));
}

static void
a_word_far_from_all_names_has_no_hint(void)
{
	char longest[PATHS_NEAREST_BYTES], longer[3 * PATHS_NEAREST_BYTES];

	EXPECT_STR_EQ("", hint(""));
	EXPECT_STR_EQ("", hint("y"));
	EXPECT_STR_EQ("", hint("abc"));
	EXPECT_STR_EQ("", hint("timeline"));
	memset(longest, 'w', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	EXPECT_STR_EQ("", hint(longest));
	memset(longer, 'w', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	EXPECT_STR_EQ("", hint(longer));
}

static void
names_of_any_length_are_tried(void)
{
	struct paths_nearest nearest;
	char word[PATHS_NEAREST_BYTES], name[PATHS_NEAREST_BYTES + 1];

	memset(word, 'w', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	memset(name, 'w', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	paths_nearest_init(&nearest, word);
	paths_nearest_try(&nearest, name);
	paths_nearest_try(&nearest, "");
	EXPECT_STR_EQ("", paths_nearest_hint(&nearest));
	name[sizeof(name) - 2] = '\0';
	name[0] = 'v';
	paths_nearest_try(&nearest, name);
	EXPECT_EQ(1, nearest.distance);
	EXPECT_STR_EQ(name, nearest.name);
}

TEST_MAIN(a_letter_left_out_added_replaced_or_exchanged_is_near,
    case_and_dashes_are_ignored, the_beginning_of_a_name_is_near,
    the_nearest_name_is_kept, a_word_far_from_all_names_has_no_hint,
    names_of_any_length_are_tried)
