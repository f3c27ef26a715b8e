/* SPDX-License-Identifier: MIT */
/*
 * viewer/coverage_tuples.c - how much of each pixel was communication, exactly
 *
 * Below the pyramid.  Stamps ascend within a collector, so a window begins with
 * a search, at the operation that may still be under way.  A thread with
 * several paths communicates while any of its operations is: its collectors
 * are read in order of time.
 */

#include "viewer/coverage_private.h"

#include "scopes/operation.h"

#include <math.h>

/* More collectors of one thread than this are drawn from the pyramid. */
#define FEEDS 64u

/* A collector that is read, and how its stamps become pixels. */
struct feed {
	const struct es_collector *collector;
	bool calls;
	uint64_t n, end;
	uint64_t origin; /* ticks, at */
	double at;	 /* pixel, and from there */
	double pixels_a_tick, ns_a_tick;
	double x0, x1; /* of the operation at n */
};

struct drawing {
	struct es__pixels *pixels;
	double left, right; /* pixels that are part of the run and the window */
	double share;	    /* of one thread */
	double covered_to;
};

static double
feed_pixel(const struct feed *feed, uint64_t ticks)
{
	return feed->at +
	    (double)(int64_t)(ticks - feed->origin) * feed->pixels_a_tick;
}

/* To the next operation that came back.  false: there is none. */
static inline bool
feed_fill(struct feed *feed)
{
	for (; feed->n < feed->end; feed->n++) {
		const struct es_operation *op =
		    es_operation_get(feed->collector, feed->n);

		if (op->stop == 0 ||
		    (feed->calls &&
			!es_operation_is_call(feed->collector, feed->n)))
			continue;
		feed->x0 = feed_pixel(feed, op->start);
		feed->x1 = feed_pixel(feed, op->stop);
		return true;
	}
	return false;
}

/* A moment of the window as ns that stamps are looked for at. */
static int64_t
zoom_ns(double ns)
{
	const double far = 0x1p60;

	return (int64_t)fmin(fmax(floor(ns), -far), far);
}

static bool
feed_open(struct feed *feed, const struct es_model *model,
    const struct es__zoom *zoom, uint32_t collector)
{
	const struct es_collector *c = es_run_collector(model->run, collector);
	enum es_operation_type type = es_operation_type(c);
	const struct es_timebase *base = &model->bases[c->process];
	int64_t from = zoom_ns(zoom->t0_ns);

	if (type == ES_OPERATION_NONE || base->mult <= 0)
		return false;
	*feed = (struct feed){ .collector = c,
		.calls = type == ES_OPERATION_MPI,
		.origin = es_time_ticks(base, from) };
	feed->ns_a_tick = (double)base->mult * 0x1p-48;
	feed->pixels_a_tick = feed->ns_a_tick * zoom->scale;
	feed->at = ((double)es_time_ns(base, feed->origin) - zoom->t0_ns) *
	    zoom->scale;
	feed->n = es_collector_seek_start(c, feed->origin);
	feed->end = es_collector_seek_start(c,
	    es_time_ticks(base, zoom_ns(zoom->t0_ns + zoom->span_ns) + 1));
	/* The one before may still be under way. */
	if (feed->n > 0)
		feed->n--;
	while (feed->calls && feed->n > 0 && !es_operation_is_call(c, feed->n))
		feed->n--;
	return feed_fill(feed);
}

static inline void
drawing_add(struct drawing *drawing, const struct feed *feed)
{
	double x0 = feed->x0 > drawing->left ? feed->x0 : drawing->left;
	double x1 = feed->x1 < drawing->right ? feed->x1 : drawing->right;
	double ns;

	if (x1 < x0 || x0 >= drawing->right)
		return;
	ns = (feed->x1 - feed->x0) / feed->pixels_a_tick * feed->ns_a_tick;
	es__pixels_touch(drawing->pixels, x0, x1, ns);
	x0 = drawing->covered_to > x0 ? drawing->covered_to : x0;
	if (x1 <= x0)
		return;
	es__pixels_add(drawing->pixels, x0, x1, drawing->share);
	drawing->covered_to = x1;
}

/* All of one collector's, up to where another one's operation starts. */
static bool
drawing_run(struct drawing *drawing, struct feed *feed, double until)
{
	do {
		drawing_add(drawing, feed);
		feed->n++;
		if (!feed_fill(feed))
			return false;
	} while (feed->x0 <= until);
	return true;
}

/* In order of time: the earliest goes on until it is no more. */
static void
drawing_merge(struct drawing *drawing, struct feed *feeds, uint32_t count)
{
	while (count > 0) {
		uint32_t first = 0;
		double until = INFINITY;

		for (uint32_t f = 1; f < count; f++) {
			if (feeds[f].x0 < feeds[first].x0) {
				until = feeds[first].x0;
				first = f;
			} else if (feeds[f].x0 < until) {
				until = feeds[f].x0;
			}
		}
		if (!drawing_run(drawing, &feeds[first], until))
			feeds[first] = feeds[--count];
	}
}

static bool
drawing_thread(struct drawing *drawing, const struct es_model *model,
    const struct es__zoom *zoom, uint32_t thread)
{
	const uint32_t *head = &model->heads[model->head_of[thread]];
	const uint32_t *end = &model->heads[model->head_of[thread + 1]];
	struct feed feeds[FEEDS];
	uint32_t count = 0;

	if (end - head > (ptrdiff_t)FEEDS)
		return false;
	for (; head < end; head++) {
		if (es_run_collector(model->run, *head)->type == NULL)
			return false;
		count += feed_open(&feeds[count], model, zoom, *head);
	}
	drawing->covered_to = drawing->left;
	drawing_merge(drawing, feeds, count);
	return true;
}

/* Of the threads below a row, those that have a collector. */
static uint32_t
row_heard(const struct es_model *model, uint32_t row)
{
	uint32_t heard = 0;

	for (uint32_t n = row; n < model->row_count; n++) {
		const struct es_row *r = &model->rows[n];

		if (n > row && r->depth <= model->rows[row].depth)
			break;
		if (r->kind == ES_ROW_THREAD)
			heard +=
			    model->head_of[r->id + 1] > model->head_of[r->id];
	}
	return heard;
}

bool
es__coverage_tuples(const struct es_model *model, const struct es__zoom *zoom,
    uint32_t row, struct es__pixels *pixels)
{
	uint32_t heard;
	struct drawing drawing = { .pixels = pixels };
	bool all = true;

	if (model->run == NULL || model->rows[row].threads > ES_STRIPS_THREADS)
		return false;
	heard = row_heard(model, row);
	drawing.share = 1.0 / (heard > 0 ? heard : 1);
	drawing.left = fmin(fmax(-zoom->t0_ns * zoom->scale, 0), zoom->width);
	drawing.right = zoom->width;
	for (uint32_t n = row; all && n < model->row_count; n++) {
		const struct es_row *r = &model->rows[n];

		if (n > row && r->depth <= model->rows[row].depth)
			break;
		if (r->kind == ES_ROW_THREAD)
			all = drawing_thread(&drawing, model, zoom, r->id);
	}
	return all;
}
