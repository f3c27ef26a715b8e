/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/plot.h - axes, legends and colour bars of charts
 *
 *	struct es_box box = es_plot_page(figure);
 *	struct es_plot plot = {
 *		.figure = figure,
 *		.x = { .unit = PATHS_UNIT_TIME, .to = longest, .round = true },
 *		.y = { .names = names, .count = threads, .things = things },
 *	};
 *
 *	es_plot_legend(figure, &box, entries, 2);	takes its part of box
 *	es_plot_axes(&plot, box);			draws, fills plot.area
 *	x = es_axis_at(&plot.x, value);			and so to the shapes
 *
 * An axis of names gives the n-th the band from n to n + 1, y from the top
 * down; an axis of numbers goes from left to right and from the bottom up.
 */

#ifndef VIEWER_FIGURE_PLOT_H
#define VIEWER_FIGURE_PLOT_H

#include "viewer/figure/draw.h"

#include "libpaths/unit.h"

#include <stdbool.h>

struct es_axis {
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
	const struct es_thing *things; /* what each stands for; NULL */
	bool tree; /* on the y axis: begin on the left, indented by blanks */

	/* Made by es_plot_axes: the places of from and of to. */
	double start, end;
	double names_room; /* and what a name may take */
};

struct es_plot {
	struct es_figure *figure;
	struct es_axis x, y;
	struct es_box area; /* made by es_plot_axes: between the axes */
};

/*
 * es_axis_at - the place of a value, in units of the figure
 *
 * Values outside the axis are placed outside the area.
 */
double es_axis_at(const struct es_axis *axis, double value);

/* Ticks of an axis of numbers. */
#define ES_TICKS 24u

struct es_ticks {
	double at[ES_TICKS]; /* values, upwards */
	char text[ES_TICKS][PATHS_UNIT_TEXT_BYTES];
	uint32_t count;
};

/*
 * es_ticks_make - round values on an axis, at most `most` of them
 *
 * Equal steps of 1, 2 or 5 times a power of ten, of two for bytes, with so
 * many digits that they differ; powers where it is logarithmic.
 */
void es_ticks_make(const struct es_axis *axis, uint32_t most,
    struct es_ticks *ticks);

/*
 * es_plot_page - what of a figure there is to draw on, inside a small margin
 */
struct es_box es_plot_page(const struct es_figure *figure);

/*
 * es_plot_axes - lay out a plot in a box, and draw its ground, grid and labels
 *
 * Names that are too many or too long for their room are thinned or cut.
 */
void es_plot_axes(struct es_plot *plot, struct es_box box);

struct es_plot_entry {
	int role;
	const char *text;
	struct es_thing thing;
};

/*
 * es_plot_legend - what the colours mean, in lines along the top of a box
 *
 * box	becomes what is left
 */
void es_plot_legend(struct es_figure *figure, struct es_box *box,
    const struct es_plot_entry *entries, size_t count);

/*
 * es_plot_heat - the scale of heat, along the right side of a box
 *
 * axis	its label, unit, from and to
 * box	becomes what is left
 */
void es_plot_heat(struct es_figure *figure, struct es_box *box,
    const struct es_axis *axis);

#endif
