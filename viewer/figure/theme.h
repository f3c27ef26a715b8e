/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/theme.h - which colours things are drawn in
 *
 * A figure names colours by their role; a theme says what they are.  Time is
 * drawn by luminance alone, communication dark and computation light (the
 * other way round on dark ground), and categories in the colours of Okabe and
 * Ito, so that nothing needs an eye for colours.
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
	ESV_ROLE_GROUND, /* behind everything */
	ESV_ROLE_PANEL,	 /* behind what is drawn on */
	ESV_ROLE_GRID,
	ESV_ROLE_AXIS,
	ESV_ROLE_TEXT,
	ESV_ROLE_DIM_TEXT,
	ESV_ROLE_HIGHLIGHT,
	ESV_ROLE_SELECTION,
	ESV_ROLE_MARK,
	ESV_ROLE_ARROW,
	ESV_ROLE_WARNING,
	ESV_ROLE_MISSING,		     /* nothing is known */
	ESV_ROLE_SERIES,		     /* 0..7: categories */
	ESV_ROLE_GREY = ESV_ROLE_SERIES + 8, /* 0..ESV_GREYS-1 */
	ESV_ROLE_HEAT =
	    ESV_ROLE_GREY + (int)ESV_GREYS, /* 0..255: little to much */
	ESV_ROLES = ESV_ROLE_HEAT + 256
};

struct esv_theme {
	const char *name;
	uint32_t colours[ESV_ROLES]; /* 0xRRGGBB */
};

/*
 * esv_theme_find - the theme of that name: "light" or "dark"
 *
 * Returns	the theme, a constant; NULL when there is none
 * Threads	any
 */
const struct esv_theme *esv_theme_find(const char *name);

/*
 * esv_role_name - what a role is called: "grid", "series3", "grey32", "heat255"
 *
 * role	less than ESV_ROLES
 *
 * Returns	nothing
 * Threads	any
 */
void esv_role_name(int role, char name[16]);

#endif
