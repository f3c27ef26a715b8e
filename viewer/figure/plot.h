/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/plot.h - the area of a chart between its two axes
 *
 *	struct esv_box box = esv_plot_page(figure);
 *	struct esv_plot plot = {
 *		.figure = figure,
 *		.x = { .unit = PATHS_UNIT_TIME, .to = longest, .round = true },
 *		.y = { .names = names, .count = threads, .things = things },
 *	};
 *
 *	esv_legend_draw(figure, &box, entries, 2);	takes a part of box
 *	esv_plot_axes(&plot, box);			sets plot.area
 *	x = esv_axis_at(&plot.x, value);		places a shape
 *
 * On an axis of names, name n has the band from n to n + 1, on the y axis from
 * the top down.  An axis of numbers goes from left to right or from the bottom
 * up.
 */

#ifndef VIEWER_FIGURE_PLOT_H
#define VIEWER_FIGURE_PLOT_H

#include "viewer/figure/axis.h"
#include "viewer/figure/draw.h"

struct esv_plot {
	struct esv_figure *figure;
	struct esv_axis x, y;
	struct esv_box area; /* set by esv_plot_axes: between the axes */
};

/*
 * esv_plot_page - the part of a figure inside its margin
 */
struct esv_box esv_plot_page(const struct esv_figure *figure);

/*
 * esv_plot_axes - lay out a plot in a box, and draw its ground, grid and labels
 *
 * If there is no room for all names, only every second one is drawn, or fewer.
 * Names that are too long are cut.
 */
void esv_plot_axes(struct esv_plot *plot, struct esv_box box);

#endif
