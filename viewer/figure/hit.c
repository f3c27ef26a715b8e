/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/hit.c - the shape or cell under the pointer
 */

#include "viewer/figure/hit.h"

#include "viewer/figure/label.h"

#include "libpaths/base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A line is found up to this distance from the pointer, or up to half of its
   width if that is more. */
#define NEAR 3.0

/* Returns the distance of a point from a line segment. */
static double
point_segment(struct esv_point p, struct esv_point a, struct esv_point b)
{
	double dx = b.x - a.x, dy = b.y - a.y;
	double length = dx * dx + dy * dy;
	double at =
	    length > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0.0;

	at = fmin(fmax(at, 0.0), 1.0);
	return hypot(p.x - a.x - at * dx, p.y - a.y - at * dy);
}

static bool
on_line(const struct esv_shape *shape, struct esv_point p)
{
	for (uint32_t n = 1; n < shape->point_count; n++)
		if (point_segment(p, shape->points[n - 1], shape->points[n]) <=
		    fmax(NEAR, shape->line_width / 2.0))
			return true;
	return false;
}

/* Returns true if a point is inside: a ray from it to the right then crosses
   the border an odd number of times. */
static bool
in_area(const struct esv_shape *shape, struct esv_point p)
{
	uint32_t count = shape->point_count;
	bool inside = false;

	for (uint32_t n = 0; n < count; n++) {
		struct esv_point a = shape->points[n];
		struct esv_point b = shape->points[(n + 1) % count];

		if ((a.y > p.y) != (b.y > p.y) &&
		    p.x < a.x + (p.y - a.y) * (b.x - a.x) / (b.y - a.y))
			inside = !inside;
	}
	return inside;
}

static bool
in_box(double x, double y, double width, double height, struct esv_point p)
{
	return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height;
}

static bool
in_text(const struct esv_shape *shape, struct esv_point p)
{
	double width = esv_label_width(shape->text, shape->text_size);
	double height = ESV_LABEL_HEIGHT(shape->text_size);
	double before = width * shape->anchor / ESV_ANCHOR_RIGHT;

	if (shape->text_turned)
		return in_box(shape->x - height / 2.0,
		    shape->y - width + before, height, width, p);
	return in_box(shape->x - before, shape->y - height / 2.0, width, height,
	    p);
}

static bool
in_shape(const struct esv_shape *shape, struct esv_point p)
{
	switch (shape->kind) {
	case ESV_SHAPE_LINE:
		return on_line(shape, p);
	case ESV_SHAPE_AREA:
		return in_area(shape, p);
	case ESV_SHAPE_TEXT:
		return in_text(shape, p);
	default:
		return in_box(shape->x, shape->y, shape->width, shape->height,
		    p);
	}
}

/* Prints a tip.  One that is too long is cut after its last whole character. */
static void tip_print(char tip[256], const char *format, ...)
    PATHS_PRINTF(2, 3);
static void
tip_print(char tip[256], const char *format, ...)
{
	va_list args;
	int bytes;
	size_t last = 255;

	va_start(args, format);
	bytes = vsnprintf(tip, 256, format, args);
	va_end(args);
	if (bytes < 256)
		return;
	do
		last--;
	while (last > 0 && (tip[last] & 0xc0) == 0x80);
	if (paths_utf8_bytes(tip + last) == 0)
		tip[last] = '\0';
}

void
esv_hit_cell(const struct esv_grid *grid, uint32_t row, uint32_t column,
    char tip[256])
{
	double value = grid->values[(size_t)row * grid->columns + column];
	char number[PATHS_UNIT_TEXT_BYTES] = "-";

	if (!isnan(value))
		paths_unit_text(grid->unit, value, number);
	if (grid->column_names != NULL)
		tip_print(tip, "%s, %s: %s", grid->row_names[row],
		    grid->column_names[column], number);
	else
		tip_print(tip, "%s, %s %.0f: %s", grid->row_names[row],
		    grid->number, grid->first + column * grid->each, number);
}

static bool
grid_at(const struct esv_grid *grid, struct esv_point p, struct esv_hit *hit)
{
	uint32_t row, column;

	if (!in_box(grid->x, grid->y, grid->width, grid->height, p))
		return false;
	row = (uint32_t)((p.y - grid->y) * grid->rows / grid->height);
	column = (uint32_t)((p.x - grid->x) * grid->columns / grid->width);
	if (row >= grid->rows || column >= grid->columns)
		return false;
	hit->thing = grid->row_things[row];
	if (grid->pairs != NULL)
		hit->thing = (struct esv_thing){ ESV_THING_PAIR, hit->thing.id,
			grid->pairs[column].id };
	if (grid->column_names == NULL)
		hit->step = (int64_t)(grid->first + column * grid->each);
	esv_hit_cell(grid, row, column, hit->tip);
	return true;
}

bool
esv_hit_find(const struct esv_figure *figure, double x, double y,
    struct esv_hit *hit)
{
	struct esv_point p = { x, y };

	*hit = (struct esv_hit){ .step = -1 };
	for (const struct esv_grid *g = figure->grid; g != NULL; g = g->next)
		if (grid_at(g, p, hit))
			return true;
	for (size_t n = figure->count; n-- > 0;) {
		const struct esv_shape *s = &figure->shapes[n];

		if ((s->thing.kind == ESV_THING_NONE && s->tip == NULL) ||
		    !in_shape(s, p))
			continue;
		hit->thing = s->thing;
		if (s->tip != NULL)
			tip_print(hit->tip, "%s", s->tip);
		return true;
	}
	return false;
}
