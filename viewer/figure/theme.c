/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/theme.c - the two themes
 */

#include "viewer/figure/theme.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Greys and heat are interpolated between these colours. */
struct anchors {
	uint32_t computation, communication;
	uint32_t heat[4]; /* from the lowest to the highest value */
};

static const struct anchors anchors_light = {
	.computation = 0xe6e6e6,
	.communication = 0x000000,
	.heat = { 0xf7f7f7, 0x9ecae1, 0x2171b5, 0x081d40 },
};

static const struct anchors anchors_dark = {
	.computation = 0x3c3c3c,
	.communication = 0xffffff,
	.heat = { 0x141414, 0x1f4e79, 0x56b4e9, 0xf0f8ff },
};

#define OKABE_ITO \
	[ESV_ROLE_SERIES] = 0x0072b2, [ESV_ROLE_SERIES + 1] = 0xd55e00, \
	[ESV_ROLE_SERIES + 2] = 0x009e73, [ESV_ROLE_SERIES + 3] = 0xcc79a7, \
	[ESV_ROLE_SERIES + 4] = 0x56b4e9, [ESV_ROLE_SERIES + 5] = 0xe69f00, \
	[ESV_ROLE_SERIES + 6] = 0xf0e442, \
	[ESV_ROLE_SERIES + 7] = 0x999999, [ESV_ROLE_HIGHLIGHT] = 0xd55e00, \
	[ESV_ROLE_MARK] = 0xcc79a7, [ESV_ROLE_WARNING] = 0xd55e00, \
	[ESV_ROLE_ON_LIGHT] = 0x000000, [ESV_ROLE_ON_DARK] = 0xffffff

static struct esv_theme theme_light = {
	.name = "light",
	.colours = { OKABE_ITO, [ESV_ROLE_GROUND] = 0xffffff,
	    [ESV_ROLE_PANEL] = 0xf7f7f7, [ESV_ROLE_GRID] = 0xdcdcdc,
	    [ESV_ROLE_AXIS] = 0x555555, [ESV_ROLE_TEXT] = 0x1a1a1a,
	    [ESV_ROLE_ARROW] = 0x1a1a1a, [ESV_ROLE_CRITICAL] = 0xb0006b,
	    [ESV_ROLE_DIM_TEXT] = 0x666666, [ESV_ROLE_SELECTION] = 0xbcd9ee,
	    [ESV_ROLE_MISSING] = 0xf3e6d8 },
};

static struct esv_theme theme_dark = {
	.name = "dark",
	.colours = { OKABE_ITO, [ESV_ROLE_GROUND] = 0x141414,
	    [ESV_ROLE_PANEL] = 0x1b1b1b, [ESV_ROLE_GRID] = 0x404040,
	    [ESV_ROLE_AXIS] = 0xa0a0a0, [ESV_ROLE_TEXT] = 0xf0f0f0,
	    [ESV_ROLE_ARROW] = 0xf0f0f0, [ESV_ROLE_CRITICAL] = 0xff5cb8,
	    [ESV_ROLE_DIM_TEXT] = 0xa8a8a8, [ESV_ROLE_SELECTION] = 0x264f6e,
	    [ESV_ROLE_MISSING] = 0x3d3328 },
};

/* Interpolates between two colours: `from` at 0, `to` at `of`. */
static uint32_t
between(uint32_t from, uint32_t to, uint32_t at, uint32_t of)
{
	uint32_t colour = 0;

	for (unsigned shift = 0; shift < 24; shift += 8) {
		uint32_t a = from >> shift & 0xff, b = to >> shift & 0xff;

		colour |= (a * (of - at) + b * at + of / 2) / of << shift;
	}
	return colour;
}

static void
theme_fill_class(struct esv_theme *theme, uint32_t computation, uint32_t class)
{
	for (uint32_t n = 0; n < ESV_SHADES; n++)
		theme->colours[esv_role_shade(class, n)] = between(computation,
		    esv_class_colour(class, 0), n, ESV_SHADES - 1);
	for (uint32_t n = 1; n < ESV_VARIANTS; n++)
		theme->colours[esv_role_variant(class, n)] =
		    esv_class_colour(class, n);
}

/* Gives the classes of a tint their colours. */
static void
theme_fill_tint(struct esv_theme *theme, uint32_t computation,
    enum esv_colour_by by)
{
	for (uint32_t n = 0; n < ES_COLOUR_CLASSES; n++) {
		uint32_t class = ESV_CLASS_GROUP + n;
		uint32_t colour = esv_tint_colour(by, n);

		for (uint32_t i = 0; i < ESV_SHADES; i++)
			theme->colours[esv_role_shade(class, i)] =
			    between(computation, colour, i, ESV_SHADES - 1);
		for (uint32_t i = 1; i < ESV_VARIANTS; i++)
			theme->colours[esv_role_variant(class, i)] = colour;
	}
}

static void
theme_fill(struct esv_theme *theme, const struct anchors *anchors)
{
	for (uint32_t n = 0; n < ESV_GREYS; n++)
		theme->colours[ESV_ROLE_GREY + n] =
		    between(anchors->computation, anchors->communication, n,
			ESV_GREYS - 1);
	for (uint32_t c = ESV_CLASS_WAIT; c < ESV_CLASSES; c++)
		theme_fill_class(theme, anchors->computation, c);
	for (uint32_t n = 0; n < 256; n++)
		theme->colours[ESV_ROLE_HEAT + n] =
		    between(anchors->heat[n / 86], anchors->heat[n / 86 + 1],
			n % 86, n < 172 ? 86 : 83);
}

/* The themes with the colours of tints. */
static struct esv_theme tinted[2][ES_COLOURS];

static void
themes_fill(void)
{
	theme_fill(&theme_light, &anchors_light);
	theme_fill(&theme_dark, &anchors_dark);
	for (int n = 0; n < ES_COLOURS; n++) {
		enum esv_colour_by by = (enum esv_colour_by)(ESV_BY_TINT + n);

		tinted[0][n] = theme_light;
		tinted[1][n] = theme_dark;
		theme_fill_tint(&tinted[0][n], anchors_light.computation, by);
		theme_fill_tint(&tinted[1][n], anchors_dark.computation, by);
	}
}

const struct esv_theme *
esv_theme_find(const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, themes_fill);
	if (strcmp(name, theme_light.name) == 0)
		return &theme_light;
	return strcmp(name, theme_dark.name) == 0 ? &theme_dark : NULL;
}

const struct esv_theme *
esv_theme_by(const struct esv_theme *theme, enum esv_colour_by by)
{
	bool light = strcmp(theme->name, theme_light.name) == 0;

	if (by >= ESV_BY_TINT)
		return &tinted[light ? 0 : 1][by - ESV_BY_TINT];
	return light ? &theme_light : &theme_dark;
}

void
esv_theme_role_name(int role, char name[16])
{
	static const char *const plain[ESV_ROLE_SERIES] = {
		[ESV_ROLE_GROUND] = "ground",
		[ESV_ROLE_PANEL] = "panel",
		[ESV_ROLE_GRID] = "grid",
		[ESV_ROLE_AXIS] = "axis",
		[ESV_ROLE_TEXT] = "text",
		[ESV_ROLE_DIM_TEXT] = "dim-text",
		[ESV_ROLE_HIGHLIGHT] = "highlight",
		[ESV_ROLE_SELECTION] = "selection",
		[ESV_ROLE_MARK] = "mark",
		[ESV_ROLE_ARROW] = "arrow",
		[ESV_ROLE_WARNING] = "warning",
		[ESV_ROLE_MISSING] = "missing",
		[ESV_ROLE_ON_LIGHT] = "on-light",
		[ESV_ROLE_ON_DARK] = "on-dark",
		[ESV_ROLE_CRITICAL] = "critical",
	};

	if (role < ESV_ROLE_SERIES)
		snprintf(name, 16, "%s", plain[role]);
	else if (role < ESV_ROLE_GREY)
		snprintf(name, 16, "series%d", role - ESV_ROLE_SERIES);
	else if (role < ESV_ROLE_CLASS)
		snprintf(name, 16, "grey%d", role - ESV_ROLE_GREY);
	else if (role < ESV_ROLE_VARIANT)
		snprintf(name, 16, "class%d", role - ESV_ROLE_CLASS);
	else if (role < ESV_ROLE_HEAT)
		snprintf(name, 16, "variant%d", role - ESV_ROLE_VARIANT);
	else
		snprintf(name, 16, "heat%d", role - ESV_ROLE_HEAT);
}
