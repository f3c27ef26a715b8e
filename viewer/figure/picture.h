/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture.h - files of figures: PNG, SVG or PDF
 *
 * A picture has the title of the figure above it.  Making one needs neither a
 * display nor fonts; without fonts a PNG or PDF lacks its letters.
 */

#ifndef VIEWER_FIGURE_PICTURE_H
#define VIEWER_FIGURE_PICTURE_H

#include "viewer/figure/figure.h"

/*
 * esv_picture_check - check that a picture of a name can be made
 *
 * file		a name that ends in .png, .svg or .pdf, which is its format
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	another ending
 *		PATHS_ENOENT	PNG or PDF, and built without cairo
 * Threads	any
 */
paths_status esv_picture_check(const char *file) PATHS_CHECKED;

/*
 * esv_picture_write - write a figure to a file
 *
 * scale	pixels of PNG, or 1/96 inches of SVG and PDF, for one unit of
 *		the figure; over 0
 *
 * Returns	PATHS_OK
 *		the errors of esv_picture_check
 *		PATHS_EINVAL	empty, or over 32767 pixels or 1/96 inches
 *		PATHS_EIO	the file cannot be written; no part of it stays
 *		PATHS_ENOMEM
 * Threads	any, one at a time
 */
paths_status esv_picture_write(const struct esv_figure *figure,
    const struct esv_theme *theme, double scale, const char *file)
    PATHS_CHECKED;

#endif
