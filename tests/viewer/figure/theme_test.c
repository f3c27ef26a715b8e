/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/theme_test.c - luminance of the colours of themes
 */

#include "tests/test.h"

#include "viewer/figure/theme.h"

static int
luminance(uint32_t colour)
{
	return (int)(299 * (colour >> 16 & 0xff) + 587 * (colour >> 8 & 0xff) +
		   114 * (colour & 0xff)) /
	    1000;
}

static void
expect_monotone_greys(const char *name, int sign)
{
	const struct esv_theme *theme = esv_theme_find(name);

	EXPECT_TRUE(theme != NULL);
	for (unsigned n = 1; n < ESV_GREYS; n++)
		EXPECT_TRUE(sign *
			(luminance(theme->colours[ESV_ROLE_GREY + n]) -
			    luminance(theme->colours[ESV_ROLE_GREY + n - 1])) >
		    0);
}

static void
communication_is_dark_on_light_and_light_on_dark(void)
{
	expect_monotone_greys("light", -1);
	expect_monotone_greys("dark", 1);
}

static void
more_heat_is_never_lighter(void)
{
	const struct esv_theme *light = esv_theme_find("light");

	for (unsigned n = 1; n < 256; n++)
		EXPECT_TRUE(luminance(light->colours[ESV_ROLE_HEAT + n]) <=
		    luminance(light->colours[ESV_ROLE_HEAT + n - 1]));
}

static void
an_unknown_theme_is_not_found(void)
{
	EXPECT_TRUE(esv_theme_find("solarized") == NULL);
}

TEST_MAIN(communication_is_dark_on_light_and_light_on_dark,
    more_heat_is_never_lighter, an_unknown_theme_is_not_found)
