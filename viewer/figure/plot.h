/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/plot.h - axes, legends and colour bars of charts
 *
 *	struct esv_box box = esv_plot_page(figure);
 *	struct esv_plot plot = {
 *		.figure = figure,
 *		.x = { .unit = PATHS_UNIT_TIME, .to = longest, .round = true },
 *		.y = { .names = names, .count = threads, .things = things },
 *	};
 *
 *	esv_plot_legend(figure, &box, entries, 2);	takes its part of box
 *	esv_plot_axes(&plot, box);			draws, fills plot.area
 *	x = esv_axis_at(&plot.x, value);		and so to the shapes
 *
 * An axis of names gives the n-th the band from n to n + 1, y from the top
 * down; an axis of numbers goes from left to right and from the bottom up.
 */

#ifndef VIEWER_FIGURE_PLOT_H
#define VIEWER_FIGURE_PLOT_H

#include "viewer/figure/draw.h"

#include "libpaths/unit.h"

#include <stdbool.h>

struct esv_axis {
	const char *label; /* what it counts; NULL */

	/* Of numbers: */
	enum paths_unit unit;
	double from, to;
	bool round;	  /* let `to` be the next tick */
	bool logarithmic; /* from > 0 */
	bool bare;	  /* no grid */

	/* Of names: */
	const char *const *names; /* NULL: of numbers */
	uint32_t count;
	const struct esv_thing *things; /* what each stands for; NULL */
	bool tree; /* on the y axis: begin on the left, indented by blanks */

	/* Made by esv_plot_axes: the places of from and of to. */
	double start, end;
	double names_room; /* and what a name may take */
};

struct esv_plot {
	struct esv_figure *figure;
	struct esv_axis x, y;
	struct esv_box area; /* made by esv_plot_axes: between the axes */
};

/*
 * esv_axis_at - the place of a value, in units of the figure
 *
 * Values outside the axis are placed outside the area.
 */
double esv_axis_at(const struct esv_axis *axis, double value);

/* Ticks of an axis of numbers. */
#define ESV_TICKS 24u

struct esv_ticks {
	double at[ESV_TICKS]; /* values, upwards */
	char text[ESV_TICKS][PATHS_UNIT_TEXT_BYTES];
	uint32_t count;
};

/*
 * esv_ticks_make - round values on an axis, at most `most` of them
 *
 * Equal steps of 1, 2 or 5 times a power of ten, of two for bytes, with so
 * many digits that they differ; powers where it is logarithmic.
 */
void esv_ticks_make(const struct esv_axis *axis, uint32_t most,
    struct esv_ticks *ticks);

/*
 * esv_plot_page - what of a figure there is to draw on, inside a small margin
 */
struct esv_box esv_plot_page(const struct esv_figure *figure);

/*
 * esv_plot_axes - lay out a plot in a box, and draw its ground, grid and labels
 *
 * Names that are too many or too long for their room are thinned or cut.
 */
void esv_plot_axes(struct esv_plot *plot, struct esv_box box);

struct esv_plot_entry {
	int role;
	const char *text;
	struct esv_thing thing;
};

/*
 * esv_plot_legend - what the colours mean, in lines along the top of a box
 *
 * box	becomes what is left
 */
void esv_plot_legend(struct esv_figure *figure, struct esv_box *box,
    const struct esv_plot_entry *entries, size_t count);

/*
 * esv_plot_heat - the scale of heat, along the right side of a box
 *
 * axis	its label, unit, from and to
 * box	becomes what is left
 */
void esv_plot_heat(struct esv_figure *figure, struct esv_box *box,
    const struct esv_axis *axis);

#endif
