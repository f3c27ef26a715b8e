/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/theme.h - themes: the colours of roles
 *
 * A figure names the role of a colour, and a theme holds the colour of each
 * role.  Time differs by luminance alone: on a light ground communication is
 * dark and computation light, on a dark ground the other way round.
 * Categories have the colours of Okabe and Ito, which colour-blind people can
 * tell apart; classes of time those of viewer/figure/class.h.
 *
 * Source	Okabe, Ito: Color Universal Design; reference: viewer and store,
 *		section 4
 */

#ifndef VIEWER_FIGURE_THEME_H
#define VIEWER_FIGURE_THEME_H

#include "viewer/figure/class.h"

#include <stdint.h>

/* Steps of luminance between computation (0) and communication. */
#define ESV_GREYS 33u

enum esv_role {
	ESV_ROLE_GROUND, /* the whole figure */
	ESV_ROLE_PANEL,	 /* the area between axes */
	ESV_ROLE_GRID,
	ESV_ROLE_AXIS,
	ESV_ROLE_TEXT,
	ESV_ROLE_DIM_TEXT,
	ESV_ROLE_HIGHLIGHT,
	ESV_ROLE_SELECTION,
	ESV_ROLE_MARK,
	ESV_ROLE_ARROW,
	ESV_ROLE_WARNING,
	ESV_ROLE_MISSING,		     /* no data */
	ESV_ROLE_ON_LIGHT,		     /* text on a light class */
	ESV_ROLE_ON_DARK,		     /* text on a dark class */
	ESV_ROLE_CRITICAL,		     /* the critical path */
	ESV_ROLE_SERIES,		     /* 0..7: categories */
	ESV_ROLE_GREY = ESV_ROLE_SERIES + 8, /* 0..ESV_GREYS-1 */
	/* Each class but ESV_CLASS_NONE: ESV_SHADES. */
	ESV_ROLE_CLASS = ESV_ROLE_GREY + (int)ESV_GREYS,
	/* Each class but ESV_CLASS_NONE: variants from 1 on. */
	ESV_ROLE_VARIANT =
	    ESV_ROLE_CLASS + (int)((ESV_CLASSES - 1) * ESV_SHADES),
	/* 0..255: from the lowest value to the highest */
	ESV_ROLE_HEAT =
	    ESV_ROLE_VARIANT + (int)((ESV_CLASSES - 1) * (ESV_VARIANTS - 1)),
	ESV_ROLES = ESV_ROLE_HEAT + 256
};

/* The full colours of waiting, and of communication of all groups together,
   which has that of messages. */
#define ESV_ROLE_COMMUNICATION \
	(ESV_ROLE_CLASS + \
	    (int)((ESV_CLASS_GROUP + ES_GROUP_POINT_TO_POINT - 1) * \
		    ESV_SHADES + \
		ESV_SHADES - 1))
#define ESV_ROLE_WAITING \
	(ESV_ROLE_CLASS + \
	    (int)((ESV_CLASS_WAIT - 1) * ESV_SHADES + ESV_SHADES - 1))

/* Time without a core: yellow. */
#define ESV_ROLE_NO_CORE (ESV_ROLE_SERIES + 6)

struct esv_theme {
	const char *name;
	uint32_t colours[ESV_ROLES]; /* 0xRRGGBB */
};

/* Returns the role of a shade of a class; 0 is computation. */
static inline int
esv_role_shade(uint32_t class, uint32_t shade)
{
	return ESV_ROLE_CLASS + (int)((class - 1) * ESV_SHADES + shade);
}

/* Returns the role of a variant of a class, at its full colour. */
static inline int
esv_role_variant(uint32_t class, uint32_t variant)
{
	return variant == 0 ? esv_role_shade(class, ESV_SHADES - 1) :
			      ESV_ROLE_VARIANT +
		(int)((class - 1) * (ESV_VARIANTS - 1) + variant - 1);
}

/*
 * esv_theme_find - the theme of a name: "light" or "dark"
 *
 * Returns	the theme, a constant; NULL: no theme has that name
 * Threads	any
 */
const struct esv_theme *esv_theme_find(const char *name);

/*
 * esv_theme_by - a theme in which classes have the colours of a meaning
 *
 * Returns	the theme with the same name, a constant; all roles but those of
 *		classes have the same colours
 * Threads	any
 */
const struct esv_theme *esv_theme_by(const struct esv_theme *theme,
    enum esv_colour_by by);

/*
 * esv_theme_role_name - the name of a role: "grid", "series3", "heat255"
 *
 * role	less than ESV_ROLES
 *
 * Returns	nothing
 * Threads	any
 */
void esv_theme_role_name(int role, char name[16]);

#endif
