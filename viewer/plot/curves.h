/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/curves.h - lines over steps, each with its range
 */

#ifndef VIEWER_PLOT_CURVES_H
#define VIEWER_PLOT_CURVES_H

#include "viewer/plot/bars.h"
#include "viewer/plot/sheet.h"

struct es__sample {
	double x, least, mean, most;
};

struct es__curve {
	const char *label;
	struct es_thing thing;
	struct es__sample *samples; /* in order of x */
	size_t count;
};

struct es__curves {
	const char *x_axis, *y_axis;
	enum paths_unit unit;
	struct es__curve curves[ES__PARTS];
	uint32_t count;
	bool logarithmic;
	int64_t first, last; /* steps to show */
};

/* Sets the steps to those that any thread ran in the part of time shown. */
void es__curves_steps(struct es__curves *curves, struct es__sheet *sheet);
void es__curve_add(struct es__curve *curve, struct es__sheet *sheet,
    const struct es__sample *sample);
/* Adds the rows of a query with the columns x, least, mean, most. */
void es__curve_fill(struct es__curve *curve, struct es__sheet *sheet,
    const char *sql);
void es__curves_draw(const struct es__curves *curves, struct es__sheet *sheet);

#endif
