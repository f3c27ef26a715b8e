/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/strips.c - the draw list of a timeline
 */

#include "viewer/timeline/strips.h"

#include "viewer/timeline/coverage.h"
#include "viewer/timeline/coverage_tuples.h"
#include "viewer/timeline/gaps.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_MOST 65536u

/* Reserves memory for `count` more strips. */
static paths_status
strips_reserve(struct esv_strips *strips, size_t count)
{
	return paths__array_reserve(&strips->strips, strips->count + count,
		   &strips->capacity, sizeof(*strips->strips)) ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "a timeline");
}

/* Returns the grey of a pixel; rare_ns is over 0. */
static uint8_t
grey_of(double share, double longest_ns, double rare_ns)
{
	const int darkest = ESV_GREYS - 1;
	int grey = (int)(share * darkest + 0.5);
	int least = (longest_ns > 0) +
	    (longest_ns >= rare_ns) * ((int)ESV_STRIPS_LONG - 1);

	grey = grey < darkest ? grey : darkest;
	return (uint8_t)(grey > least ? grey : least);
}

/* A pixel as a number: its grey, its code, and for rows of several threads the
   level of the band, the height of its waiting, and whether it is rare. */
#define KEY_CODE 6 /* first bit */
#define KEY_LEVEL 12
#define KEY_WAIT 18
#define KEY_RARE 24
#define KEY_PART 63u

_Static_assert(ESV_GREYS <= KEY_PART, "a grey has six bits");
_Static_assert((ESV_CLASSES - 1) <= ESV__CODE_CLASS &&
	ESV_VARIANTS <= 1u << (6 - ESV__CODE_VARIANT),
    "a code has six bits");

/* Returns a height as a grey: 0 only for 0. */
static uint32_t
level_of(double share, bool any)
{
	const int most = ESV_GREYS - 1;
	int level = (int)(share * most + 0.5);

	level = level < most ? level : most;
	return (uint32_t)(level > 0 || !any ? level : 1);
}

/* The least grey of each shade: greys of one shade are drawn alike, so that
   neighbours are one strip. */
static uint32_t
grey_shaded(uint32_t grey)
{
	uint32_t shade =
	    (grey * (ESV_SHADES - 1) + (ESV_GREYS - 2) / 2) / (ESV_GREYS - 1);

	if (grey == 0)
		return 0;
	shade = shade > 0 ? shade : 1;
	return (shade * (ESV_GREYS - 1) + ESV_SHADES - 2) / (ESV_SHADES - 1);
}

/* A row of pixels, and the ends of its strips. */
struct strip_line {
	struct esv__pixels pixels;
	bool band;		   /* the row has several threads */
	double rare_ns;		   /* over 0 */
	uint8_t shades[ESV_GREYS]; /* grey_shaded of each grey */
	uint32_t *keys;		   /* of each pixel, and a sentinel */
	uint32_t *ends;
};

static paths_status
line_open(struct strip_line *line, uint32_t width)
{
	size_t count = (size_t)width + 1;

	line->pixels.share = calloc(count, sizeof(*line->pixels.share));
	line->pixels.longest_ns =
	    calloc(count, sizeof(*line->pixels.longest_ns));
	line->pixels.wait = calloc(count, sizeof(*line->pixels.wait));
	line->pixels.most = calloc(count, sizeof(*line->pixels.most));
	line->pixels.code = calloc(count, sizeof(*line->pixels.code));
	for (uint32_t n = 0; n < ESV_GREYS; n++)
		line->shades[n] = (uint8_t)grey_shaded(n);
	line->keys = calloc(count, sizeof(*line->keys));
	line->ends = calloc(count, sizeof(*line->ends));
	return line->pixels.share != NULL && line->pixels.longest_ns != NULL &&
		line->pixels.wait != NULL && line->pixels.most != NULL &&
		line->pixels.code != NULL && line->keys != NULL &&
		line->ends != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "a timeline");
}

static void
line_close(struct strip_line *line)
{
	free(line->ends);
	free(line->keys);
	free(line->pixels.code);
	free(line->pixels.most);
	free(line->pixels.wait);
	free(line->pixels.longest_ns);
	free(line->pixels.share);
}

/* Returns the height of waiting in a row of one thread, as a grey.  It has few
   steps, so that neighbours are one strip, and at least one for a share that
   can be seen. */
static inline uint32_t
wait_of(double share)
{
	const uint32_t steps = 16;
	uint32_t step = (uint32_t)(share * steps + 0.5);

	step = step > 0 || share < 1.0 / 64 ? step : 1;
	step = step < steps ? step : steps;
	return step * ((ESV_GREYS - 1) / steps);
}

/* Returns the key of a pixel of a row of several threads. */
static uint32_t
line_band(const struct strip_line *line, uint32_t x)
{
	const struct esv__pixels *p = &line->pixels;
	uint32_t grey = grey_of(p->share[x], p->longest_ns[x], line->rare_ns);
	uint32_t code = p->code[x];

	return grey | code << KEY_CODE |
	    level_of(p->share[x], grey > 0) << KEY_LEVEL |
	    level_of(p->wait[x], p->wait[x] > 0) << KEY_WAIT |
	    (p->longest_ns[x] >= line->rare_ns ? 1u << KEY_RARE : 0);
}

/* Returns the key of a pixel of a row of one thread. */
static inline uint32_t
line_key(const struct strip_line *line, uint32_t x)
{
	const struct esv__pixels *p = &line->pixels;
	uint32_t grey = grey_of(p->share[x], p->longest_ns[x], line->rare_ns);
	uint32_t code = grey > 0 ? p->code[x] : 0;
	uint32_t wait = code == ESV_CLASS_WAIT ? 0 : wait_of(p->wait[x]);

	return (code != ESV_CLASS_NONE ? line->shades[grey] : grey) |
	    code << KEY_CODE | wait << KEY_WAIT;
}

/* Finds the ends of strips.  A branch at each end would be mispredicted, so the
   loop has none. */
static uint32_t
line_cut(const struct strip_line *line, uint32_t width)
{
	uint32_t count = 0;

	if (line->band)
		for (uint32_t x = 0; x < width; x++)
			line->keys[x] = line_band(line, x);
	else
		for (uint32_t x = 0; x < width; x++)
			line->keys[x] = line_key(line, x);
	line->keys[width] = UINT32_MAX;
	for (uint32_t x = 1; x <= width; x++) {
		line->ends[count] = x;
		count += line->keys[x] != line->keys[x - 1];
	}
	return count;
}

static paths_status
strips_add_row(struct esv_strips *strips, uint32_t row, uint32_t width,
    const struct strip_line *line)
{
	uint32_t count = line_cut(line, width);
	struct esv_strip strip = { .row = row };
	struct esv_strip *to;
	paths_status st = strips_reserve(strips, count);

	if (st != PATHS_OK)
		return st;
	to = strips->strips + strips->count;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t key = line->keys[strip.x0];

		strip.x1 = line->ends[n];
		strip.grey = key & KEY_PART;
		strip.class = key >> KEY_CODE & ESV__CODE_CLASS;
		strip.variant = key >> (KEY_CODE + ESV__CODE_VARIANT) & 3u;
		strip.level = key >> KEY_LEVEL & KEY_PART;
		strip.wait = key >> KEY_WAIT & KEY_PART;
		strip.rare = key >> KEY_RARE & 1;
		*to = strip;
		to += strip.grey > 0;
		strip.x0 = strip.x1;
	}
	strips->count = (size_t)(to - strips->strips);
	return PATHS_OK;
}

static paths_status
strips_check(const struct esv_model *model, const struct esv_window *window,
    const uint32_t *rows, uint32_t row_count)
{
	char from[PATHS_UNIT_TEXT_BYTES], span[PATHS_UNIT_TEXT_BYTES];

	if (window->width == 0 || window->width > WIDTH_MOST)
		return paths_log_fail(PATHS_EINVAL,
		    "a timeline of %u pixels, not 1 to %u", window->width,
		    WIDTH_MOST);
	if (!isfinite(window->t0_ns) || !isfinite(window->span_ns) ||
	    window->span_ns <= 0)
		return paths_log_fail(PATHS_EINVAL, "a timeline from %s, of %s",
		    paths_unit_text(PATHS_UNIT_TIME, window->t0_ns, from),
		    paths_unit_text(PATHS_UNIT_TIME, window->span_ns, span));
	for (uint32_t n = 0; n < row_count; n++) {
		if (rows[n] >= model->row_count)
			return paths_log_fail(PATHS_EINVAL,
			    "a timeline of row %u of %u", rows[n],
			    model->row_count);
	}
	return PATHS_OK;
}

struct filling {
	struct esv_model *model;
	struct esv_strips *strips;
	struct esv__zoom zoom;
	struct strip_line line;
	bool gaps; /* time without a core is drawn */
};

/* Adds the name of an operation.  Its pixels are limited to the window. */
static paths_status
names_add(struct filling *f, uint32_t n, const struct esv__named *named,
    const uint32_t x[2])
{
	struct esv_strips *strips = f->strips;
	uint32_t half = (x[1] - x[0]) / 2;
	uint32_t middle = x[0] +
	    (half < ESV_STRIPS_NAME_MIDDLE ? half : ESV_STRIPS_NAME_MIDDLE);

	if (!paths__array_grow(&strips->names, strips->name_count,
		&strips->name_capacity, sizeof(*strips->names)))
		return paths_log_fail(PATHS_ENOMEM, "a timeline");
	strips->names[strips->name_count++] = (struct esv_strip_name){ .row = n,
		.x0 = x[0],
		.x1 = x[1],
		.class = f->line.pixels.code[middle] & ESV__CODE_CLASS,
		.text = es_operation_name(named->type, named->op) };
	return PATHS_OK;
}

/* Finds the operations of a row that are wide enough for a name.  Only pixels
   that a long operation touches are searched. */
static paths_status
filling_names(struct filling *f, uint32_t row, uint32_t n)
{
	const struct esv__zoom *z = &f->zoom;
	double least_ns = ESV_STRIPS_NAME_LEAST / z->scale;
	paths_status st = PATHS_OK;

	if (f->model->rows[row].kind != ESV_ROW_THREAD ||
	    !esv__coverage_tuples_readable(f->model, row))
		return PATHS_OK;
	for (uint32_t x = 0; st == PATHS_OK && x < z->width;) {
		struct esv__named named;
		uint32_t edge[2] = { x, x + 1 };

		if (f->line.pixels.longest_ns[x] >= least_ns &&
		    f->line.pixels.share[x] > 0.5 &&
		    esv__coverage_tuples_at(f->model, row,
			z->t0_ns + (x + 0.5) / z->scale, &named)) {
			double end = (named.to_ns - z->t0_ns) * z->scale;

			edge[1] = (uint32_t)fmin(fmax(end, x + 1), z->width);
		}
		if (edge[1] - x >= ESV_STRIPS_NAME_LEAST)
			st = names_add(f, n, &named, edge);
		x = edge[1];
	}
	return st;
}

/* Adds the strips of time without a core of a row. */
static paths_status
filling_gaps(struct filling *f, uint32_t row, uint32_t n)
{
	struct esv_strips *strips = f->strips;
	uint32_t width = f->zoom.width;
	double *lost = f->line.pixels.wait; /* not needed any more */
	paths_status st;

	memset(lost, 0, ((size_t)width + 1) * sizeof(*lost));
	st = esv__gaps_draw(f->model, &f->zoom, row, lost);
	for (uint32_t x = 0, x1; st == PATHS_OK && x < width; x = x1) {
		uint32_t height = wait_of(lost[x]);

		for (x1 = x + 1; x1 < width && wait_of(lost[x1]) == height;)
			x1++;
		if (height == 0)
			continue;
		if (!paths__array_grow(&strips->gaps, strips->gap_count,
			&strips->gap_capacity, sizeof(*strips->gaps)))
			return paths_log_fail(PATHS_ENOMEM, "a timeline");
		strips->gaps[strips->gap_count++] =
		    (struct esv_strip){ .row = n,
			    .x0 = x,
			    .x1 = x1,
			    .wait = (uint16_t)height };
	}
	return st;
}

/* Adds rows n to n + count - 1, which are fetched at once. */
static paths_status
filling_add(struct filling *f, const uint32_t *rows, uint32_t n, uint32_t count)
{
	struct esv_model *model = f->model;
	paths_status st = esv__coverage_need(model, &f->zoom, rows + n, count);

	for (uint32_t end = n + count; st == PATHS_OK && n < end; n++) {
		f->line.pixels.split = model->rows[rows[n]].threads > 1;
		st = esv__coverage_row(model, &f->zoom, rows[n],
		    &f->line.pixels);
		if (st != PATHS_OK)
			return st;
		f->strips->coarse |= f->line.pixels.coarse;
		f->line.band = model->rows[rows[n]].threads > 1;
		f->line.rare_ns = esv__coverage_rare_ns(model, rows[n]);
		st = strips_add_row(f->strips, n, f->zoom.width, &f->line);
		if (st == PATHS_OK && f->zoom.by != ESV_BY_SHARE)
			st = filling_names(f, rows[n], n);
		if (st == PATHS_OK && f->gaps)
			st = filling_gaps(f, rows[n], n);
	}
	return st;
}

paths_status
esv_strips_fill(struct esv_model *model, const struct esv_window *window,
    const uint32_t *rows, uint32_t row_count, struct esv_strips *strips)
{
	struct filling f = { .model = model, .strips = strips };
	struct esv_window shown = *window;
	uint32_t group;
	paths_status st = strips_check(model, window, rows, row_count);

	strips->count = 0;
	strips->name_count = 0;
	strips->gap_count = 0;
	strips->coarse = false;
	if (st != PATHS_OK)
		return st;
	if (window->by >= ESV_BY_TINT && !model->tinted) {
		shown.by = ESV_BY_SHARE;
		shown.hidden = 0;
	} else if (window->by >= ESV_BY_TINT && model->colours == NULL &&
	    model->run != NULL) {
		st = es_colours_open(model->run, &model->colours);
		if (st != PATHS_OK)
			return st;
	}
	f.gaps = model->gaps && window->by != ESV_BY_SHARE &&
	    (window->hidden & ESV_HIDE_NO_CORE) == 0;
	shown.hidden &= ~ESV_HIDE_NO_CORE;
	f.zoom = esv__coverage_zoom(model, &shown, rows, row_count);
	group = esv__coverage_group(&f.zoom);
	st = line_open(&f.line, window->width);
	for (uint32_t n = 0; st == PATHS_OK && n < row_count; n += group)
		st = filling_add(&f, rows, n,
		    row_count - n < group ? row_count - n : group);
	line_close(&f.line);
	return st;
}

bool
esv_strips_gap_in(const struct esv_strips *strips, uint32_t row, uint32_t x0,
    uint32_t x1)
{
	const struct esv_strip *gaps = strips->gaps;
	size_t low = 0, high = strips->gap_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (gaps[middle].row < row ||
		    (gaps[middle].row == row && gaps[middle].x1 <= x0))
			low = middle + 1;
		else
			high = middle;
	}
	return low < strips->gap_count && gaps[low].row == row &&
	    gaps[low].x0 < x1;
}

void
esv_strips_fini(struct esv_strips *strips)
{
	free(strips->strips);
	free(strips->names);
	free(strips->gaps);
	*strips = (struct esv_strips){ 0 };
}
