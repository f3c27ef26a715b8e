/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_pen.c - draws rectangles, lines and texts of a timeline on
 * the display
 */

#include "viewer/tk/timeline_pen_private.h"

#include <stdlib.h>
#include <string.h>

/* Buffers, well below the limit of a request, 65535 words of 4 bytes. */
#define RECTS 16000u
#define LINES 2000u
#define PIXELS 65536u
#define ROWS 256u

_Static_assert(PIXELS >= TIMELINE_WIDEST, "a line fits");

/* The upper and lower edge of a row in the item. */
struct timeline_pen_row {
	int top, bottom;
};

/* Copies a line of the pixmap to the first line of a row.  Then copies the part
   that is filled to the lines below it, until the row is full. */
static void
pen_copy(const struct timeline_pen *pen, Pixmap pixmap, int line)
{
	GC gc = pen->timeline->gc;
	unsigned width = (unsigned)pen->area.width;
	int left = pen->area.x + pen->dx, top = pen->rows[line].top + pen->dy;
	int height = pen->rows[line].bottom - pen->rows[line].top;

	XCopyArea(pen->display, pixmap, pen->drawable, gc, 0, line, width, 1,
	    left, top);
	for (int done = 1; done < height; done *= 2)
		XCopyArea(pen->display, pen->drawable, pen->drawable, gc, left,
		    top, width,
		    (unsigned)(done < height - done ? done : height - done),
		    left, top + done);
}

/* Sends lines to a pixmap in one request; the server copies them to rows. */
static void
pen_flush_rows(struct timeline_pen *pen)
{
	const struct timeline_item *t = pen->timeline;
	int width = pen->area.width, count = (int)pen->row_count;
	Pixmap pixmap = Tk_GetPixmap(pen->display, pen->drawable, width, count,
	    Tk_Depth(t->window));

	pen->image->height = count;
	XPutImage(pen->display, pixmap, t->gc, pen->image, 0, 0, 0, 0,
	    (unsigned)width, pen->row_count);
	for (int line = 0; line < count; line++)
		pen_copy(pen, pixmap, line);
	Tk_FreePixmap(pen->display, pixmap);
}

static void
pen_flush(struct timeline_pen *pen)
{
	GC gc = pen->timeline->gc;

	if (pen->rect_count > 0)
		XFillRectangles(pen->display, pen->drawable, gc, pen->rects,
		    (int)pen->rect_count);
	if (pen->line_count > 0)
		XDrawSegments(pen->display, pen->drawable, gc, pen->lines,
		    (int)pen->line_count);
	if (pen->row_count > 0)
		pen_flush_rows(pen);
	pen->rect_count = 0;
	pen->line_count = 0;
	pen->row_count = 0;
}

void
esv__timeline_pen_colour(struct timeline_pen *pen, int role)
{
	pen_flush(pen);
	XSetForeground(pen->display, pen->timeline->gc,
	    pen->timeline->colours[role]->pixel);
}

/* Clips to the area, because coordinates of X have 16 bits. */
void
esv__timeline_pen_rects(struct timeline_pen *pen,
    const struct timeline_rect *rects, size_t count)
{
	int left = pen->area.x, right = left + pen->area.width;
	int top = pen->area.y, bottom = top + pen->area.height;

	for (size_t n = 0; n < count; n++) {
		const struct timeline_rect *r = &rects[n];
		int x0 = r->x < left ? left : r->x;
		int y0 = r->y < top ? top : r->y;
		int x1 = r->x + r->width > right ? right : r->x + r->width;
		int y1 = r->y + r->height > bottom ? bottom : r->y + r->height;

		if (x0 >= x1 || y0 >= y1)
			continue;
		if (pen->rect_count == RECTS)
			pen_flush(pen);
		pen->rects[pen->rect_count++] =
		    (XRectangle){ (short)(x0 + pen->dx), (short)(y0 + pen->dy),
			    (unsigned short)(x1 - x0),
			    (unsigned short)(y1 - y0) };
	}
}

/* Keeps one line of pixels for the row. */
void
esv__timeline_pen_image(struct timeline_pen *pen, struct timeline_rect rect,
    const uint8_t *roles)
{
	const struct timeline_rect *area = &pen->area;
	unsigned width = (unsigned)area->width;
	struct timeline_pen_row row = { rect.y, rect.y + rect.height };
	uint32_t *pixels;

	row.top = row.top > area->y ? row.top : area->y;
	if (row.bottom > area->y + area->height)
		row.bottom = area->y + area->height;
	if (row.top >= row.bottom)
		return;
	if (pen->rect_count > 0 || pen->row_count == ROWS ||
	    (pen->row_count + 1) * width > PIXELS)
		pen_flush(pen);
	pixels = pen->pixels + pen->row_count * width;
	for (unsigned n = 0; n < width; n++)
		pixels[n] = pen->colours[roles[area->x + (int)n]];
	pen->rows[pen->row_count++] = row;
}

/*
 * Converts a line to positions in the drawable, and clips its y to 16 bits.
 * Returns false if nothing is left, or if x does not fit 16 bits.
 */
static bool
pen_line_fits(struct timeline_line *l, int dx, int dy)
{
	const double most = 16000.0;
	double x = l->x1 - l->x0, y = l->y1 - l->y0;
	double y0 = l->y0 + dy, from = 0.0, to = 1.0;

	if (y != 0.0) {
		double a = (-most - y0) / y, b = (most - y0) / y;

		from = a < b ? a : b;
		to = a < b ? b : a;
		from = from > 0.0 ? from : 0.0;
		to = to < 1.0 ? to : 1.0;
	} else if (y0 < -most || y0 > most) {
		return false;
	}
	*l = (struct timeline_line){ (int)(l->x0 + from * x) + dx,
		(int)(y0 + from * y), (int)(l->x0 + to * x) + dx,
		(int)(y0 + to * y) };
	return from <= to && l->x0 > -32000 && l->x0 < 32000 &&
	    l->x1 > -32000 && l->x1 < 32000;
}

void
esv__timeline_pen_line(struct timeline_pen *pen, struct timeline_line line)
{
	if (!pen_line_fits(&line, pen->dx, pen->dy))
		return;
	if (pen->line_count == LINES)
		pen_flush(pen);
	pen->lines[pen->line_count++] = (XSegment){ (short)line.x0,
		(short)line.y0, (short)line.x1, (short)line.y1 };
}

static bool
pen_near(const struct timeline_pen *pen, int x, int y)
{
	const struct timeline_rect *area = &pen->area;

	return x > area->x - 1000 && x < area->x + area->width + 1000 &&
	    y > area->y - 1000 && y < area->y + area->height + 1000;
}

void
esv__timeline_pen_head(struct timeline_pen *pen, const int points[6])
{
	XPoint corners[3];

	if (!pen_near(pen, points[0], points[1]))
		return;
	for (int n = 0; n < 3; n++)
		corners[n] = (XPoint){ (short)(points[2 * n] + pen->dx),
			(short)(points[2 * n + 1] + pen->dy) };
	XFillPolygon(pen->display, pen->drawable, pen->timeline->gc, corners, 3,
	    Convex, CoordModeOrigin);
}

void
esv__timeline_pen_text(struct timeline_pen *pen, int x, int y, const char *text)
{
	const struct timeline_item *t = pen->timeline;

	pen_flush(pen);
	if (pen_near(pen, x, y))
		Tk_DrawChars(pen->display, pen->drawable, t->gc, t->font, text,
		    (int)strlen(text), x + pen->dx, y + pen->dy);
}

/* Sets up the graphics context.  Each item has its own, because its colour
   changes often. */
static void
pen_context(struct timeline_pen *pen)
{
	struct timeline_item *t = pen->timeline;
	XGCValues values = { .graphics_exposures = False,
		.line_width = t->scale < 1.5 ? 0 : esv__timeline_item_px(t, 1),
		.font = Tk_FontId(t->font) };
	unsigned long which = GCGraphicsExposures | GCLineWidth | GCFont;

	if (t->gc == None)
		t->gc = XCreateGC(pen->display, pen->drawable, which, &values);
	else
		XChangeGC(pen->display, t->gc, which, &values);
}

/* Makes the image with the byte order of this machine; Xlib converts it if the
   server has another order. */
static void
pen_image_open(struct timeline_pen *pen)
{
	const uint16_t one = 1;
	const struct timeline_item *t = pen->timeline;

	for (int role = 0; role < TIMELINE_ROLES; role++)
		pen->colours[role] = (uint32_t)t->colours[role]->pixel;
	pen->image = XCreateImage(pen->display, Tk_Visual(t->window),
	    (unsigned)Tk_Depth(t->window), ZPixmap, 0, (char *)pen->pixels,
	    (unsigned)pen->area.width, 1, 32, 0);
	if (pen->image == NULL)
		return;
	pen->image->byte_order =
	    *(const uint8_t *)&one == 1 ? LSBFirst : MSBFirst;
	if (pen->image->bits_per_pixel == 32)
		pen->images = true;
}

static void
pen_image_close(struct timeline_pen *pen)
{
	if (pen->image == NULL)
		return;
	pen->image->data = NULL;
	XDestroyImage(pen->image);
}

void
esv__timeline_pen_open(struct timeline_pen *pen)
{
	/* Used by Tk's thread. */
	static XRectangle rects[RECTS];
	static XSegment lines[LINES];
	static uint32_t pixels[PIXELS];
	static struct timeline_pen_row rows[ROWS];

	pen->rects = rects;
	pen->lines = lines;
	pen->pixels = pixels;
	pen->rows = rows;
	pen_context(pen);
	pen_image_open(pen);
	XSetClipMask(pen->display, pen->timeline->gc, None);
}

void
esv__timeline_pen_clip(struct timeline_pen *pen)
{
	const struct timeline_rect *area = &pen->area;

	pen_flush(pen);
	XSetClipRectangles(pen->display, pen->timeline->gc, 0, 0,
	    &(XRectangle){ (short)(area->x + pen->dx),
		(short)(area->y + pen->dy), (unsigned short)area->width,
		(unsigned short)area->height },
	    1, YXBanded);
}

void
esv__timeline_pen_close(struct timeline_pen *pen)
{
	pen_flush(pen);
	pen_image_close(pen);
}
