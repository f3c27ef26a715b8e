/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/title.h - the title above a figure in a file
 *
 * A page and the window show the title in their own way.
 */

#ifndef VIEWER_FIGURE_TITLE_H
#define VIEWER_FIGURE_TITLE_H

#include "viewer/figure/figure.h"

/*
 * esv_title_height - the space that the title takes above a figure
 *
 * Returns	a height in units of the figure; 0: it has no title
 */
double esv_title_height(const struct esv_figure *figure);

/*
 * esv_title_shape - the title as a text at negative y
 *
 * figure	has a title
 *
 * Ownership	the shape borrows the text of the figure
 */
struct esv_shape esv_title_shape(const struct esv_figure *figure);

#endif
