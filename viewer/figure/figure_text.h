/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/figure_text.h - a figure as text, for tests
 */

#ifndef VIEWER_FIGURE_FIGURE_TEXT_H
#define VIEWER_FIGURE_FIGURE_TEXT_H

#include "viewer/figure/figure.h"

/*
 * esv_figure_text - print a figure, one shape on each line
 *
 * text		out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees the text
 */
paths_status esv_figure_text(const struct esv_figure *figure, char **text)
    PATHS_CHECKED;

#endif
