/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/curves.h - lines over steps or time, each with its range
 */

#ifndef VIEWER_PLOT_CURVES_H
#define VIEWER_PLOT_CURVES_H

#include "viewer/plot/bars.h"
#include "viewer/plot/sheet.h"

struct esv__query;

struct esv__sample {
	double x, least, mean, most;
};

struct esv__curve {
	const char *label;
	struct esv_thing thing;
	struct esv__sample *samples; /* in order of x */
	size_t count;
};

struct esv__curves {
	const char *x_axis, *y_axis;
	enum paths_unit x_unit, unit;
	struct esv__curve curves[ESV__PARTS];
	uint32_t count;
	bool logarithmic;
	int64_t first, last; /* steps to show */
};

/* Sets the steps to those that any thread ran in the time interval shown. */
void esv__curves_steps(struct esv__curves *curves, struct esv__sheet *sheet);
/* Adds the rows of a query, which is open, with the columns x, least, mean,
   most. */
void esv__curve_fill(struct esv__curve *curve, struct esv__query *query);
void esv__curves_draw(const struct esv__curves *curves,
    struct esv__sheet *sheet);

#endif
