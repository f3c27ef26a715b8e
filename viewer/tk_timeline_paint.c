/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk_timeline_paint.c - what the rows of a timeline look like
 *
 * Strips are drawn a grey at a time, so that one request takes thousands.
 * They are had for the rows in sight alone, and kept until something changes.
 */

#include "viewer/tk_timeline_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

#define DRAFT_PIXELS 2u
#define DRAFT_GREYS 4u

/* Rows [first, last) that the area touches. */
static void
paint_range(const struct timeline *t, const struct timeline_rect *area,
    uint32_t *first, uint32_t *last)
{
	int64_t from = area->y / t->row_height;
	int64_t to = (area->y + area->height + t->row_height - 1) /
	    (int64_t)t->row_height;

	*first = from < t->row_count ? (uint32_t)from : t->row_count;
	*last = to < t->row_count ? (uint32_t)to : t->row_count;
}

static void
paint_problem(struct timeline *t, paths_status st)
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

/* Fewer greys, and none of them lighter than what it stands for. */
static void
paint_draft(struct es_strips *strips, uint32_t width)
{
	size_t count = 0;

	for (size_t n = 0; n < strips->count; n++) {
		struct es_strip s = strips->strips[n];
		struct es_strip *before = &strips->strips[count - (count > 0)];

		s.x0 *= DRAFT_PIXELS;
		s.x1 *= DRAFT_PIXELS;
		if (s.x1 > width)
			s.x1 = width;
		s.grey = (s.grey + DRAFT_GREYS - 1) / DRAFT_GREYS * DRAFT_GREYS;
		if (count > 0 && before->row == s.row && before->x1 == s.x0 &&
		    before->grey == s.grey)
			before->x1 = s.x1;
		else
			strips->strips[count++] = s;
	}
	strips->count = count;
}

/* End those of the open strips that are darker than a grey. */
static size_t
paint_close(struct es_strips *strips, const size_t *open, size_t depth,
    struct es_strip at)
{
	while (depth > 0 && strips->strips[open[depth - 1]].grey > at.grey)
		strips->strips[open[--depth]].x1 = at.x0;
	return depth;
}

/*
 * Let a strip go on below darker ones up to where the row is lighter than it:
 * the greys are drawn from light to dark, so the pixels are the same, of fewer
 * rectangles.
 */
static void
paint_nest(struct es_strips *strips)
{
	size_t open[ES_GREYS]; /* which of the strips, ever darker */
	struct es_strip before = { 0 };
	size_t count = 0, depth = 0;

	for (size_t n = 0; n < strips->count; n++) {
		struct es_strip s = strips->strips[n];

		if (s.row != before.row || s.x0 != before.x1)
			depth = paint_close(strips, open, depth,
			    (struct es_strip){ .x0 = before.x1 });
		before = s;
		depth = paint_close(strips, open, depth, s);
		if (depth == 0 ||
		    strips->strips[open[depth - 1]].grey < s.grey) {
			open[depth++] = count;
			strips->strips[count++] = s;
		}
	}
	(void)paint_close(strips, open, depth,
	    (struct es_strip){ .x0 = before.x1 });
	strips->count = count;
}

/* What the strips of rows [first, last) are, or a problem and none. */
static paths_status
paint_fill(struct timeline *t, uint32_t first, uint32_t last)
{
	struct es_window window = { t->t0_ns, t->span_ns, (uint32_t)t->width };
	struct es_model *model = es__timeline_model(t);
	uint32_t width = window.width;
	paths_status st;

	for (uint32_t n = first; n < last; n++)
		if (t->rows[n] >= model->row_count)
			return paths_log_fail(PATHS_EINVAL,
			    "no row %u: the run has %u", t->rows[n],
			    model->row_count);
	if (t->draft) {
		/* Whole pixels of the draft, the last may stick out. */
		window.width = (width + DRAFT_PIXELS - 1) / DRAFT_PIXELS;
		window.span_ns *= (double)(window.width * DRAFT_PIXELS) / width;
	}
	st = es_strips_fill(model, &window, t->rows + first, last - first,
	    &t->strips);
	if (st != PATHS_OK)
		return st;
	if (t->draft)
		paint_draft(&t->strips, width);
	paint_nest(&t->strips);
	return PATHS_OK;
}

/* Have the strips of rows [first, last), or of more. */
static void
paint_strips(struct timeline *t, uint32_t first, uint32_t last)
{
	struct es_window now = { t->t0_ns, t->span_ns, (uint32_t)t->width };
	const struct timeline_filled *f = &t->filled;
	paths_status st = PATHS_OK;

	if (f->valid && f->first <= first && f->last >= last &&
	    f->window.t0_ns == now.t0_ns && f->window.span_ns == now.span_ns &&
	    f->window.width == now.width)
		return;
	t->strips.count = 0;
	t->strips.coarse = false;
	if (es__timeline_model(t) != NULL && first < last)
		st = paint_fill(t, first, last);
	if (st != PATHS_OK)
		t->strips.count = 0;
	paint_problem(t, st);
	t->filled = (struct timeline_filled){ true, first, last, now };
}

static int
paint_ground_role(const struct timeline *t, uint32_t place)
{
	const struct es_model *model = es__timeline_model(t);

	if (model == NULL || t->problem != NULL ||
	    t->rows[place] >= model->row_count ||
	    model->rows[t->rows[place]].pyramid == PATHS_NONE)
		return ES_ROLE_MISSING;
	return ES_ROLE_GREY;
}

/* Rows [first, last) of one role; of any where it is the selection. */
static void
paint_bars(struct timeline *t, struct timeline_pen *pen,
    const uint32_t range[2], const int x[2], int role)
{
	pen->colour(pen, role);
	for (uint32_t n = range[0]; n < range[1]; n++)
		if (role == ES_ROLE_SELECTION ||
		    paint_ground_role(t, n) == role)
			pen->rects(pen,
			    &(struct timeline_rect){ x[0], es__timeline_y(t, n),
				x[1] - x[0], es__timeline_bar(t) },
			    1);
}

/* Below the strips: computation, nothing known, what is selected. */
static void
paint_grounds(struct timeline *t, struct timeline_pen *pen,
    const uint32_t range[2])
{
	const struct es_model *model = es__timeline_model(t);
	int run[] = { 0, t->width };
	int selection[2];

	pen->colour(pen, ES_ROLE_PANEL);
	pen->rects(pen, &pen->area, 1);
	if (model != NULL) {
		int from = es__timeline_x(t, 0.0);
		int to = es__timeline_x(t, (double)model->span_ns) + 1;

		run[0] = from < 0 ? 0 : from;
		run[1] = to > t->width ? t->width : to;
	}
	paint_bars(t, pen, range, run, ES_ROLE_GREY);
	paint_bars(t, pen, range, run, ES_ROLE_MISSING);
	if (!t->selected)
		return;
	for (int n = 0; n < 2; n++) {
		selection[n] = es__timeline_x(t, t->selection[n]);
		if (selection[n] < 0)
			selection[n] = 0;
	}
	paint_bars(t, pen, range, selection, ES_ROLE_SELECTION);
}

/* The strips of some rows as rectangles, sorted by grey. */
struct painted {
	struct timeline_rect *rects;
	size_t ends[ES_GREYS]; /* of each grey in rects */
};

static bool
paint_sort(const struct timeline *t, const uint32_t range[2],
    struct painted *painted)
{
	const struct es_strip *s = t->strips.strips, *end = s + t->strips.count;
	struct timeline_rect rect = { .height = es__timeline_bar(t) };
	uint32_t row = PATHS_NONE;
	size_t at = 0;

	painted->rects =
	    malloc((t->strips.count + 1) * sizeof(*painted->rects));
	if (painted->rects == NULL)
		return false;
	while (s < end && t->filled.first + s->row < range[0])
		s++;
	while (s < end && t->filled.first + end[-1].row >= range[1])
		end--;
	memset(painted->ends, 0, sizeof(painted->ends));
	for (const struct es_strip *n = s; n < end; n++)
		painted->ends[n->grey]++;
	for (uint32_t grey = 0; grey < ES_GREYS; grey++) {
		at += painted->ends[grey];
		painted->ends[grey] = at - painted->ends[grey];
	}
	for (; s < end; s++) {
		if (s->row != row)
			rect.y = es__timeline_y(t, t->filled.first + s->row);
		row = s->row;
		rect.x = (int)s->x0;
		rect.width = (int)(s->x1 - s->x0);
		painted->rects[painted->ends[s->grey]++] = rect;
	}
	return true;
}

void
es__timeline_rows(struct timeline *t, struct timeline_pen *pen)
{
	struct painted painted;
	uint32_t range[2];
	size_t at = 0;

	paint_range(t, &pen->area, &range[0], &range[1]);
	paint_strips(t, range[0], range[1]);
	paint_grounds(t, pen, range);
	if (!paint_sort(t, range, &painted))
		return;
	for (uint32_t grey = 0; grey < ES_GREYS; grey++) {
		if (painted.ends[grey] == at)
			continue;
		pen->colour(pen, ES_ROLE_GREY + (int)grey);
		pen->rects(pen, painted.rects + at, painted.ends[grey] - at);
		at = painted.ends[grey];
	}
	free(painted.rects);
}
