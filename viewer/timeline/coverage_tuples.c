/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage_tuples.c - how much of each pixel was
 * communication, exactly
 *
 * Below the pyramid.  Stamps ascend within a collector, so a window begins with
 * a search, at the operation that may still be under way.  A thread with
 * several paths communicates while any of its operations is: its collectors
 * are read in order of time.
 */

#include "viewer/timeline/coverage_private.h"

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
	double run_end;	 /* pixel where what has not come back ends */
	double at;	 /* pixel, and from there */
	double pixels_a_tick, ns_a_tick;
	double x0, x1; /* of the operation at n */
};

struct tuples_drawing {
	struct esv__pixels *pixels;
	double left, right; /* pixels that are part of the run and the window */
	double scale;	    /* pixels a ns */
	double share;	    /* of one thread */
	double covered_to;
};

static double
feed_pixel(const struct feed *feed, uint64_t ticks)
{
	return feed->at +
	    (double)(int64_t)(ticks - feed->origin) * feed->pixels_a_tick;
}

/* To the next operation that came back, or is under way to the end.  false:
   there is none. */
static inline bool
feed_fill(struct feed *feed)
{
	const struct es_collector *c = feed->collector;

	for (; feed->n < feed->end; feed->n++) {
		const struct es_operation *op = es_operation_get(c, feed->n);

		if ((op->stop == 0 && !es_operation_is_inside(c, feed->n)) ||
		    (feed->calls && !es_operation_is_call(c, feed->n)))
			continue;
		feed->x0 = feed_pixel(feed, op->start);
		feed->x1 =
		    op->stop == 0 ? feed->run_end : feed_pixel(feed, op->stop);
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
feed_open(struct feed *feed, const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t collector)
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
	feed->run_end = ((double)model->span_ns - zoom->t0_ns) * zoom->scale;
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
drawing_add(struct tuples_drawing *drawing, const struct feed *feed)
{
	double x0 = feed->x0 > drawing->left ? feed->x0 : drawing->left;
	double x1 = feed->x1 < drawing->right ? feed->x1 : drawing->right;
	double ns;

	if (x1 < x0 || x0 >= drawing->right)
		return;
	ns = (feed->x1 - feed->x0) / drawing->scale;
	esv__pixels_touch(drawing->pixels, x0, x1, ns > 1 ? ns : 1);
	x0 = drawing->covered_to > x0 ? drawing->covered_to : x0;
	if (x1 <= x0)
		return;
	esv__pixels_add(drawing->pixels, x0, x1, drawing->share);
	drawing->covered_to = x1;
}

/* The most frequent case, in a loop of its own: one path, operations on it.
   Those within a pixel, which are many when there are many, are quick. */
static void
drawing_alone(struct tuples_drawing *drawing, const struct feed *feed)
{
	const struct es_collector *c = feed->collector;
	struct feed f = *feed;
	double *share = drawing->pixels->share;
	double *longest_ns = drawing->pixels->longest_ns;

	for (; f.n < f.end; f.n++) {
		const struct es_operation *op = es_operation_get(c, f.n);
		uint64_t stop = op->stop;
		double ns = (double)(int64_t)(stop - op->start) * f.ns_a_tick;
		uint32_t x;

		if (stop == 0 && f.n + 1 < c->count)
			continue;
		f.x0 = feed_pixel(&f, op->start);
		f.x1 = stop == 0 ? f.run_end : feed_pixel(&f, stop);
		if (!(stop != 0 && f.x0 >= drawing->covered_to &&
			f.x1 >= f.x0 && f.x1 < drawing->right)) {
			drawing_add(drawing, &f);
			continue;
		}
		x = (uint32_t)f.x0;
		if (f.x1 > x + 1) {
			drawing_add(drawing, &f);
			continue;
		}
		share[x] += (f.x1 - f.x0) * drawing->share;
		ns = ns > 1 ? ns : 1;
		if (longest_ns[x] < ns)
			longest_ns[x] = ns;
		drawing->covered_to = f.x1;
	}
}

/* All of one collector's, up to where another one's operation starts. */
static bool
drawing_run(struct tuples_drawing *drawing, struct feed *feed, double until)
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
drawing_merge(struct tuples_drawing *drawing, struct feed *feeds,
    uint32_t count)
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

/* The collectors of a thread. */
struct heads {
	const uint32_t *ids;
	uint32_t count;
};

static struct heads
heads_of(const struct esv_model *model, uint32_t thread)
{
	uint32_t first = model->head_of[thread];

	return (struct heads){ &model->heads[first],
		model->head_of[thread + 1] - first };
}

/* The next thread at or below `row`, from row n on; row_count: none. */
static uint32_t
row_thread(const struct esv_model *model, uint32_t row, uint32_t n)
{
	for (; n < model->row_count; n++) {
		if (n > row && model->rows[n].depth <= model->rows[row].depth)
			return model->row_count;
		if (model->rows[n].kind == ESV_ROW_THREAD)
			return n;
	}
	return n;
}

static bool
heads_readable(const struct esv_model *model, struct heads heads)
{
	for (uint32_t n = 0; n < heads.count; n++) {
		const struct es_collector *c =
		    es_run_collector(model->run, heads.ids[n]);

		if (es_operation_type(c) == ES_OPERATION_NONE ||
		    model->bases[c->process].mult <= 0)
			return false;
	}
	return heads.count <= FEEDS;
}

bool
esv__coverage_readable(const struct esv_model *model, uint32_t row)
{
	uint32_t n = row;

	if (model->run == NULL)
		return false;
	while ((n = row_thread(model, row, n)) < model->row_count) {
		if (!heads_readable(model, heads_of(model, model->rows[n].id)))
			return false;
		n++;
	}
	return true;
}

uint64_t
esv__coverage_count(const struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row)
{
	uint64_t count = 0;
	struct feed feed;

	for (uint32_t n = row_thread(model, row, row); n < model->row_count;
	     n = row_thread(model, row, n + 1)) {
		struct heads heads = heads_of(model, model->rows[n].id);

		/* Looking for them is work too. */
		count += 16 * (uint64_t)heads.count;
		for (uint32_t i = 0; i < heads.count; i++) {
			if (feed_open(&feed, model, zoom, heads.ids[i]))
				count += feed.end - feed.n;
		}
	}
	return count;
}

static void
drawing_thread(struct tuples_drawing *drawing, const struct esv_model *model,
    const struct esv__zoom *zoom, struct heads heads)
{
	struct feed feeds[FEEDS];
	uint32_t count = 0;

	for (uint32_t n = 0; n < heads.count; n++)
		count += feed_open(&feeds[count], model, zoom, heads.ids[n]);
	drawing->covered_to = drawing->left;
	if (count == 1 && !feeds[0].calls)
		drawing_alone(drawing, &feeds[0]);
	else
		drawing_merge(drawing, feeds, count);
}

void
esv__coverage_tuples(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row, struct esv__pixels *pixels)
{
	struct tuples_drawing drawing = { .pixels = pixels,
		.scale = zoom->scale,
		.left = fmin(fmax(-zoom->t0_ns * zoom->scale, 0), zoom->width),
		.right = zoom->width };
	uint32_t heard = 0;
	uint32_t n;

	for (n = row_thread(model, row, row); n < model->row_count;
	     n = row_thread(model, row, n + 1))
		heard += heads_of(model, model->rows[n].id).count > 0;
	drawing.share = 1.0 / (heard > 0 ? heard : 1);
	for (n = row_thread(model, row, row); n < model->row_count;
	     n = row_thread(model, row, n + 1))
		drawing_thread(&drawing, model, zoom,
		    heads_of(model, model->rows[n].id));
}
