/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/svg.h - figures as SVG, in a file or inside a page
 *
 * Texts stay texts.  Tips are elements `title`.  The attribute data-thing names
 * the thing that a shape stands for, so that a script can find all shapes of
 * a thing.
 */

#ifndef VIEWER_FIGURE_SVG_H
#define VIEWER_FIGURE_SVG_H

#include "viewer/figure/figure.h"

#include <stdio.h>

/*
 * esv_svg_element - write a figure as an element of an HTML page
 *
 * The element fills the width it gets, without the title of the figure.
 * Colours are variables of the page, with the names of roles: "--grid".
 *
 * Returns	nothing; ferror(to) reports a failed write
 * Threads	any
 */
void esv_svg_element(FILE *to, const struct esv_figure *figure);

/*
 * esv_svg_file - write a figure, with its title, as a file of its own
 *
 * scale	pixels of CSS for one unit of the figure
 *
 * Returns	PATHS_OK; ferror(to) reports a failed write
 * Threads	any
 */
paths_status esv_svg_file(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale) PATHS_CHECKED;

#endif
