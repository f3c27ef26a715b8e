/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/coverage_tuples.c - communication in pixels, from tuples
 *
 * Draws windows that are finer than the pyramid.  Stamps ascend within a
 * collector, so a binary search finds the first operation of a window.  A
 * thread with several paths communicates while one of its operations is under
 * way, so its collectors are merged in order of time.
 */

#include "viewer/timeline/coverage_tuples.h"

#include "scopes/operation.h"

#include <math.h>
#include <pthread.h>

/* A thread with more collectors is drawn from the pyramid. */
#define FEEDS 64u

/* The groups and variants of operations by their number, so that drawing one
   needs no call. */
#define OPS 1024u

static struct op_codes {
	uint8_t group[OPS];
	uint8_t variant[OPS]; /* shifted to its place in a code */
} op_codes[ES_OPERATION_MPI + 1];

static void
op_codes_fill(void)
{
	for (int type = 0; type <= ES_OPERATION_MPI; type++)
		for (uint32_t op = 0; op < OPS; op++) {
			enum es_operation_type of =
			    (enum es_operation_type)type;

			op_codes[type].group[op] =
			    (uint8_t)es_operation_group(of, op);
			op_codes[type].variant[op] =
			    (uint8_t)(esv_class_variant(of, op)
				<< ESV__CODE_VARIANT);
		}
}

static const struct op_codes *
op_codes_of(enum es_operation_type type)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, op_codes_fill);
	return &op_codes[type];
}

/* A collector that is read, and the conversion of its stamps to pixels. */
struct feed {
	const struct es_collector *collector;
	bool calls;
	const struct op_codes *codes;
	const struct es_colour_lens *lens; /* of a tint */
	uint64_t n, end;
	const struct es_timebase *base;
	double t0_ns, scale;
	/* The piece of the conversion that holds from `begin` on, for `length`
	   ticks; stamp `origin` is at pixel `at`. */
	uint64_t begin, length, origin;
	double at;
	double run_end; /* pixel at which unfinished operations end */
	double pixels_a_tick, ns_a_tick;
	double x0, x1; /* of the operation at n */
	uint8_t code;
};

struct tuples_drawing {
	struct esv__pixels *pixels;
	const struct esv__zoom *zoom;
	double left, right; /* pixels in the run and in the window */
	double scale;	    /* pixels a ns */
	double share;	    /* of one thread in the row */
	double covered_to;
};

/* Takes the piece of the conversion that holds for a stamp. */
static void
feed_take_piece(struct feed *feed, uint64_t ticks)
{
	uint32_t n = es_timebase_find(feed->base, ticks);
	struct es_time_piece piece, next = { .from = UINT64_MAX };

	(void)es_timebase_piece(feed->base, n, &piece);
	(void)es_timebase_piece(feed->base, n + 1, &next);
	feed->begin = n == 0 ? 0 : piece.from;
	feed->length = next.from - feed->begin;
	feed->ns_a_tick = (double)piece.mult * 0x1p-48;
	feed->pixels_a_tick = feed->ns_a_tick * feed->scale;
	feed->origin = ticks;
	feed->at = ((double)es_time_piece_ns(&piece, ticks) - feed->t0_ns) *
	    feed->scale;
}

static inline double
feed_pixel(struct feed *feed, uint64_t ticks)
{
	if (__builtin_expect(ticks - feed->begin >= feed->length, 0))
		feed_take_piece(feed, ticks);
	return feed->at +
	    (double)(int64_t)(ticks - feed->origin) * feed->pixels_a_tick;
}

/* Returns the code of an operation. */
static inline uint8_t
feed_code(const struct feed *feed, const struct esv__zoom *zoom,
    const struct es_operation *operation)
{
	uint32_t op = operation->op;
	uint8_t code;

	if (esv__zoom_is_tinted(zoom))
		return zoom->codes[es_colour_class(feed->lens,
		    (enum es_colour)(zoom->by - ESV_BY_TINT), operation)];
	code = zoom->codes[feed->codes->group[op % OPS]];
	if (zoom->by == ESV_BY_FUNCTION && code != ESV__CODE_HIDDEN)
		code |= feed->codes->variant[op % OPS];
	return code;
}

/* Goes on to the next operation that has returned or is still under way.
   Returns false at the end. */
static inline bool
feed_fill(struct feed *feed, const struct esv__zoom *zoom)
{
	const struct es_collector *c = feed->collector;

	for (; feed->n < feed->end; feed->n++) {
		const struct es_operation *op = es_operation_get(c, feed->n);

		if ((op->stop == 0 && !es_operation_is_inside(c, feed->n)) ||
		    (feed->calls && !es_operation_is_call(c, feed->n)))
			continue;
		feed->code = feed_code(feed, zoom, op);
		if (feed->code == ESV__CODE_HIDDEN)
			continue;
		feed->x0 = feed_pixel(feed, op->start);
		feed->x1 =
		    op->stop == 0 ? feed->run_end : feed_pixel(feed, op->stop);
		return true;
	}
	return false;
}

/* Converts a time of the window to ns, within the range of stamps. */
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
		.codes = op_codes_of(type),
		.lens = model->colours == NULL ?
		    NULL :
		    es_colours_lens(model->colours, collector),
		.base = base,
		.t0_ns = zoom->t0_ns,
		.scale = zoom->scale };
	feed_take_piece(feed, es_time_ticks(base, from));
	feed->run_end = ((double)model->span_ns - zoom->t0_ns) * zoom->scale;
	feed->n = es_collector_seek_start(c, feed->origin);
	feed->end = es_collector_seek_start(c,
	    es_time_ticks(base, zoom_ns(zoom->t0_ns + zoom->span_ns) + 1));
	/* The operation before may still be under way. */
	if (feed->n > 0)
		feed->n--;
	while (feed->calls && feed->n > 0 && !es_operation_is_call(c, feed->n))
		feed->n--;
	return feed_fill(feed, zoom);
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
	esv__pixels_add(drawing->pixels, x0, x1, drawing->share, feed->code);
	drawing->covered_to = x1;
}

/* Fast path: draws the operations of a thread with one path.  Most of them lie
   within one pixel, which needs no call. */
static void
drawing_path(struct tuples_drawing *drawing, const struct feed *feed)
{
	const struct es_collector *c = feed->collector;
	struct feed f = *feed;
	double *share = drawing->pixels->share;
	double *longest_ns = drawing->pixels->longest_ns;
	double *most = drawing->pixels->most;

	for (; f.n < f.end; f.n++) {
		const struct es_operation *op = es_operation_get(c, f.n);
		uint64_t stop = op->stop;
		double ns = (double)(int64_t)(stop - op->start) * f.ns_a_tick;
		double part;
		uint32_t x;

		f.code = feed_code(&f, drawing->zoom, op);
		if ((stop == 0 && f.n + 1 < c->count) ||
		    f.code == ESV__CODE_HIDDEN)
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
		part = (f.x1 - f.x0) * drawing->share;
		share[x] += part;
		if (part > most[x]) {
			most[x] = part;
			drawing->pixels->code[x] = f.code;
		}
		ns = ns > 1 ? ns : 1;
		if (longest_ns[x] < ns)
			longest_ns[x] = ns;
		drawing->covered_to = f.x1;
	}
}

/* Draws operations of a collector up to pixel `until`.  Returns false at its
   end. */
static bool
drawing_run(struct tuples_drawing *drawing, struct feed *feed, double until)
{
	do {
		drawing_add(drawing, feed);
		feed->n++;
		if (!feed_fill(feed, drawing->zoom))
			return false;
	} while (feed->x0 <= until);
	return true;
}

/* Draws collectors in order of time.  The collector with the earliest operation
   goes on until another one is earlier. */
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

/* The collectors that record when a thread communicates. */
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

/* Returns the next thread at or below `row`, from row n on; row_count: none. */
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
esv__coverage_tuples_readable(const struct esv_model *model, uint32_t row)
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
esv__coverage_tuples_count(const struct esv_model *model,
    const struct esv__zoom *zoom, uint32_t row)
{
	uint64_t count = 0;
	struct feed feed;

	for (uint32_t n = row_thread(model, row, row); n < model->row_count;
	     n = row_thread(model, row, n + 1)) {
		struct heads heads = heads_of(model, model->rows[n].id);

		/* Searching a collector costs as much as some tuples. */
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
		drawing_path(drawing, &feeds[0]);
	else
		drawing_merge(drawing, feeds, count);
}

/* Adds the waits of a thread.  The thread may have none that are known. */
static void
drawing_waits(const struct tuples_drawing *drawing,
    const struct esv__spans *spans)
{
	const struct esv__zoom *zoom = drawing->zoom;

	for (size_t n = esv__spans_find(spans, zoom->t0_ns); n < spans->count;
	     n++) {
		const struct es_timeline_span *s = &spans->list[n];
		double x0 = ((double)s->start_ns - zoom->t0_ns) * zoom->scale;
		double x1 = ((double)s->stop_ns - zoom->t0_ns) * zoom->scale;

		if (x0 >= drawing->right)
			return;
		x0 = x0 > drawing->left ? x0 : drawing->left;
		x1 = x1 < drawing->right ? x1 : drawing->right;
		if (x0 < x1 && zoom->codes[s->group] != ESV__CODE_HIDDEN)
			esv__pixels_wait(drawing->pixels, x0, x1,
			    drawing->share);
	}
}

/* Gives pixels whose communication is waiting for the most part its code. */
static void
drawing_codes(const struct tuples_drawing *drawing)
{
	struct esv__pixels *pixels = drawing->pixels;

	for (uint32_t x = 0; x < drawing->zoom->width; x++) {
		if (pixels->wait[x] > pixels->share[x])
			pixels->wait[x] = pixels->share[x];
		if (pixels->wait[x] > 0 && !pixels->split &&
		    2 * pixels->wait[x] >= pixels->share[x])
			pixels->code[x] = ESV_CLASS_WAIT;
	}
}

paths_status
esv__coverage_tuples_draw(struct esv_model *model, const struct esv__zoom *zoom,
    uint32_t row, struct esv__spans *spans, struct esv__pixels *pixels)
{
	paths_status st = PATHS_OK;
	struct tuples_drawing drawing = { .pixels = pixels,
		.zoom = zoom,
		.scale = zoom->scale,
		.left = fmin(fmax(-zoom->t0_ns * zoom->scale, 0), zoom->width),
		.right = zoom->width };
	uint32_t threads = 0;
	uint32_t n;

	for (n = row_thread(model, row, row); n < model->row_count;
	     n = row_thread(model, row, n + 1))
		threads += heads_of(model, model->rows[n].id).count > 0;
	drawing.share = 1.0 / (threads > 0 ? threads : 1);
	for (n = row_thread(model, row, row);
	     st == PATHS_OK && n < model->row_count;
	     n = row_thread(model, row, n + 1)) {
		uint32_t thread = model->rows[n].id;

		drawing_thread(&drawing, model, zoom, heads_of(model, thread));
		if (!esv__zoom_has_waits(zoom) || !model->waits)
			continue;
		st = esv__spans_need(model, thread, zoom->t0_ns,
		    zoom->t0_ns + zoom->span_ns, &spans[thread]);
		if (st == PATHS_OK)
			drawing_waits(&drawing, &spans[thread]);
	}
	if (esv__zoom_has_waits(zoom))
		drawing_codes(&drawing);
	return st;
}

/* Finds the operation of a collector that is under way at a time. */
static bool
head_named(const struct esv_model *model, uint32_t collector, double ns,
    struct esv__named *named)
{
	const struct es_collector *c = es_run_collector(model->run, collector);
	const struct es_timebase *base = &model->bases[c->process];
	enum es_operation_type type = es_operation_type(c);
	uint64_t ticks = es_time_ticks(base, zoom_ns(ns));
	const struct es_operation *op;
	uint64_t n;

	n = es_collector_seek_start(c, ticks + 1);
	if (n == 0)
		return false;
	n--;
	while (type == ES_OPERATION_MPI && n > 0 && !es_operation_is_call(c, n))
		n--;
	op = es_operation_get(c, n);
	if (op->stop == 0 && !es_operation_is_inside(c, n))
		return false;
	*named =
	    (struct esv__named){ .from_ns = (double)es_time_ns(base, op->start),
		    .to_ns = op->stop == 0 ? (double)model->span_ns :
					     (double)es_time_ns(base, op->stop),
		    .type = type,
		    .op = op->op };
	return named->from_ns <= ns && ns < named->to_ns;
}

bool
esv__coverage_tuples_at(const struct esv_model *model, uint32_t row, double ns,
    struct esv__named *named)
{
	struct heads heads = heads_of(model, model->rows[row].id);

	for (uint32_t n = 0; n < heads.count; n++)
		if (head_named(model, heads.ids[n], ns, named))
			return true;
	return false;
}
