/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_over.c - draws highlights, the critical path, causes,
 * marks, arrows and the selection over the rows of a timeline
 *
 * More than TIMELINE_ARROWS_MAX arrows are drawn as a band along the upper
 * edge, whose height is proportional to the number of arrows at each time.
 */

#include "viewer/tk/timeline_over_private.h"

#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>

#define HEAD_LENGTH 6
#define HEAD_HALF 3
#define BAND_HEIGHT 12

static int
over_clamp(int value, int least, int most)
{
	return value < least ? least : value > most ? most : value;
}

static bool
over_visible(const struct timeline_item *t, double from_ns, double to_ns)
{
	return to_ns >= t->t0_ns && from_ns <= t->t0_ns + t->span_ns;
}

/* Highlights an operation, at least 2 pixels wide. */
static void
over_highlight(struct timeline_item *t, struct timeline_pen *pen,
    const struct esv_link *link)
{
	uint32_t place = esv__timeline_item_place(t, link->from_row);
	int least = esv__timeline_item_px(t, 2), x0, x1;

	if (place == PATHS_NONE ||
	    !over_visible(t, (double)link->from_ns, (double)link->to_ns))
		return;
	x0 = over_clamp(esv__timeline_item_x(t, (double)link->from_ns), 0,
	    t->width);
	x1 = over_clamp(esv__timeline_item_x(t, (double)link->to_ns), 0,
	    t->width);
	if (x1 - x0 < least)
		x1 = x0 + least;
	esv__timeline_pen_rects(pen,
	    &(struct timeline_rect){ x0, esv__timeline_item_y(t, place),
		x1 - x0, esv__timeline_item_bar(t) },
	    1);
}

static void
over_edge(struct timeline_item *t, struct timeline_pen *pen, double ns)
{
	int width = esv__timeline_item_px(t, 1);

	if (over_visible(t, ns, ns))
		esv__timeline_pen_rects(pen,
		    &(struct timeline_rect){ esv__timeline_item_x(t, ns), 0,
			width, t->height },
		    1);
}

/* Draws the ends of a time interval as lines, and a bar along the upper
   edge. */
static void
over_part(struct timeline_item *t, struct timeline_pen *pen, double from_ns,
    double to_ns)
{
	int x0 = over_clamp(esv__timeline_item_x(t, from_ns), 0, t->width);
	int x1 = over_clamp(esv__timeline_item_x(t, to_ns), 0, t->width);

	over_edge(t, pen, from_ns);
	over_edge(t, pen, to_ns);
	if (over_visible(t, from_ns, to_ns))
		esv__timeline_pen_rects(pen,
		    &(struct timeline_rect){ x0, 0, x1 - x0,
			esv__timeline_item_px(t, 3) },
		    1);
}

static void
over_mark(struct timeline_item *t, struct timeline_pen *pen,
    const struct timeline_mark *mark)
{
	int x0 =
	    over_clamp(esv__timeline_item_x(t, mark->from_ns), 0, t->width);
	Tk_FontMetrics metrics;

	esv__timeline_pen_colour(pen, ESV_ROLE_MARK);
	over_part(t, pen, mark->from_ns, mark->to_ns);
	if (mark->label[0] == '\0' ||
	    !over_visible(t, mark->from_ns, mark->to_ns))
		return;
	Tk_GetFontMetrics(t->font, &metrics);
	esv__timeline_pen_colour(pen, ESV_ROLE_TEXT);
	esv__timeline_pen_text(pen, x0 + esv__timeline_item_px(t, 4),
	    esv__timeline_item_px(t, 4) + metrics.ascent, mark->label);
}

/* An arrow in pixels, which can lie far outside the item. */
struct arrow {
	double x0, y0, x1, y1;
};

static bool
over_arrow(struct timeline_item *t, const struct esv_link *link,
    struct arrow *arrow)
{
	uint32_t from = esv__timeline_item_place(t, link->from_row);
	uint32_t to = esv__timeline_item_place(t, link->to_row);
	double unit = t->width / t->span_ns;
	double half = esv__timeline_item_bar(t) / 2;

	if (from == PATHS_NONE || to == PATHS_NONE ||
	    !over_visible(t, (double)link->from_ns, (double)link->to_ns))
		return false;
	*arrow =
	    (struct arrow){ floor(((double)link->from_ns - t->t0_ns) * unit),
		    (double)from * t->row_height + half,
		    floor(((double)link->to_ns - t->t0_ns) * unit),
		    (double)to * t->row_height + half };
	return true;
}

/* Clips an arrow to the width of the item plus its head.  Returns false if
   nothing is left. */
static bool
over_cut(const struct timeline_item *t, const struct arrow *a,
    struct timeline_line *line)
{
	double least = -HEAD_LENGTH, most = t->width + HEAD_LENGTH;
	double dx = a->x1 - a->x0, dy = a->y1 - a->y0;
	double from = 0.0, to = 1.0;

	if (dx > 0.0) {
		from = fmax(from, (least - a->x0) / dx);
		to = fmin(to, (most - a->x0) / dx);
	} else if (dx < 0.0) {
		from = fmax(from, (most - a->x0) / dx);
		to = fmin(to, (least - a->x0) / dx);
	}
	if (from > to)
		return false;
	*line = (struct timeline_line){ (int)rint(a->x0 + from * dx),
		(int)rint(a->y0 + from * dy), (int)rint(a->x0 + to * dx),
		(int)rint(a->y0 + to * dy) };
	return true;
}

static void
over_head(struct timeline_item *t, struct timeline_pen *pen,
    const struct arrow *a)
{
	double length = hypot(a->x1 - a->x0, a->y1 - a->y0);
	double x = (a->x1 - a->x0) / length, y = (a->y1 - a->y0) / length;
	double back = esv__timeline_item_px(t, HEAD_LENGTH);
	double half = esv__timeline_item_px(t, HEAD_HALF);

	if (length < back || a->x1 < 0.0 || a->x1 > t->width)
		return;
	esv__timeline_pen_head(pen,
	    (const int[6]){ (int)a->x1, (int)a->y1,
		(int)rint(a->x1 - back * x - half * y),
		(int)rint(a->y1 - back * y + half * x),
		(int)rint(a->x1 - back * x + half * y),
		(int)rint(a->y1 - back * y - half * x) });
}

static void
over_link(struct timeline_item *t, struct timeline_pen *pen,
    const struct esv_link *link)
{
	struct timeline_line line;
	struct arrow arrow;

	if (!over_arrow(t, link, &arrow))
		return;
	if (over_cut(t, &arrow, &line))
		esv__timeline_pen_line(pen, line);
	over_head(t, pen, &arrow);
}

/* Draws an arrow of a cause: twice as wide, with a halo. */
static void
over_cause_link(struct timeline_item *t, struct timeline_pen *pen,
    const struct esv_link *link)
{
	int wide = esv__timeline_item_px(t, 2);
	struct timeline_line line;
	struct arrow arrow;

	if (!over_arrow(t, link, &arrow))
		return;
	if (over_cut(t, &arrow, &line)) {
		esv__timeline_pen_colour(pen, ESV_ROLE_PANEL);
		for (int n = -wide; n < 2 * wide; n++)
			esv__timeline_pen_line(pen,
			    (struct timeline_line){ line.x0, line.y0 + n,
				line.x1, line.y1 + n });
		esv__timeline_pen_colour(pen, ESV_ROLE_WARNING);
		for (int n = 0; n < wide; n++)
			esv__timeline_pen_line(pen,
			    (struct timeline_line){ line.x0, line.y0 + n,
				line.x1, line.y1 + n });
	}
	over_head(t, pen, &arrow);
}

static void
over_arrows(struct timeline_item *t, struct timeline_pen *pen)
{
	for (size_t n = 0; n < t->arrows.count; n++)
		over_link(t, pen, &t->arrows.links[n]);
}

/* Covers the row of a thread from its death on. */
static void
over_gone(struct timeline_item *t, struct timeline_pen *pen, uint32_t place,
    double ns)
{
	int x = over_clamp(esv__timeline_item_x(t, ns), 0, t->width);

	esv__timeline_pen_colour(pen, ESV_ROLE_MISSING);
	if (x < t->width)
		esv__timeline_pen_rects(pen,
		    &(struct timeline_rect){ x, esv__timeline_item_y(t, place),
			t->width - x, esv__timeline_item_bar(t) },
		    1);
	esv__timeline_pen_colour(pen, ESV_ROLE_WARNING);
}

/* Draws a cross where a thread died. */
static void
over_cross(struct timeline_item *t, struct timeline_pen *pen, uint32_t place,
    double ns)
{
	int half = esv__timeline_item_px(t, 6);
	int bar = esv__timeline_item_bar(t);
	int x = esv__timeline_item_x(t, ns);
	int y = esv__timeline_item_y(t, place) + bar / 2;

	if (!over_visible(t, ns, ns))
		return;
	half = half < bar / 2 ? half : bar / 2;
	/* At the end of the run the whole cross is visible. */
	x = over_clamp(x, half, t->width - half - 1);
	for (int n = 0; n < esv__timeline_item_px(t, 2); n++) {
		esv__timeline_pen_line(pen,
		    (struct timeline_line){ x - half + n, y - half,
			x + half + n, y + half });
		esv__timeline_pen_line(pen,
		    (struct timeline_line){ x - half + n, y + half,
			x + half + n, y - half });
	}
}

/* Draws a delay as a bar along the lower edge of its row, a death as a cross,
   and what follows from a delay or belongs to a deadlock as an arrow.  Nothing
   is drawn in a row after a death. */
static void
over_cause(struct timeline_item *t, struct timeline_pen *pen,
    const struct esv_link *link)
{
	uint32_t place = esv__timeline_item_place(t, link->from_row);
	int high = esv__timeline_item_px(t, 3), x0, x1;

	if (link->from_row != link->to_row) {
		over_cause_link(t, pen, link);
		return;
	}
	if (place != PATHS_NONE && link->from_ns == link->to_ns)
		over_gone(t, pen, place, (double)link->from_ns);
	if (place == PATHS_NONE ||
	    !over_visible(t, (double)link->from_ns, (double)link->to_ns))
		return;
	if (link->from_ns == link->to_ns) {
		over_cross(t, pen, place, (double)link->from_ns);
		return;
	}
	x0 = over_clamp(esv__timeline_item_x(t, (double)link->from_ns), 0,
	    t->width);
	x1 = over_clamp(esv__timeline_item_x(t, (double)link->to_ns), 0,
	    t->width);
	esv__timeline_pen_rects(pen,
	    &(struct timeline_rect){ x0,
		esv__timeline_item_y(t, place) + esv__timeline_item_bar(t) -
		    high,
		x1 > x0 ? x1 - x0 : 1, high },
	    1);
}

/* Counts the arrows at each pixel.  Returns the largest count. */
static uint32_t
over_density(struct timeline_item *t, int32_t *density)
{
	int32_t now = 0, most = 0;

	for (size_t n = 0; n < t->arrows.count; n++) {
		const struct esv_link *link = &t->arrows.links[n];
		struct arrow arrow;

		if (!over_arrow(t, link, &arrow))
			continue;
		density[over_clamp(esv__timeline_item_x(t,
				       (double)link->from_ns),
		    0, t->width)]++;
		density[over_clamp(esv__timeline_item_x(t, (double)link->to_ns),
			    -1, t->width - 1) +
		    1]--;
	}
	for (int x = 0; x < t->width; x++) {
		now += density[x];
		density[x] = now;
		most = now > most ? now : most;
	}
	return (uint32_t)most;
}

static void
over_band(struct timeline_item *t, struct timeline_pen *pen)
{
	int32_t *density = calloc((size_t)t->width + 2, sizeof(*density));
	int64_t height = esv__timeline_item_px(t, BAND_HEIGHT);
	int64_t most;

	if (density == NULL)
		return;
	most = over_density(t, density);
	for (int x = 0, from = 0; x < t->width; x++) {
		if (x + 1 < t->width && density[x + 1] == density[from])
			continue;
		/* Rounded up, so that a single arrow is visible. */
		if (density[from] > 0)
			esv__timeline_pen_rects(pen,
			    &(struct timeline_rect){ from, 0, x + 1 - from,
				(int)((density[from] * height + most - 1) /
				    most) },
			    1);
		from = x + 1;
	}
	free(density);
}

static size_t
over_count(struct timeline_item *t)
{
	size_t count = 0;

	for (size_t n = 0; n < t->arrows.count; n++) {
		struct arrow arrow;

		count += over_arrow(t, &t->arrows.links[n], &arrow);
	}
	return count;
}

/* Returns the place of a row, or of the row that it is folded into; PATHS_NONE:
   it is not visible.  The row below one that is not folded is deeper. */
static uint32_t
over_visible_place(const struct timeline_item *t, uint32_t row)
{
	const struct esv_model *model = esv__timeline_item_model(t);
	uint32_t place = esv__timeline_item_place(t, row);

	if (place == PATHS_NONE || t->rows[place] == row ||
	    place + 1 == t->row_count)
		return place;
	return model->rows[t->rows[place + 1]].depth >
		model->rows[t->rows[place]].depth ?
	    PATHS_NONE :
	    place;
}

/* Draws the critical path: a line along the lower edge of the rows that it is
   on, and one from row to row where it leaves a thread. */
static void
over_critical(struct timeline_item *t, struct timeline_pen *pen)
{
	int high = esv__timeline_item_px(t, 3);
	int wide = esv__timeline_item_px(t, 1);
	int before = -1; /* upper edge of the part before; negative: none */

	for (size_t n = 0; n < t->critical.count; n++) {
		const struct esv_link *part = &t->critical.links[n];
		uint32_t place = over_visible_place(t, part->from_row);
		int x0, x1, y;

		if (place == PATHS_NONE ||
		    !over_visible(t, (double)part->from_ns,
			(double)part->to_ns)) {
			before = -1;
			continue;
		}
		x0 = over_clamp(esv__timeline_item_x(t, (double)part->from_ns),
		    0, t->width);
		x1 = over_clamp(esv__timeline_item_x(t, (double)part->to_ns), 0,
		    t->width);
		y = esv__timeline_item_y(t, place) + esv__timeline_item_bar(t) -
		    high;
		if (before >= 0 && before != y)
			esv__timeline_pen_rects(pen,
			    &(struct timeline_rect){ x0,
				before < y ? before : y, wide,
				abs(y - before) + high },
			    1);
		esv__timeline_pen_rects(pen,
		    &(struct timeline_rect){ x0, y,
			x1 - x0 > wide ? x1 - x0 : wide, high },
		    1);
		before = y;
	}
}

void
esv__timeline_over_draw(struct timeline_item *t, struct timeline_pen *pen)
{
	esv__timeline_pen_colour(pen, ESV_ROLE_HIGHLIGHT);
	for (size_t n = 0; n < t->highlight.count; n++)
		over_highlight(t, pen, &t->highlight.links[n]);
	esv__timeline_pen_colour(pen, ESV_ROLE_CRITICAL);
	over_critical(t, pen);
	if (t->arrows.count > 0) {
		esv__timeline_pen_colour(pen, ESV_ROLE_ARROW);
		if (over_count(t) > TIMELINE_ARROWS_MAX)
			over_band(t, pen);
		else
			over_arrows(t, pen);
	}
	esv__timeline_pen_colour(pen, ESV_ROLE_WARNING);
	for (size_t n = 0; n < t->causes.count; n++)
		over_cause(t, pen, &t->causes.links[n]);
	if (t->selected) {
		esv__timeline_pen_colour(pen, ESV_ROLE_AXIS);
		over_part(t, pen, t->selection[0], t->selection[1]);
	}
	for (uint32_t n = 0; n < t->mark_count; n++)
		over_mark(t, pen, &t->marks[n]);
}
