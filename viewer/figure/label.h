/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/label.h - estimates the width of texts without a font
 *
 * A figure is laid out before its display is known.  The widths are those of
 * DejaVu Sans, which is wider than most fonts.  Characters outside ASCII count
 * as wide letters.
 *
 * Source	advance widths of DejaVuSans.ttf 2.37, table hmtx
 */

#ifndef VIEWER_FIGURE_LABEL_H
#define VIEWER_FIGURE_LABEL_H

#include <stddef.h>

/* The sizes of labels and of explanations, in points. */
#define ESV_LABEL_POINTS 9.0
#define ESV_LABEL_SMALL_POINTS 8.0

/* The height of a line of text, and the distance from its middle down to the
   base line, in units of a figure. */
#define ESV_LABEL_HEIGHT(points) ((points)*4.0 / 3.0 * 1.2)
#define ESV_LABEL_BASE(points) ((points)*4.0 / 3.0 * 0.36)

/* Fonts of a file or page that holds texts, the one with these widths first. */
#define ESV_LABEL_FONTS "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"

/*
 * esv_label_width - estimate the width of a text
 *
 * Returns	the width in units of a figure, 1/96 inch
 * Threads	any
 */
double esv_label_width(const char *text, double points);

/*
 * esv_label_cut - cut a text to a width
 *
 * A text that is too wide is cut before a character and gets an ellipsis; it
 * becomes "" if there is no room for that.
 *
 * cut		out, of size bytes
 *
 * Returns	nothing
 * Threads	any
 */
void esv_label_cut(const char *text, double points, double width, char *cut,
    size_t size);

/*
 * esv_label_cut_middle - cut the middle out of a text
 *
 * As esv_label_cut, but the end of the text is kept, too: names of places
 * differ there.
 *
 * cut		out, of size bytes
 *
 * Returns	nothing
 * Threads	any
 */
void esv_label_cut_middle(const char *text, double points, double width,
    char *cut, size_t size);

#endif
