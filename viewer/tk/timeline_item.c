/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_item.c - the positions of rows and times in a timeline
 */

#include "viewer/tk/timeline_item_private.h"

#include "libpaths/map.h"

#include <math.h>

static struct timeline_item *timelines; /* all; used by Tk's thread */

void
esv__timeline_item_add(struct timeline_item *t)
{
	t->next = timelines;
	timelines = t;
}

void
esv__timeline_item_remove(const struct timeline_item *t)
{
	struct timeline_item **at = &timelines;

	while (*at != NULL && *at != t)
		at = &(*at)->next;
	if (*at != NULL)
		*at = t->next;
}

struct timeline_item *
esv__timeline_item_find(Tk_Window window, int id)
{
	struct timeline_item *t = timelines;

	while (t != NULL && (t->window != window || t->item.id != id))
		t = t->next;
	return t;
}

struct esv_model *
esv__timeline_item_model(const struct timeline_item *t)
{
	return t->run == NULL ? NULL : t->run->model;
}

int
esv__timeline_item_px(const struct timeline_item *t, int pixels)
{
	return (int)fmax(1.0, rint(pixels * t->scale));
}

int
esv__timeline_item_x(const struct timeline_item *t, double time_ns)
{
	double x = floor((time_ns - t->t0_ns) * t->width / t->span_ns);

	return (int)fmin(fmax(x, -1.0), t->width);
}

int
esv__timeline_item_y(const struct timeline_item *t, uint32_t place)
{
	int64_t y = (int64_t)place * t->row_height;

	return y < TIMELINE_BELOW ? (int)y : TIMELINE_BELOW;
}

int
esv__timeline_item_bar(const struct timeline_item *t)
{
	int gap = t->row_height > 3 ? esv__timeline_item_px(t, 1) : 0;

	return t->row_height > gap ? t->row_height - gap : t->row_height;
}

void
esv__timeline_item_set_places(struct timeline_item *t)
{
	const struct esv_model *model = esv__timeline_item_model(t);

	t->place_count = model == NULL ? 0 : model->row_count;
	t->places = (uint32_t *)ckrealloc((char *)t->places,
	    (t->place_count + 1) * sizeof(*t->places));
	for (uint32_t n = 0; n < t->place_count; n++)
		t->places[n] = PATHS_NONE;
	for (uint32_t n = t->row_count; n-- > 0;)
		if (t->rows[n] < t->place_count)
			t->places[t->rows[n]] = n;
}

uint32_t
esv__timeline_item_place(const struct timeline_item *t, uint32_t row)
{
	const struct esv_model *model = esv__timeline_item_model(t);

	while (row < t->place_count && t->places[row] == PATHS_NONE)
		row = model->rows[row].parent;
	return row < t->place_count ? t->places[row] : PATHS_NONE;
}

void
esv__timeline_item_closed(const struct esv__tk_run *run)
{
	for (struct timeline_item *t = timelines; t != NULL; t = t->next) {
		if (t->run != run)
			continue;
		t->filled.valid = false;
		esv__timeline_item_set_places(t);
		Tk_CanvasEventuallyRedraw(t->canvas, t->item.x1, t->item.y1,
		    t->item.x2, t->item.y2);
	}
}
