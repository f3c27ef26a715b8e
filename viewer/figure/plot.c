/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/plot.c - the area of a chart between its two axes
 */

#include "viewer/figure/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 8.0
#define TICK 4.0    /* the length of a tick */
#define GAP 3.0	    /* between a tick and its label */
#define Y_ROOM 28.0 /* between two ticks */
#define NAMES 0.4   /* the most of the width that names take */
#define LINE ESV_LABEL_HEIGHT(ESV_LABEL_POINTS)

struct esv_box
esv_plot_page(const struct esv_figure *figure)
{
	return (struct esv_box){ MARGIN, MARGIN,
		fmax(figure->width - 2.0 * MARGIN, 0.0),
		fmax(figure->height - 2.0 * MARGIN, 0.0) };
}

/* Returns the width of the widest name, at most `most`. */
static double
names_width(const struct esv_axis *axis, double most)
{
	double widest = 0.0;

	for (uint32_t n = 0; n < axis->count && widest < most; n++)
		widest = fmax(widest,
		    esv_label_width(axis->names[n], ESV_LABEL_POINTS));
	return fmin(widest + 1.0, most);
}

static double
ticks_width(const struct esv_axis *axis, uint32_t most)
{
	struct esv_ticks ticks;
	double widest = 0.0;

	esv_axis_ticks(axis, most, &ticks);
	for (uint32_t n = 0; n < ticks.count; n++)
		widest = fmax(widest,
		    esv_label_width(ticks.text[n], ESV_LABEL_POINTS));
	return widest;
}

static uint32_t
plot_most_y(double height)
{
	return height < 2.0 * Y_ROOM ? 2 : (uint32_t)(height / Y_ROOM);
}

/* Returns the number of ticks whose labels fit side by side. */
static uint32_t
plot_most_x(const struct esv_axis *axis, double width)
{
	uint32_t most = 12;

	while (
	    most > 2 && (ticks_width(axis, most) + 2.0 * MARGIN) * most > width)
		most--;
	return most;
}

/* Extends an empty axis, and an axis with `round` to the next tick. */
static void
plot_round(struct esv_axis *axis, uint32_t most)
{
	struct esv_ticks ticks;

	if (axis->names != NULL)
		return;
	if (!(axis->to > axis->from))
		axis->to =
		    axis->from + (axis->unit == PATHS_UNIT_SHARE ? 0.01 : 1.0);
	if (!axis->round || axis->logarithmic)
		return;
	esv_axis_ticks(axis, most, &ticks);
	if (ticks.count >= 2 &&
	    ticks.at[ticks.count - 1] < axis->to * (1.0 - 1e-9))
		axis->to =
		    2.0 * ticks.at[ticks.count - 1] - ticks.at[ticks.count - 2];
}

static bool
plot_turns(const struct esv_axis *x, double width)
{
	return x->names != NULL && x->count > 0 &&
	    names_width(x, width) + MARGIN > width / x->count;
}

/* Places the area, and the ends of both axes at its corners. */
static void
plot_place(struct esv_plot *plot, struct esv_box box)
{
	struct esv_axis *x = &plot->x, *y = &plot->y;
	double below = TICK + GAP + (x->label == NULL ? LINE : 2.0 * LINE);
	double left = TICK + GAP + (y->label == NULL ? 0.0 : LINE + GAP);

	plot_round(y, plot_most_y(box.height - below));
	y->names_room = names_width(y, box.width * NAMES);
	left += y->names != NULL ?
	    y->names_room :
	    ticks_width(y, plot_most_y(box.height - below));
	plot_round(x, plot_most_x(x, box.width - left));
	x->names_room = 0.0;
	if (plot_turns(x, box.width - left)) {
		x->names_room = names_width(x, box.height * 0.3);
		below += x->names_room - LINE;
	}
	/* The last label reaches half its size beyond the area. */
	if (x->names == NULL)
		box.width -=
		    ticks_width(x, plot_most_x(x, box.width - left)) / 2.0;
	if (y->names == NULL) {
		box.y += LINE / 2.0;
		box.height -= LINE / 2.0;
	}
	plot->area = (struct esv_box){ box.x + left, box.y,
		fmax(box.width - left, 1.0), fmax(box.height - below, 1.0) };
	x->start = plot->area.x;
	x->end = plot->area.x + plot->area.width;
	y->start = plot->area.y;
	y->end = plot->area.y + plot->area.height;
	if (y->names == NULL) {
		y->end = y->start;
		y->start = plot->area.y + plot->area.height;
	}
}

static void
plot_x_ticks(struct esv_plot *plot)
{
	double bottom = plot->area.y + plot->area.height;
	struct esv_ticks ticks;

	esv_axis_ticks(&plot->x, plot_most_x(&plot->x, plot->area.width),
	    &ticks);
	for (uint32_t n = 0; n < ticks.count; n++) {
		double x = esv_axis_at(&plot->x, ticks.at[n]);

		if (!plot->x.bare)
			esv_draw_line(plot->figure, ESV_ROLE_GRID,
			    (struct esv_point){ x, plot->area.y },
			    (struct esv_point){ x, bottom }, 1.0);
		esv_draw_line(plot->figure, ESV_ROLE_AXIS,
		    (struct esv_point){ x, bottom },
		    (struct esv_point){ x, bottom + TICK }, 1.0);
		esv_draw_text(plot->figure, ESV_ROLE_TEXT,
		    (struct esv_point){ x, bottom + TICK + GAP + LINE / 2.0 },
		    ESV_ANCHOR_MIDDLE, ticks.text[n]);
	}
}

static void
plot_y_ticks(struct esv_plot *plot)
{
	struct esv_ticks ticks;

	esv_axis_ticks(&plot->y, plot_most_y(plot->area.height), &ticks);
	for (uint32_t n = 0; n < ticks.count; n++) {
		double y = esv_axis_at(&plot->y, ticks.at[n]);

		if (!plot->y.bare)
			esv_draw_line(plot->figure, ESV_ROLE_GRID,
			    (struct esv_point){ plot->area.x, y },
			    (struct esv_point){ plot->area.x + plot->area.width,
				y },
			    1.0);
		esv_draw_line(plot->figure, ESV_ROLE_AXIS,
		    (struct esv_point){ plot->area.x - TICK, y },
		    (struct esv_point){ plot->area.x, y }, 1.0);
		esv_draw_text(plot->figure, ESV_ROLE_TEXT,
		    (struct esv_point){ plot->area.x - TICK - GAP, y },
		    ESV_ANCHOR_RIGHT, ticks.text[n]);
	}
}

/* Returns the least n for which the names of every n-th band do not overlap. */
static uint32_t
plot_every(double band, double room)
{
	return band >= room ? 1 : (uint32_t)ceil(room / fmax(band, 1e-6));
}

static struct esv_thing
axis_thing(const struct esv_axis *axis, uint32_t n)
{
	return axis->things == NULL ? ESV_NOTHING : axis->things[n];
}

static void
plot_x_names(struct esv_plot *plot)
{
	struct esv_axis *x = &plot->x;
	double band = plot->area.width / x->count;
	double top = plot->area.y + plot->area.height + TICK + GAP;
	bool turned = x->names_room > 0.0;
	uint32_t every = plot_every(band, LINE);

	for (uint32_t n = 0; n < x->count; n += every) {
		struct esv_shape name = { .kind = ESV_SHAPE_TEXT,
			.role = ESV_ROLE_TEXT,
			.x = esv_axis_at(x, n + 0.5),
			.y = turned ? top : top + LINE / 2.0,
			.width = x->names_room,
			.anchor = turned ? ESV_ANCHOR_RIGHT : ESV_ANCHOR_MIDDLE,
			.text_turned = turned,
			.text = x->names[n],
			.text_size = ESV_LABEL_POINTS,
			.thing = axis_thing(x, n) };

		(void)esv_figure_add(plot->figure, &name);
	}
}

/* Chooses the names of a tree that are drawn, so that less deep ones come first
   and none is nearer to another than `every`. */
static void
tree_choose(const struct esv_axis *y, uint32_t every, bool *chosen)
{
	size_t deepest = 0;

	for (uint32_t n = 0; n < y->count; n++) {
		size_t depth = strspn(y->names[n], " ");

		deepest = depth > deepest ? depth : deepest;
	}
	for (size_t depth = 0; depth <= deepest; depth++)
		for (uint32_t n = 0; n < y->count; n++) {
			uint32_t from = n < every ? 0 : n - every + 1;
			bool free = strspn(y->names[n], " ") == depth;

			for (uint32_t m = from;
			     free && m < y->count && m < n + every; m++)
				free = !chosen[m];
			chosen[n] |= free;
		}
}

/* Draws the names of rows, if not all fit some of them. */
static void
plot_y_names(struct esv_plot *plot)
{
	struct esv_axis *y = &plot->y;
	uint32_t every = plot_every(plot->area.height / y->count, LINE * 0.85);
	double right = plot->area.x - TICK - GAP;
	double left = right - y->names_room;
	bool *chosen =
	    y->tree && every > 1 ? calloc(y->count, sizeof(*chosen)) : NULL;

	if (chosen != NULL)
		tree_choose(y, every, chosen);
	for (uint32_t n = 0; n < y->count; n++) {
		if (chosen != NULL ? !chosen[n] : n % every != 0)
			continue;
		(void)esv_figure_add(plot->figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
			.role = ESV_ROLE_TEXT,
			.x = y->tree ? left : right,
			.y = esv_axis_at(y, n + 0.5),
			.width = y->names_room,
			.cut_middle = !y->tree,
			.anchor = y->tree ? ESV_ANCHOR_LEFT : ESV_ANCHOR_RIGHT,
			.text = y->names[n],
			.text_size = ESV_LABEL_POINTS,
			.thing = axis_thing(y, n) });
	}
	free(chosen);
}

static void
plot_labels(struct esv_plot *plot, struct esv_box box)
{
	const struct esv_box *area = &plot->area;

	if (plot->x.label != NULL)
		esv_draw_text(plot->figure, ESV_ROLE_DIM_TEXT,
		    (struct esv_point){ area->x + area->width / 2.0,
			box.y + box.height - LINE / 2.0 },
		    ESV_ANCHOR_MIDDLE, plot->x.label);
	if (plot->y.label != NULL)
		(void)esv_figure_add(plot->figure,
		    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
			.role = ESV_ROLE_DIM_TEXT,
			.x = box.x + LINE / 2.0,
			.y = area->y + area->height / 2.0,
			.anchor = ESV_ANCHOR_MIDDLE,
			.text_turned = 1,
			.text = plot->y.label,
			.text_size = ESV_LABEL_POINTS });
}

void
esv_plot_axes(struct esv_plot *plot, struct esv_box box)
{
	plot_place(plot, box);
	esv_draw_rect(plot->figure, ESV_ROLE_PANEL, plot->area, ESV_NOTHING,
	    NULL);
	if (plot->x.names != NULL)
		plot_x_names(plot);
	else
		plot_x_ticks(plot);
	if (plot->y.names != NULL)
		plot_y_names(plot);
	else
		plot_y_ticks(plot);
	plot_labels(plot, box);
	esv_draw_frame(plot->figure, ESV_ROLE_AXIS, plot->area, 1.0);
}
