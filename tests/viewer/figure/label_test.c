/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/label_test.c - estimated widths, and cut texts
 */

#include "tests/test.h"

#include "viewer/figure/label.h"

#include <string.h>

static const char *
cut(const char *text, double width)
{
	static char to[64];

	esv_label_cut(text, 9.0, width, to, sizeof(to));
	return to;
}

static void
widths_are_those_of_the_font(void)
{
	/* 9 points are 12 units.  H has 752 and i 278 thousandths of that. */
	EXPECT_NEAR(12.0 * (0.752 + 0.278), esv_label_width("Hi", 9.0), 1e-9);
	EXPECT_NEAR(0.0, esv_label_width("", 9.0), 0.0);
	EXPECT_NEAR(12.0, esv_label_width("\xc3\xa9", 9.0), 1e-9);
}

static void
a_text_that_fits_is_not_cut(void)
{
	EXPECT_STR_EQ("Hi", cut("Hi", 12.37));
	EXPECT_STR_EQ("", cut("", 0.0));
}

static void
a_text_that_does_not_fit_ends_in_an_ellipsis(void)
{
	EXPECT_STR_EQ("iii\xe2\x80\xa6", cut("iiiiiiiiii", 23.0));
	EXPECT_STR_EQ("", cut("iiiiiiiiii", 12.0));
}

static void
the_end_of_a_place_is_kept(void)
{
	const char *two[] = { "MPI_Sendrecv in exchange, ring.c:22",
		"MPI_Sendrecv in exchange, ring.c:23" };
	char to[64];

	for (int n = 0; n < 2; n++) {
		esv_label_cut_middle(two[n], 9.0, 150.0, to, sizeof(to));
		EXPECT_EQ(0, strncmp(to, "MPI_Send", 8));
		EXPECT_STR_EQ(n == 0 ? ":22" : ":23", to + strlen(to) - 3);
		EXPECT_TRUE(strstr(to, "\xe2\x80\xa6") != NULL);
		EXPECT_TRUE(esv_label_width(to, 9.0) <= 150.0);
	}
	esv_label_cut_middle(two[0], 9.0, 1e3, to, sizeof(to));
	EXPECT_STR_EQ(two[0], to);
	esv_label_cut_middle(two[0], 9.0, 1.0, to, sizeof(to));
	EXPECT_STR_EQ("", to);
	esv_label_cut_middle(two[0], 9.0, 1e3, to, 16);
	EXPECT_TRUE(strlen(to) < 16);
}

static void
no_character_is_cut_in_two(void)
{
	EXPECT_STR_EQ("\xc3\xa9\xe2\x80\xa6",
	    cut("\xc3\xa9\xc3\xa9\xc3\xa9", 25.0));
}

static void
a_long_text_is_cut_to_its_room_in_bytes(void)
{
	char text[200], to[16];

	memset(text, 'i', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	esv_label_cut(text, 9.0, 1e9, to, sizeof(to));
	EXPECT_STR_EQ("iiiiiiiiiiii\xe2\x80\xa6", to);
}

TEST_MAIN(widths_are_those_of_the_font, a_text_that_fits_is_not_cut,
    a_text_that_does_not_fit_ends_in_an_ellipsis, the_end_of_a_place_is_kept,
    no_character_is_cut_in_two, a_long_text_is_cut_to_its_room_in_bytes)
