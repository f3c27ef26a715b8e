/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/axis.h - an axis of numbers or names, and its ticks
 */

#ifndef VIEWER_FIGURE_AXIS_H
#define VIEWER_FIGURE_AXIS_H

#include "viewer/figure/figure.h"

#include "libpaths/unit.h"

#include <stdbool.h>

struct esv_axis {
	const char *label; /* the quantity; NULL: none */

	/* An axis of numbers: */
	enum paths_unit unit;
	double from, to;
	bool round;	  /* extend `to` to the next tick */
	bool logarithmic; /* from > 0 */
	bool bare;	  /* no grid */

	/* An axis of names: */
	const char *const *names; /* NULL: an axis of numbers */
	uint32_t count;
	const struct esv_thing *things; /* one for each name; NULL: none */
	bool tree; /* on the y axis: names begin on the left, with indents */

	/* Set by esv_plot_axes: the places of from and to, and the width of
	   the longest name that fits. */
	double start, end;
	double names_room;
};

/*
 * esv_axis_at - the place of a value, in units of the figure
 *
 * Values outside the axis are placed outside the area, except that those below
 * `from` of a logarithmic axis are placed at `from`.
 */
double esv_axis_at(const struct esv_axis *axis, double value);

#define ESV_TICKS 24u

struct esv_ticks {
	double at[ESV_TICKS]; /* values, ascending */
	char text[ESV_TICKS][PATHS_UNIT_TEXT_BYTES];
	uint32_t count;
};

/*
 * esv_axis_ticks - round values on an axis of numbers
 *
 * The steps are equal: 1, 2 or 5 times a power of ten, or a power of two for
 * bytes.  The texts have as many digits as make them differ.  Ticks of a
 * logarithmic axis are powers.
 *
 * most		the largest number of ticks
 */
void esv_axis_ticks(const struct esv_axis *axis, uint32_t most,
    struct esv_ticks *ticks);

#endif
