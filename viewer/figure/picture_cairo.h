/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture_cairo.h - draws figures with cairo, as PNG and PDF
 */

#ifndef VIEWER_FIGURE_PICTURE_CAIRO_H
#define VIEWER_FIGURE_PICTURE_CAIRO_H

#include "viewer/figure/figure.h"

#include <stdio.h>

/*
 * esv_picture_cairo_png, esv_picture_cairo_pdf - write a figure with its title
 *
 * scale	pixels of PNG, or 1/96 inches of PDF, for one unit of the figure
 *
 * Returns	PATHS_OK; ferror(to) reports a failed write
 *		PATHS_ENOMEM
 * Threads	any, one at a time
 */
paths_status esv_picture_cairo_png(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale) PATHS_CHECKED;
paths_status esv_picture_cairo_pdf(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale) PATHS_CHECKED;

#endif
