/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_rows.c - draws the rows of a timeline
 *
 * Strips are drawn one colour after another, so that one request of X draws
 * thousands of them.  If strips are narrow, rows are drawn as images.  Strips
 * are computed for the visible rows only, and kept until the time shown or an
 * option changes.
 */

#include "viewer/tk/timeline_rows_private.h"

#include "libpaths/base/array.h"
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

/* Ends the open strips whose role comes after that of the next strip.  Returns
   the new depth. */
static size_t
rows_close(struct esv_strips *strips, const size_t *open, size_t depth,
    const struct esv_strip *at)
{
	int role = at->grey == 0 ? -1 : esv_strips_role(at);

	while (depth > 0 &&
	    esv_strips_role(&strips->strips[open[depth - 1]]) > role)
		strips->strips[open[--depth]].x1 = at->x0;
	return depth;
}

/*
 * Extends each strip under those to its right whose role comes after its own,
 * up to one whose role comes before.  Strips are drawn in the order of roles,
 * so fewer rectangles give the same pixels.
 */
static void
rows_nest(struct esv_strips *strips)
{
	size_t open[TIMELINE_ROLES]; /* indexes of strips, in order of roles */
	struct esv_strip before = { 0 };
	size_t count = 0, depth = 0;

	for (size_t n = 0; n < strips->count; n++) {
		struct esv_strip s = strips->strips[n];
		const struct esv_strip gap = { .x0 = before.x1 };

		/* The row may be a band, whose strips have heights. */
		if (s.level > 0 || s.row != before.row || s.x0 != before.x1)
			depth = rows_close(strips, open, depth, &gap);
		before = s;
		if (s.level > 0) {
			strips->strips[count++] = s;
			continue;
		}
		depth = rows_close(strips, open, depth, &s);
		if (depth == 0 ||
		    esv_strips_role(&strips->strips[open[depth - 1]]) <
			esv_strips_role(&s)) {
			open[depth++] = count;
			strips->strips[count++] = s;
		}
	}
	(void)rows_close(strips, open, depth,
	    &(struct esv_strip){ .x0 = before.x1 });
	strips->count = count;
}

/* Keeps the waiting parts of strips of rows that are no bands. */
static paths_status
rows_waits(struct timeline_item *t)
{
	size_t count = 0;

	for (size_t n = 0; n < t->strips.count; n++)
		count += t->strips.strips[n].wait > 0 &&
		    t->strips.strips[n].level == 0;
	t->wait_count = 0;
	if (!paths__array_reserve(&t->waits, count, &t->wait_room,
		sizeof(*t->waits)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	for (size_t n = 0; n < t->strips.count; n++)
		if (t->strips.strips[n].wait > 0 &&
		    t->strips.strips[n].level == 0)
			t->waits[t->wait_count++] = t->strips.strips[n];
	return PATHS_OK;
}

static struct esv_window
rows_window(const struct timeline_item *t)
{
	return (struct esv_window){ t->t0_ns, t->span_ns, (uint32_t)t->width,
		t->by, esv_hidden_classes(t->hidden_by, t->by) };
}

/* Computes the strips of rows [first, last). */
static paths_status
rows_fill(struct timeline_item *t, uint32_t first, uint32_t last)
{
	struct esv_window window = rows_window(t);
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
	if (st == PATHS_OK)
		st = rows_waits(t);
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
	struct esv_window now = rows_window(t);
	const struct timeline_filled *f = &t->filled;
	paths_status st = PATHS_OK;

	if (f->valid && f->first <= first && f->last >= last &&
	    f->window.t0_ns == now.t0_ns && f->window.span_ns == now.span_ns &&
	    f->window.width == now.width && f->window.by == now.by &&
	    f->window.hidden == now.hidden)
		return;
	t->strips.count = 0;
	t->strips.name_count = t->strips.gap_count = 0;
	t->wait_count = 0;
	t->strips.coarse = false;
	t->dense = false;
	if (esv__timeline_item_model(t) != NULL && first < last)
		st = rows_fill(t, first, last);
	if (st != PATHS_OK)
		t->strips.count = t->strips.name_count = t->strips.gap_count =
		    t->wait_count = 0;
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

/* Returns the role of a strip, or of the upper part of a band. */
static int
rows_role(const struct timeline_item *t, const struct esv_strip *s)
{
	return rows_is_band(t, s) ? esv_strips_band_role(s) :
				    esv_strips_role(s);
}

/* Cuts a rectangle to the part from one height of a band to another, in greys;
   at least one pixel. */
static void
rows_band(int from, int to, struct timeline_rect *rect)
{
	int most = ESV_GREYS - 1;
	int bottom = (rect->height * from + most - 1) / most;
	int top = (rect->height * to + most - 1) / most;

	rect->y += rect->height - top;
	rect->height = top - bottom;
}

/* Sorts strips by role into rects; those of a role end at ends[role].  Leaves
   out rows that are no bands, if only bands are wanted. */
static void
rows_sort(const struct timeline_item *t, const struct row_strips *p,
    struct timeline_rect *rects, size_t ends[TIMELINE_ROLES], bool bands)
{
	struct timeline_rect rect = { .height = esv__timeline_item_bar(t) };
	uint32_t row = PATHS_NONE;
	size_t at = 0;

	memset(ends, 0, TIMELINE_ROLES * sizeof(*ends));
	for (const struct esv_strip *s = p->strips; s < p->end; s++)
		ends[rows_role(t, s)] += !bands || rows_is_band(t, s);
	for (uint32_t role = 0; role < TIMELINE_ROLES; role++) {
		at += ends[role];
		ends[role] = at - ends[role];
	}
	for (const struct esv_strip *s = p->strips; s < p->end; s++) {
		struct timeline_rect *to;

		if (s->row != row)
			rect.y =
			    esv__timeline_item_y(t, t->filled.first + s->row);
		row = s->row;
		rect.x = (int)s->x0;
		rect.width = (int)(s->x1 - s->x0);
		if (bands && !rows_is_band(t, s))
			continue;
		to = &rects[ends[rows_role(t, s)]++];
		*to = rect;
		if (rows_is_band(t, s))
			rows_band(s->wait, s->level, to);
	}
}

static void
rows_rects(const struct timeline_item *t, struct timeline_pen *pen,
    const struct row_strips *p, bool bands)
{
	size_t count = (size_t)(p->end - p->strips), at = 0;
	struct timeline_rect *rects = malloc((count + 1) * sizeof(*rects));
	size_t ends[TIMELINE_ROLES];

	if (rects == NULL)
		return;
	rows_sort(t, p, rects, ends, bands);
	for (uint32_t role = 0; role < TIMELINE_ROLES; role++) {
		if (ends[role] == at)
			continue;
		esv__timeline_pen_colour(pen, (int)role);
		esv__timeline_pen_rects(pen, rects + at, ends[role] - at);
		at = ends[role];
	}
	free(rects);
}

/* Draws the waiting parts at the bottom of rows. */
static void
rows_wait_rects(const struct timeline_item *t, struct timeline_pen *pen,
    const struct row_strips *p)
{
	const struct row_strips lists[] = { *p,
		{ t->waits, t->waits + t->wait_count } };

	if (t->by == ESV_BY_SHARE)
		return;
	esv__timeline_pen_colour(pen, esv_strips_wait_role());
	for (int n = 0; n < 2; n++)
		for (const struct esv_strip *s = lists[n].strips;
		     s < lists[n].end; s++) {
			struct timeline_rect rect = { (int)s->x0,
				esv__timeline_item_y(t,
				    t->filled.first + s->row),
				(int)(s->x1 - s->x0),
				esv__timeline_item_bar(t) };

			if (s->wait == 0 || (n == 0 && !rows_is_band(t, s)))
				continue;
			rows_band(0, s->wait, &rect);
			esv__timeline_pen_rects(pen, &rect, 1);
		}
}

/* Draws time without a core in the upper half of rows. */
static void
rows_gaps(const struct timeline_item *t, struct timeline_pen *pen)
{
	int half = (esv__timeline_item_bar(t) + 1) / 2;

	esv__timeline_pen_colour(pen, ESV_ROLE_NO_CORE);
	for (size_t n = 0; n < t->strips.gap_count; n++) {
		const struct esv_strip *s = &t->strips.gaps[n];
		int most = ESV_GREYS - 1;

		esv__timeline_pen_rects(pen,
		    &(struct timeline_rect){ (int)s->x0,
			esv__timeline_item_y(t, t->filled.first + s->row),
			(int)(s->x1 - s->x0),
			(half * s->wait + most - 1) / most },
		    1);
	}
}

/* Writes the names of operations that have the room.  A name is below time
   without a core, on the colour of its operation. */
static void
rows_names(const struct timeline_item *t, struct timeline_pen *pen)
{
	int all = esv__timeline_item_bar(t);
	int gap = esv__timeline_item_px(t, 3);
	Tk_FontMetrics metrics;

	Tk_GetFontMetrics(t->font, &metrics);
	if (metrics.linespace > all + gap)
		return;
	for (size_t n = 0; n < t->strips.name_count; n++) {
		const struct esv_strip_name *name = &t->strips.names[n];
		int room = (int)(name->x1 - name->x0) - 2 * gap;
		const char *text = name->text;
		int height = all;

		if (text == NULL)
			continue;
		if (Tk_TextWidth(t->font, text, (int)strlen(text)) > room &&
		    strncmp(text, "MPI_", 4) == 0)
			text += 4;
		if (Tk_TextWidth(t->font, text, (int)strlen(text)) > room)
			continue;
		if (esv_strips_gap_in(&t->strips, name->row, name->x0,
			name->x0 + 2 * (uint32_t)gap +
			    (uint32_t)Tk_TextWidth(t->font, text,
				(int)strlen(text))))
			height = all / 2;
		if (metrics.linespace > height + gap)
			continue;
		esv__timeline_pen_colour(pen,
		    esv_class_is_light(t->by, name->class) ? ESV_ROLE_ON_LIGHT :
							     ESV_ROLE_ON_DARK);
		esv__timeline_pen_text(pen, (int)name->x0 + gap,
		    esv__timeline_item_y(t, t->filled.first + name->row) + all -
			height +
			(height + metrics.ascent - metrics.descent) / 2,
		    text);
	}
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
		uint64_t eight =
		    UINT64_C(0x0101010101010101) * (uint64_t)esv_strips_role(s);

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
	rows_wait_rects(t, pen, &strips);
	rows_gaps(t, pen);
	rows_names(t, pen);
}
