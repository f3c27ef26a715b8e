/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/figure.c - a drawing as a list of shapes
 *
 * Texts, points and pixels of shapes are copied into blocks of memory, which
 * are freed with the figure.
 */

#include "viewer/figure/figure.h"

#include "viewer/figure/label.h"

#include "libpaths/base/array.h"
#include "libpaths/base/utf8.h"
#include "libpaths/log.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 16384u

struct esv_figure_block {
	struct esv_figure_block *older;
	size_t bytes, used;
	_Alignas(16) unsigned char data[];
};

void
esv_figure_init(struct esv_figure *figure, double width, double height)
{
	*figure = (struct esv_figure){ .width = width, .height = height };
}

void
esv_figure_fini(struct esv_figure *figure)
{
	struct esv_figure_block *block;

	if (figure == NULL)
		return;
	while ((block = figure->memory) != NULL) {
		figure->memory = block->older;
		free(block);
	}
	free(figure->shapes);
	*figure = (struct esv_figure){ .width = figure->width,
		.height = figure->height };
}

static void *
figure_fail(struct esv_figure *figure)
{
	figure->status = paths_log_fail(PATHS_ENOMEM, "a figure");
	return NULL;
}

/* Returns memory that lives as long as the figure; NULL: there is none. */
static void *
figure_room(struct esv_figure *figure, size_t bytes)
{
	struct esv_figure_block *block = figure->memory;
	size_t room = bytes < BLOCK_BYTES ? BLOCK_BYTES : bytes;
	void *at;

	bytes = (bytes + 15) & ~(size_t)15;
	room = (room + 15) & ~(size_t)15;
	if (block == NULL || block->bytes - block->used < bytes) {
		block = malloc(sizeof(*block) + room);
		if (block == NULL)
			return figure_fail(figure);
		block->older = figure->memory;
		block->bytes = room;
		block->used = 0;
		figure->memory = block;
	}
	at = block->data + block->used;
	block->used += bytes;
	return at;
}

static const void *
figure_copy(struct esv_figure *figure, const void *from, size_t bytes)
{
	void *to;

	if (from == NULL || bytes == 0)
		return NULL;
	to = figure_room(figure, bytes);
	return to == NULL ? NULL : memcpy(to, from, bytes);
}

/* Replaces what cannot be shown by '?': some displays refuse bytes that are not
   UTF-8. */
static const char *
figure_copy_text(struct esv_figure *figure, const char *text)
{
	size_t size = text == NULL ? 0 : strlen(text) + 1;
	char *copy = size == 0 ? NULL : figure_room(figure, size);

	return copy == NULL ? NULL :
			      paths_utf8_plain(memcpy(copy, text, size), "\n");
}

static paths_status
figure_grow(struct esv_figure *figure)
{
	if (paths__array_grow(&figure->shapes, figure->count, &figure->capacity,
		sizeof(*figure->shapes)))
		return PATHS_OK;
	(void)figure_fail(figure);
	return figure->status;
}

/* Cuts a text to its width; the full text becomes the tip. */
static void
figure_cut(struct esv_figure *figure, struct esv_shape *shape)
{
	char cut[256];

	if (shape->text == NULL || shape->width <= 0.0)
		return;
	(shape->cut_middle ? esv_label_cut_middle : esv_label_cut)(shape->text,
	    shape->text_size, shape->width, cut, sizeof(cut));
	if (strcmp(cut, shape->text) == 0)
		return;
	if (shape->tip == NULL)
		shape->tip = shape->text;
	shape->text = figure_copy_text(figure, cut);
}

paths_status
esv_figure_add(struct esv_figure *figure, const struct esv_shape *shape)
{
	struct esv_shape *s;

	assert(shape->role >= 0 && shape->role < (int)ESV_ROLES);
	if (figure->status != PATHS_OK)
		return figure->status;
	if (figure->count == figure->capacity &&
	    figure_grow(figure) != PATHS_OK)
		return figure->status;
	s = &figure->shapes[figure->count];
	*s = *shape;
	s->tip = figure_copy_text(figure, shape->tip);
	s->text = figure_copy_text(figure, shape->text);
	s->points = figure_copy(figure, shape->points,
	    shape->point_count * sizeof(*shape->points));
	s->pixels = figure_copy(figure, shape->pixels,
	    (size_t)shape->columns * shape->rows * sizeof(*shape->pixels));
	figure_cut(figure, s);
	if (figure->status == PATHS_OK)
		figure->count++;
	return figure->status;
}

static const char *const *
figure_copy_names(struct esv_figure *figure, const char *const *names,
    uint32_t count)
{
	const char **copy;

	if (names == NULL)
		return NULL;
	copy = figure_room(figure, count * sizeof(*copy));
	for (uint32_t n = 0; copy != NULL && n < count; n++)
		copy[n] =
		    figure_copy_text(figure, names[n] == NULL ? "" : names[n]);
	return copy;
}

paths_status
esv_figure_grid(struct esv_figure *figure, const struct esv_grid *grid)
{
	struct esv_grid *g;

	if (figure->status != PATHS_OK)
		return figure->status;
	g = figure_room(figure, sizeof(*g));
	if (g == NULL)
		return figure->status;
	*g = *grid;
	g->values = figure_copy(figure, grid->values,
	    (size_t)grid->columns * grid->rows * sizeof(*grid->values));
	g->row_names = figure_copy_names(figure, grid->row_names, grid->rows);
	g->row_things = figure_copy(figure, grid->row_things,
	    grid->rows * sizeof(*grid->row_things));
	g->column_names =
	    figure_copy_names(figure, grid->column_names, grid->columns);
	g->number = figure_copy_text(figure, grid->number);
	g->pairs = figure_copy(figure, grid->pairs,
	    grid->columns * sizeof(*grid->pairs));
	g->next = figure->grid;
	if (figure->status == PATHS_OK)
		figure->grid = g;
	return figure->status;
}

const char *
esv_figure_printf(struct esv_figure *figure, const char *fmt, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, fmt);
	length = vsnprintf(NULL, 0, fmt, arguments);
	va_end(arguments);
	assert(length >= 0);
	text = figure_room(figure, (size_t)length + 1);
	if (text == NULL)
		return "";
	va_start(arguments, fmt);
	(void)vsnprintf(text, (size_t)length + 1, fmt, arguments);
	va_end(arguments);
	return text;
}

/* Returns the lowest y of a shape. */
static double
figure_bottom(const struct esv_shape *shape)
{
	static const double below[] = {
		[ESV_ANCHOR_LEFT] = 0.0,
		[ESV_ANCHOR_MIDDLE] = 0.5,
		[ESV_ANCHOR_RIGHT] = 1.0,
	};
	double bottom = shape->y + shape->height;

	if (shape->kind == ESV_SHAPE_TEXT && shape->text_turned)
		bottom = shape->y +
		    below[shape->anchor] *
			esv_label_width(shape->text, shape->text_size);
	else if (shape->kind == ESV_SHAPE_TEXT)
		bottom = shape->y + ESV_LABEL_HEIGHT(shape->text_size) / 2.0;
	for (uint32_t n = 0; n < shape->point_count; n++)
		if (n == 0 || shape->points[n].y > bottom)
			bottom = shape->points[n].y;
	return bottom;
}

void
esv_figure_trim(struct esv_figure *figure)
{
	double bottom = 0.0;

	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *shape = &figure->shapes[n];
		double end = figure_bottom(shape) + 8.0;

		/* The ground covers the whole figure. */
		if (shape->role != ESV_ROLE_GROUND && end > bottom)
			bottom = end;
	}
	if (bottom > 0.0 && bottom < figure->height)
		figure->height = bottom;
}
