/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/label.h - how wide a text will be, without a font
 *
 * Figures are made before it is known on what they are shown, so widths are
 * those of DejaVu Sans, which is wider than most; what is not ASCII counts as
 * a wide letter.
 *
 * Source	advance widths of DejaVuSans.ttf 2.37, table hmtx
 */

#ifndef VIEWER_FIGURE_LABEL_H
#define VIEWER_FIGURE_LABEL_H

#include <stddef.h>

/* The usual size of labels and of what explains them, in points. */
#define ESV_LABEL_POINTS 9.0
#define ESV_LABEL_SMALL_POINTS 8.0

/* The height of a line of text, and the distance from its middle down to the
   base line, in units of a figure. */
#define ESV_LABEL_HEIGHT(points) ((points)*4.0 / 3.0 * 1.2)
#define ESV_LABEL_BASE(points) ((points)*4.0 / 3.0 * 0.36)

/* Fonts of a file or page that holds texts, the one with these widths first. */
#define ESV_LABEL_FONTS "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"

/*
 * esv_label_width - how wide a text will be
 *
 * Returns	the width in units of a figure, 1/96 inch
 * Threads	any
 */
double esv_label_width(const char *text, double points);

/*
 * esv_label_cut - as much of a text as fits
 *
 * text		as it is when it fits, else cut before a character and an
 *		ellipsis put behind; "" when not even that fits
 * cut		out, of size bytes
 *
 * Returns	nothing
 * Threads	any
 */
void esv_label_cut(const char *text, double points, double width, char *cut,
    size_t size);

#endif
