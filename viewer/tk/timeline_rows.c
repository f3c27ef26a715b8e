/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_rows.c - draws the rows of a timeline
 *
 * Strips are drawn one grey after another, so that one request of X draws
 * thousands of them.  If strips are narrow, rows are drawn as images.  Strips
 * are computed for the visible rows only, and kept until the time shown or an
 * option changes.
 */

#include "viewer/tk/timeline_rows_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

/* Rows with strips narrower than this on average are drawn as images.  The
   time for an image does not grow with the number of strips. */
#define IMAGE_PIXELS 3u
#define EIGHT sizeof(uint64_t)

/* Finds the rows [first, last) that overlap the area. */
static void
rows_range(const struct timeline_item *t, const struct timeline_rect *area,
    uint32_t *first, uint32_t *last)
{
	int64_t from = area->y / t->row_height;
	int64_t to = (area->y + area->height + t->row_height - 1) /
	    (int64_t)t->row_height;

	*first = from < t->row_count ? (uint32_t)from : t->row_count;
	*last = to < t->row_count ? (uint32_t)to : t->row_count;
}

static void
rows_problem(struct timeline_item *t, paths_status st)
{
	if (t->problem != NULL)
		ckfree(t->problem);
	t->problem = NULL;
	if (st != PATHS_OK) {
		const char *why = paths_log_last();
		size_t bytes = strlen(why) + 1;

		t->problem = memcpy(ckalloc((unsigned)bytes), why, bytes);
	}
}

/* Ends the open strips that are darker than the next strip.  Returns the new
   depth. */
static size_t
rows_close(struct esv_strips *strips, const size_t *open, size_t depth,
    struct esv_strip at)
{
	while (depth > 0 && strips->strips[open[depth - 1]].grey > at.grey)
		strips->strips[open[--depth]].x1 = at.x0;
	return depth;
}

/*
 * Extends each strip under the darker strips to its right, up to a lighter one.
 * Greys are drawn from light to dark, so fewer rectangles give the same pixels.
 */
static void
rows_nest(struct esv_strips *strips)
{
	size_t open[ESV_GREYS]; /* indexes of strips, from light to dark */
	struct esv_strip before = { 0 };
	size_t count = 0, depth = 0;

	for (size_t n = 0; n < strips->count; n++) {
		struct esv_strip s = strips->strips[n];

		if (s.level > 0) {
			/* The row may be a band, whose strips have heights. */
			depth = rows_close(strips, open, depth,
			    (struct esv_strip){ .x0 = before.x1 });
			before = s;
			strips->strips[count++] = s;
			continue;
		}
		if (s.row != before.row || s.x0 != before.x1)
			depth = rows_close(strips, open, depth,
			    (struct esv_strip){ .x0 = before.x1 });
		before = s;
		depth = rows_close(strips, open, depth, s);
		if (depth == 0 ||
		    strips->strips[open[depth - 1]].grey < s.grey) {
			open[depth++] = count;
			strips->strips[count++] = s;
		}
	}
	(void)rows_close(strips, open, depth,
	    (struct esv_strip){ .x0 = before.x1 });
	strips->count = count;
}

/* Computes the strips of rows [first, last). */
static paths_status
rows_fill(struct timeline_item *t, uint32_t first, uint32_t last)
{
	struct esv_window window = { t->t0_ns, t->span_ns, (uint32_t)t->width };
	struct esv_model *model = esv__timeline_item_model(t);
	size_t pixels = (size_t)(last - first) * window.width;
	paths_status st;

	for (uint32_t n = first; n < last; n++)
		if (t->rows[n] >= model->row_count)
			return paths_log_fail(PATHS_EINVAL,
			    "no row %u: the run has %u", t->rows[n],
			    model->row_count);
	st = esv_strips_fill(model, &window, t->rows + first, last - first,
	    &t->strips);
	if (st != PATHS_OK)
		return st;
	t->dense = t->strips.count > pixels / IMAGE_PIXELS;
	if (!t->dense)
		rows_nest(&t->strips);
	return PATHS_OK;
}

/* Computes the strips of rows [first, last), unless the item has them. */
static void
rows_strips(struct timeline_item *t, uint32_t first, uint32_t last)
{
	struct esv_window now = { t->t0_ns, t->span_ns, (uint32_t)t->width };
	const struct timeline_filled *f = &t->filled;
	paths_status st = PATHS_OK;

	if (f->valid && f->first <= first && f->last >= last &&
	    f->window.t0_ns == now.t0_ns && f->window.span_ns == now.span_ns &&
	    f->window.width == now.width)
		return;
	t->strips.count = 0;
	t->strips.coarse = false;
	t->dense = false;
	if (esv__timeline_item_model(t) != NULL && first < last)
		st = rows_fill(t, first, last);
	if (st != PATHS_OK)
		t->strips.count = 0;
	rows_problem(t, st);
	t->filled = (struct timeline_filled){ true, first, last, now };
}

static int
rows_ground_role(const struct timeline_item *t, uint32_t place)
{
	const struct esv_model *model = esv__timeline_item_model(t);

	if (model == NULL || t->problem != NULL ||
	    t->rows[place] >= model->row_count ||
	    model->rows[t->rows[place]].pyramid == PATHS_NONE)
		return ESV_ROLE_MISSING;
	return ESV_ROLE_GREY;
}

/* The background of rows: pixels of the run and of the selection. */
struct row_grounds {
	int run[2], selection[2];
};

static struct row_grounds
rows_spans(const struct timeline_item *t)
{
	const struct esv_model *model = esv__timeline_item_model(t);
	struct row_grounds g = { .run = { 0, t->width } };

	if (model != NULL) {
		int from = esv__timeline_item_x(t, 0.0);
		int to = esv__timeline_item_x(t, (double)model->span_ns) + 1;

		g.run[0] = from < 0 ? 0 : from;
		g.run[1] = to > t->width ? t->width : to;
	}
	for (int n = 0; t->selected && n < 2; n++) {
		int at = esv__timeline_item_x(t, t->selection[n]);

		g.selection[n] = at < 0 ? 0 : at;
	}
	return g;
}

/* Draws the background of rows that have a role; the selection is drawn for
   all rows. */
static void
rows_bars(struct timeline_item *t, struct timeline_pen *pen,
    const uint32_t range[2], const int x[2], int role)
{
	esv__timeline_pen_colour(pen, role);
	for (uint32_t n = range[0]; n < range[1]; n++)
		if (role == ESV_ROLE_SELECTION ||
		    rows_ground_role(t, n) == role)
			esv__timeline_pen_rects(pen,
			    &(struct timeline_rect){ x[0],
				esv__timeline_item_y(t, n), x[1] - x[0],
				esv__timeline_item_bar(t) },
			    1);
}

/* Draws the background: computation, missing data, the selection. */
static void
rows_grounds(struct timeline_item *t, struct timeline_pen *pen,
    const uint32_t range[2])
{
	struct row_grounds g = rows_spans(t);

	esv__timeline_pen_colour(pen, ESV_ROLE_PANEL);
	esv__timeline_pen_rects(pen, &pen->area, 1);
	rows_bars(t, pen, range, g.run, ESV_ROLE_GREY);
	rows_bars(t, pen, range, g.run, ESV_ROLE_MISSING);
	if (t->selected)
		rows_bars(t, pen, range, g.selection, ESV_ROLE_SELECTION);
}

/* The strips of a range of rows. */
struct row_strips {
	const struct esv_strip *strips, *end;
};

static struct row_strips
rows_find(const struct timeline_item *t, const uint32_t range[2])
{
	struct row_strips p = { t->strips.strips,
		t->strips.strips + t->strips.count };

	while (p.strips < p.end && t->filled.first + p.strips->row < range[0])
		p.strips++;
	while (p.strips < p.end && t->filled.first + p.end[-1].row >= range[1])
		p.end--;
	return p;
}

/* Returns true if the row of a strip is drawn as a band. */
static bool
rows_is_band(const struct timeline_item *t, const struct esv_strip *s)
{
	return s->level > 0 &&
	    esv__timeline_item_bar(t) >= ESV_STRIPS_BAND_LEAST * t->scale;
}

static uint32_t
rows_grey(const struct timeline_item *t, const struct esv_strip *s)
{
	return rows_is_band(t, s) ? esv_strips_band_grey(s) : s->grey;
}

/* Cuts the rectangle of a band to its height, of at least one pixel. */
static void
rows_band(const struct esv_strip *s, struct timeline_rect *rect)
{
	int most = ESV_GREYS - 1;
	int height = (rect->height * s->level + most - 1) / most;

	rect->y += rect->height - height;
	rect->height = height;
}

/* Sorts strips by grey into rects; those of a grey end at ends[grey].  Leaves
   out rows that are no bands, if only bands are wanted. */
static void
rows_sort(const struct timeline_item *t, const struct row_strips *p,
    struct timeline_rect *rects, size_t ends[ESV_GREYS], bool bands)
{
	struct timeline_rect rect = { .height = esv__timeline_item_bar(t) };
	uint32_t row = PATHS_NONE;
	size_t at = 0;

	memset(ends, 0, ESV_GREYS * sizeof(*ends));
	for (const struct esv_strip *s = p->strips; s < p->end; s++)
		ends[rows_grey(t, s)] += !bands || rows_is_band(t, s);
	for (uint32_t grey = 0; grey < ESV_GREYS; grey++) {
		at += ends[grey];
		ends[grey] = at - ends[grey];
	}
	for (const struct esv_strip *s = p->strips; s < p->end; s++) {
		if (s->row != row)
			rect.y =
			    esv__timeline_item_y(t, t->filled.first + s->row);
		row = s->row;
		rect.x = (int)s->x0;
		rect.width = (int)(s->x1 - s->x0);
		if (rows_is_band(t, s)) {
			struct timeline_rect *to =
			    &rects[ends[rows_grey(t, s)]++];

			*to = rect;
			rows_band(s, to);
		} else if (!bands) {
			rects[ends[s->grey]++] = rect;
		}
	}
}

static void
rows_rects(const struct timeline_item *t, struct timeline_pen *pen,
    const struct row_strips *p, bool bands)
{
	size_t count = (size_t)(p->end - p->strips), at = 0;
	struct timeline_rect *rects = malloc((count + 1) * sizeof(*rects));
	size_t ends[ESV_GREYS];

	if (rects == NULL)
		return;
	rows_sort(t, p, rects, ends, bands);
	for (uint32_t grey = 0; grey < ESV_GREYS; grey++) {
		if (ends[grey] == at)
			continue;
		esv__timeline_pen_colour(pen, ESV_ROLE_GREY + (int)grey);
		esv__timeline_pen_rects(pen, rects + at, ends[grey] - at);
		at = ends[grey];
	}
	free(rects);
}

static void
rows_span(uint8_t *roles, const int x[2], int role)
{
	if (x[0] < x[1])
		memset(roles + x[0], role, (size_t)(x[1] - x[0]));
}

/* Draws the strips [s, end) of a row over its background.  Writes EIGHT pixels
   at once; pixels beyond the end of a strip are overwritten afterwards. */
static void
rows_line(const struct esv_strip *s, const struct esv_strip *end,
    const uint8_t *ground, uint32_t width, uint8_t *roles)
{
	uint32_t at = 0;

	for (; s < end; s++) {
		uint64_t eight = UINT64_C(0x0101010101010101) *
		    (uint64_t)(ESV_ROLE_GREY + s->grey);

		memcpy(roles + at, ground + at, s->x0 - at);
		for (uint32_t x = s->x0; x < s->x1; x += EIGHT)
			memcpy(roles + x, &eight, EIGHT);
		at = s->x1;
	}
	memcpy(roles + at, ground + at, width - at);
}

/* Draws rows as images, with strips and background; bands are left to
   rows_rects. */
static void
rows_images(const struct timeline_item *t, struct timeline_pen *pen,
    const uint32_t range[2], struct row_strips p)
{
	const int all[] = { 0, t->width };
	struct row_grounds g = rows_spans(t);
	uint8_t *ground = malloc(2 * (size_t)t->width + EIGHT);
	uint8_t *roles = ground + t->width;

	if (ground == NULL)
		return;
	for (uint32_t n = range[0]; n < range[1]; n++) {
		const struct esv_strip *end = p.strips;

		while (end < p.end && t->filled.first + end->row == n)
			end++;
		if (p.strips < end && rows_is_band(t, p.strips)) {
			p.strips = end;
			continue;
		}
		rows_span(ground, all, ESV_ROLE_PANEL);
		rows_span(ground, g.run, rows_ground_role(t, n));
		rows_span(ground, g.selection, ESV_ROLE_SELECTION);
		rows_line(p.strips, end, ground, (uint32_t)t->width, roles);
		esv__timeline_pen_image(pen,
		    (struct timeline_rect){ 0, esv__timeline_item_y(t, n),
			t->width, esv__timeline_item_bar(t) },
		    roles);
		p.strips = end;
	}
	free(ground);
}

void
esv__timeline_rows_draw(struct timeline_item *t, struct timeline_pen *pen)
{
	struct row_strips strips;
	uint32_t range[2];

	rows_range(t, &pen->area, &range[0], &range[1]);
	rows_strips(t, range[0], range[1]);
	rows_grounds(t, pen, range);
	strips = rows_find(t, range);
	if (t->dense && pen->images)
		rows_images(t, pen, range, strips);
	rows_rects(t, pen, &strips, t->dense && pen->images);
}
