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
#define ES_GREYS 33u

enum es_role {
	ES_ROLE_GROUND, /* behind everything */
	ES_ROLE_PANEL,	/* behind what is drawn on */
	ES_ROLE_GRID,
	ES_ROLE_AXIS,
	ES_ROLE_TEXT,
	ES_ROLE_DIM_TEXT,
	ES_ROLE_HIGHLIGHT,
	ES_ROLE_SELECTION,
	ES_ROLE_MARK,
	ES_ROLE_ARROW,
	ES_ROLE_WARNING,
	ES_ROLE_MISSING,		   /* nothing is known */
	ES_ROLE_SERIES,			   /* 0..7: categories */
	ES_ROLE_GREY = ES_ROLE_SERIES + 8, /* 0..ES_GREYS-1 */
	ES_ROLE_HEAT =
	    ES_ROLE_GREY + (int)ES_GREYS, /* 0..255: little to much */
	ES_ROLES = ES_ROLE_HEAT + 256
};

struct es_theme {
	const char *name;
	uint32_t colours[ES_ROLES]; /* 0xRRGGBB */
};

/*
 * es_theme_find - the theme of that name: "light" or "dark"
 *
 * Returns	the theme, a constant; NULL when there is none
 * Threads	any
 */
const struct es_theme *es_theme_find(const char *name);

/*
 * es_role_name - what a role is called: "grid", "series3", "grey32", "heat255"
 *
 * role	less than ES_ROLES
 *
 * Returns	nothing
 * Threads	any
 */
void es_role_name(int role, char name[16]);

#endif
