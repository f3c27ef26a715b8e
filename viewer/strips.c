/* SPDX-License-Identifier: MIT */
/*
 * viewer/strips.c - the draw list of a timeline
 */

#include "viewer/coverage_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH_MOST 65536u

static paths_status
strips_add(struct es_strips *strips, struct es_strip strip)
{
	struct es_strip *more = strips->strips;

	if (strips->count == strips->capacity) {
		size_t capacity = 2 * strips->capacity + 256;

		more = realloc(more, capacity * sizeof(*more));
		if (more == NULL)
			return paths_log_fail(PATHS_ENOMEM, "a timeline");
		strips->strips = more;
		strips->capacity = capacity;
	}
	more[strips->count++] = strip;
	return PATHS_OK;
}

static uint32_t
grey_of(double share, double longest_ns, double rare_ns)
{
	const uint32_t darkest = ES_GREYS - 1;
	uint32_t grey = (uint32_t)((share < 1 ? share : 1) * darkest + 0.5);

	if (longest_ns >= rare_ns && grey < ES_STRIPS_LONG)
		return ES_STRIPS_LONG;
	return grey > 0 || longest_ns <= 0 ? grey : 1;
}

static paths_status
strips_add_row(struct es_strips *strips, uint32_t row, uint32_t width,
    const struct es__pixels *pixels, double rare_ns)
{
	struct es_strip strip = { .row = row };
	paths_status st = PATHS_OK;

	for (uint32_t x = 0; st == PATHS_OK && x <= width; x++) {
		uint32_t grey = x == width ?
		    ES_GREYS :
		    grey_of(pixels->share[x], pixels->longest_ns[x], rare_ns);

		if (grey == strip.grey)
			continue;
		strip.x1 = x;
		if (strip.grey > 0 && strip.x0 < x)
			st = strips_add(strips, strip);
		strip.x0 = x;
		strip.grey = grey;
	}
	return st;
}

static paths_status
strips_check(const struct es_model *model, const struct es_window *window,
    const uint32_t *rows, uint32_t row_count)
{
	if (window->width == 0 || window->width > WIDTH_MOST)
		return paths_log_fail(PATHS_EINVAL,
		    "a timeline of %u pixels, not 1 to %u", window->width,
		    WIDTH_MOST);
	if (!isfinite(window->t0_ns) || !isfinite(window->span_ns) ||
	    window->span_ns <= 0)
		return paths_log_fail(PATHS_EINVAL,
		    "a timeline from %g on, of %g ns", window->t0_ns,
		    window->span_ns);
	for (uint32_t n = 0; n < row_count; n++) {
		if (rows[n] >= model->row_count)
			return paths_log_fail(PATHS_EINVAL,
			    "a timeline of row %u, and there are %u", rows[n],
			    model->row_count);
	}
	return PATHS_OK;
}

struct filling {
	struct es_model *model;
	struct es_strips *strips;
	struct es__zoom zoom;
	struct es__pixels pixels;
};

/* Rows that are fetched at once: from the n-th on. */
static paths_status
filling_add(struct filling *f, const uint32_t *rows, uint32_t n, uint32_t count)
{
	struct es_model *model = f->model;
	paths_status st = es__coverage_need(model, &f->zoom, rows + n, count);

	for (uint32_t end = n + count; st == PATHS_OK && n < end; n++) {
		es__coverage_row(model, &f->zoom, rows[n], &f->pixels);
		f->strips->coarse |= f->pixels.coarse;
		st = strips_add_row(f->strips, n, f->zoom.width, &f->pixels,
		    es__coverage_rare_ns(model, rows[n]));
	}
	return st;
}

paths_status
es_strips_fill(struct es_model *model, const struct es_window *window,
    const uint32_t *rows, uint32_t row_count, struct es_strips *strips)
{
	struct filling f = { .model = model, .strips = strips };
	uint32_t group;
	paths_status st = strips_check(model, window, rows, row_count);

	strips->count = 0;
	strips->coarse = false;
	if (st != PATHS_OK)
		return st;
	f.zoom = es__zoom_of(model, window, rows, row_count);
	group = es__coverage_group(&f.zoom);
	f.pixels.share = calloc(window->width + 1, sizeof(*f.pixels.share));
	f.pixels.longest_ns =
	    calloc(window->width + 1, sizeof(*f.pixels.longest_ns));
	if (f.pixels.share == NULL || f.pixels.longest_ns == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "a timeline");
	for (uint32_t n = 0; st == PATHS_OK && n < row_count; n += group)
		st = filling_add(&f, rows, n,
		    row_count - n < group ? row_count - n : group);
	free(f.pixels.longest_ns);
	free(f.pixels.share);
	return st;
}

void
es_strips_fini(struct es_strips *strips)
{
	free(strips->strips);
	*strips = (struct es_strips){ 0 };
}
