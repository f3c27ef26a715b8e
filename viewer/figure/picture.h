/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture.h - a figure as a file: PNG, SVG or PDF
 *
 * Needs neither a display nor, for anything but the looks of letters, fonts.
 * What the figure is called stands above it.
 */

#ifndef VIEWER_FIGURE_PICTURE_H
#define VIEWER_FIGURE_PICTURE_H

#include "viewer/figure/figure.h"

/*
 * esv_picture_check - whether pictures of that name can be written
 *
 * file		its ending says what it is to be: .png, .svg or .pdf
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	another ending
 *		PATHS_ENOENT	built without cairo
 * Threads	any
 */
paths_status esv_picture_check(const char *file) PATHS_CHECKED;

/*
 * esv_picture_write - write a figure to a file
 *
 * scale	how many pixels of a PNG a unit is, how much larger the others
 *		are; more than 0
 *
 * Returns	PATHS_OK
 *		what esv_picture_check answers
 *		PATHS_EINVAL	larger than pictures can be
 *		PATHS_EIO	it cannot be written; what was written of it
 *				is gone
 *		PATHS_ENOMEM
 * Threads	any, one at a time
 */
paths_status esv_picture_write(const struct esv_figure *figure,
    const struct esv_theme *theme, double scale, const char *file)
    PATHS_CHECKED;

#endif
