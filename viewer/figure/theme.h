/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/theme.h - themes: the colours of roles
 *
 * A figure names the role of a colour, and a theme holds the colour of each
 * role.  Time differs by luminance alone: on a light ground communication is
 * dark and computation light, on a dark ground the other way round.
 * Categories have the colours of Okabe and Ito, which colour-blind people can
 * tell apart.
 *
 * Source	Okabe, Ito: Color Universal Design; reference: viewer and store,
 *		section 4
 */

#ifndef VIEWER_FIGURE_THEME_H
#define VIEWER_FIGURE_THEME_H

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
	ESV_ROLE_SERIES,		     /* 0..7: categories */
	ESV_ROLE_GREY = ESV_ROLE_SERIES + 8, /* 0..ESV_GREYS-1 */
	ESV_ROLE_HEAT = ESV_ROLE_GREY +
	    (int)ESV_GREYS, /* 0..255: from the lowest value to the highest */
	ESV_ROLES = ESV_ROLE_HEAT + 256
};

struct esv_theme {
	const char *name;
	uint32_t colours[ESV_ROLES]; /* 0xRRGGBB */
};

/*
 * esv_theme_find - the theme of a name: "light" or "dark"
 *
 * Returns	the theme, a constant; NULL: no theme has that name
 * Threads	any
 */
const struct esv_theme *esv_theme_find(const char *name);

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
