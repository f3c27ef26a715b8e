/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/strips.c - the draw list of a timeline
 */

#include "viewer/timeline/strips.h"

#include "viewer/timeline/coverage.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <math.h>
#include <stdlib.h>

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

/* A pixel as a number: its grey, and for rows of several threads the level of
   the band and whether it is rare. */
#define KEY_LEVEL 6 /* first bit */
#define KEY_RARE 12
#define KEY_PART 63u

_Static_assert(ESV_GREYS <= KEY_PART, "a grey has six bits");

/* Returns the key of a pixel of a row of several threads. */
static uint16_t
band_of(double share, double longest_ns, double rare_ns)
{
	const int darkest = ESV_GREYS - 1;
	int level = (int)(share * darkest + 0.5);
	unsigned grey = grey_of(share, longest_ns, rare_ns);

	level = level < darkest ? level : darkest;
	level = level > 0 || grey == 0 ? level : 1;
	return (uint16_t)(grey | (unsigned)level << KEY_LEVEL |
	    (longest_ns >= rare_ns ? 1u << KEY_RARE : 0));
}

/* A row of pixels, and the ends of its strips. */
struct strip_line {
	struct esv__pixels pixels;
	bool band;	/* the row has several threads */
	double rare_ns; /* over 0 */
	uint16_t *keys; /* of each pixel, and a sentinel */
	uint32_t *ends;
};

static paths_status
line_open(struct strip_line *line, uint32_t width)
{
	size_t count = (size_t)width + 1;

	line->pixels.share = calloc(count, sizeof(*line->pixels.share));
	line->pixels.longest_ns =
	    calloc(count, sizeof(*line->pixels.longest_ns));
	line->keys = calloc(count, sizeof(*line->keys));
	line->ends = calloc(count, sizeof(*line->ends));
	return line->pixels.share != NULL && line->pixels.longest_ns != NULL &&
		line->keys != NULL && line->ends != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "a timeline");
}

static void
line_close(struct strip_line *line)
{
	free(line->ends);
	free(line->keys);
	free(line->pixels.longest_ns);
	free(line->pixels.share);
}

/* Finds the ends of strips.  A branch at each end would be mispredicted, so the
   loop has none. */
static uint32_t
line_cut(const struct strip_line *line, uint32_t width)
{
	const double *share = line->pixels.share;
	const double *longest_ns = line->pixels.longest_ns;
	uint32_t count = 0;

	for (uint32_t x = 0; x < width; x++)
		line->keys[x] = line->band ?
		    band_of(share[x], longest_ns[x], line->rare_ns) :
		    grey_of(share[x], longest_ns[x], line->rare_ns);
	line->keys[width] = UINT16_MAX;
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
		strip.x1 = line->ends[n];
		strip.grey = line->keys[strip.x0] & KEY_PART;
		strip.level = line->keys[strip.x0] >> KEY_LEVEL & KEY_PART;
		strip.rare = line->keys[strip.x0] >> KEY_RARE & 1;
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
};

/* Adds rows n to n + count - 1, which are fetched at once. */
static paths_status
filling_add(struct filling *f, const uint32_t *rows, uint32_t n, uint32_t count)
{
	struct esv_model *model = f->model;
	paths_status st = esv__coverage_need(model, &f->zoom, rows + n, count);

	for (uint32_t end = n + count; st == PATHS_OK && n < end; n++) {
		esv__coverage_row(model, &f->zoom, rows[n], &f->line.pixels);
		f->strips->coarse |= f->line.pixels.coarse;
		f->line.band = model->rows[rows[n]].threads > 1;
		f->line.rare_ns = esv__coverage_rare_ns(model, rows[n]);
		st = strips_add_row(f->strips, n, f->zoom.width, &f->line);
	}
	return st;
}

paths_status
esv_strips_fill(struct esv_model *model, const struct esv_window *window,
    const uint32_t *rows, uint32_t row_count, struct esv_strips *strips)
{
	struct filling f = { .model = model, .strips = strips };
	uint32_t group;
	paths_status st = strips_check(model, window, rows, row_count);

	strips->count = 0;
	strips->coarse = false;
	if (st != PATHS_OK)
		return st;
	f.zoom = esv__coverage_zoom(model, window, rows, row_count);
	group = esv__coverage_group(&f.zoom);
	st = line_open(&f.line, window->width);
	for (uint32_t n = 0; st == PATHS_OK && n < row_count; n += group)
		st = filling_add(&f, rows, n,
		    row_count - n < group ? row_count - n : group);
	line_close(&f.line);
	return st;
}

void
esv_strips_fini(struct esv_strips *strips)
{
	free(strips->strips);
	*strips = (struct esv_strips){ 0 };
}
