/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/title.c - the title above a figure in a file
 */

#include "viewer/figure/title.h"

#define TITLE_HEIGHT 26.0
#define TITLE_POINTS 11.0
#define TITLE_MARGIN 8.0

double
esv_title_height(const struct esv_figure *figure)
{
	return figure->title == NULL ? 0.0 : TITLE_HEIGHT;
}

struct esv_shape
esv_title_shape(const struct esv_figure *figure)
{
	return (struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = ESV_ROLE_TEXT,
		.x = TITLE_MARGIN,
		.y = 3.0 - TITLE_HEIGHT / 2.0,
		.width = figure->width - 2.0 * TITLE_MARGIN,
		.text = figure->title,
		.text_size = TITLE_POINTS };
}
