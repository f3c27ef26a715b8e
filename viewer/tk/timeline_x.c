/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_x.c - a timeline on the display
 *
 * Rectangles and lines of one colour are collected and go out in one request,
 * and so do rows that are images.
 * Only what the canvas asks for is drawn.
 */

#include "viewer/tk/timeline_private.h"

#include <stdlib.h>
#include <string.h>
#include <X11/Xutil.h>

/* Well below what a request may hold, 65535 words of 4 bytes. */
#define RECTS 16000u
#define LINES 2000u
#define PIXELS 65536u
#define ROWS 256u

_Static_assert(PIXELS >= TIMELINE_WIDEST, "a line fits");

/* Where a row lies in the item. */
struct x_row {
	int top, bottom;
};

struct x_pen {
	struct timeline_pen pen; /* first */
	Display *display;
	Drawable drawable;
	int dx, dy; /* from the item to the drawable */
	XRectangle *rects;
	XSegment *lines;
	unsigned rect_count, line_count;
	/* Rows that are images of one line. */
	XImage *image;
	uint32_t *pixels; /* its data */
	struct x_row *rows;
	unsigned row_count;
	uint32_t colours[TIMELINE_ROLES];
};

/* From a line of the pixmap to one of a row, from there to the next, then to
   twice as many. */
static void
x_copy(const struct x_pen *x, Pixmap pixmap, int line)
{
	GC gc = x->pen.timeline->gc;
	unsigned width = (unsigned)x->pen.area.width;
	int left = x->pen.area.x + x->dx, top = x->rows[line].top + x->dy;
	int height = x->rows[line].bottom - x->rows[line].top;

	XCopyArea(x->display, pixmap, x->drawable, gc, 0, line, width, 1, left,
	    top);
	for (int done = 1; done < height; done *= 2)
		XCopyArea(x->display, x->drawable, x->drawable, gc, left, top,
		    width,
		    (unsigned)(done < height - done ? done : height - done),
		    left, top + done);
}

/* All at once to a pixmap; the server makes rows of them. */
static void
x_flush_rows(struct x_pen *x)
{
	const struct timeline_item *t = x->pen.timeline;
	int width = x->pen.area.width, count = (int)x->row_count;
	Pixmap pixmap = Tk_GetPixmap(x->display, x->drawable, width, count,
	    Tk_Depth(t->window));

	x->image->height = count;
	XPutImage(x->display, pixmap, t->gc, x->image, 0, 0, 0, 0,
	    (unsigned)width, x->row_count);
	for (int line = 0; line < count; line++)
		x_copy(x, pixmap, line);
	Tk_FreePixmap(x->display, pixmap);
}

static void
x_flush(struct x_pen *x)
{
	GC gc = x->pen.timeline->gc;

	if (x->rect_count > 0)
		XFillRectangles(x->display, x->drawable, gc, x->rects,
		    (int)x->rect_count);
	if (x->line_count > 0)
		XDrawSegments(x->display, x->drawable, gc, x->lines,
		    (int)x->line_count);
	if (x->row_count > 0)
		x_flush_rows(x);
	x->rect_count = 0;
	x->line_count = 0;
	x->row_count = 0;
}

static void
x_colour(struct timeline_pen *pen, int role)
{
	struct x_pen *x = (struct x_pen *)pen;

	x_flush(x);
	XSetForeground(x->display, pen->timeline->gc,
	    pen->timeline->colours[role]->pixel);
}

/* Coordinates of X are of 16 bits, those of the area are few enough. */
static void
x_rects(struct timeline_pen *pen, const struct timeline_rect *rects,
    size_t count)
{
	struct x_pen *x = (struct x_pen *)pen;
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
		if (x->rect_count == RECTS)
			x_flush(x);
		x->rects[x->rect_count++] = (XRectangle){ (short)(x0 + x->dx),
			(short)(y0 + x->dy), (unsigned short)(x1 - x0),
			(unsigned short)(y1 - y0) };
	}
}

/* Keep a line of the area until many can be sent. */
static void
x_image(struct timeline_pen *pen, struct timeline_rect rect,
    const uint8_t *roles)
{
	struct x_pen *x = (struct x_pen *)pen;
	const struct timeline_rect *area = &pen->area;
	unsigned width = (unsigned)area->width;
	struct x_row row = { rect.y, rect.y + rect.height };
	uint32_t *pixels;

	row.top = row.top > area->y ? row.top : area->y;
	if (row.bottom > area->y + area->height)
		row.bottom = area->y + area->height;
	if (row.top >= row.bottom)
		return;
	if (x->rect_count > 0 || x->row_count == ROWS ||
	    (x->row_count + 1) * width > PIXELS)
		x_flush(x);
	pixels = x->pixels + x->row_count * width;
	for (unsigned n = 0; n < width; n++)
		pixels[n] = x->colours[roles[area->x + (int)n]];
	x->rows[x->row_count++] = row;
}

/*
 * A line may end rows further up or down than 16 bits reach; what is drawn of
 * it is the part up to there.
 */
static bool
x_line_fits(struct timeline_line *l, int dx, int dy)
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

static void
x_line(struct timeline_pen *pen, struct timeline_line line)
{
	struct x_pen *x = (struct x_pen *)pen;

	if (!x_line_fits(&line, x->dx, x->dy))
		return;
	if (x->line_count == LINES)
		x_flush(x);
	x->lines[x->line_count++] = (XSegment){ (short)line.x0, (short)line.y0,
		(short)line.x1, (short)line.y1 };
}

static bool
x_near(const struct timeline_pen *pen, int x, int y)
{
	const struct timeline_rect *area = &pen->area;

	return x > area->x - 1000 && x < area->x + area->width + 1000 &&
	    y > area->y - 1000 && y < area->y + area->height + 1000;
}

static void
x_head(struct timeline_pen *pen, const int points[6])
{
	struct x_pen *x = (struct x_pen *)pen;
	XPoint corners[3];

	if (!x_near(pen, points[0], points[1]))
		return;
	for (int n = 0; n < 3; n++)
		corners[n] = (XPoint){ (short)(points[2 * n] + x->dx),
			(short)(points[2 * n + 1] + x->dy) };
	XFillPolygon(x->display, x->drawable, pen->timeline->gc, corners, 3,
	    Convex, CoordModeOrigin);
}

static void
x_text(struct timeline_pen *pen, int x, int y, const char *text)
{
	struct x_pen *p = (struct x_pen *)pen;
	const struct timeline_item *t = pen->timeline;

	x_flush(p);
	if (x_near(pen, x, y))
		Tk_DrawChars(p->display, p->drawable, t->gc, t->font, text,
		    (int)strlen(text), x + p->dx, y + p->dy);
}

/* Of this item alone, for its colours change all the time. */
static void
x_context(struct timeline_item *t, Display *display, Drawable drawable)
{
	XGCValues values = { .graphics_exposures = False,
		.line_width = t->scale < 1.5 ? 0 : esv__timeline_px(t, 1),
		.font = Tk_FontId(t->font) };
	unsigned long which = GCGraphicsExposures | GCLineWidth | GCFont;

	if (t->gc == None)
		t->gc = XCreateGC(display, drawable, which, &values);
	else
		XChangeGC(display, t->gc, which, &values);
}

/* Pixels as we write them; Xlib turns them about where the server has them in
   another order. */
static void
x_image_open(struct x_pen *x)
{
	const uint16_t one = 1;
	const struct timeline_item *t = x->pen.timeline;

	for (int role = 0; role < TIMELINE_ROLES; role++)
		x->colours[role] = (uint32_t)t->colours[role]->pixel;
	x->image = XCreateImage(x->display, Tk_Visual(t->window),
	    (unsigned)Tk_Depth(t->window), ZPixmap, 0, (char *)x->pixels,
	    (unsigned)x->pen.area.width, 1, 32, 0);
	if (x->image == NULL)
		return;
	x->image->byte_order =
	    *(const uint8_t *)&one == 1 ? LSBFirst : MSBFirst;
	if (x->image->bits_per_pixel == 32)
		x->pen.image = x_image;
}

static void
x_image_close(struct x_pen *x)
{
	if (x->image == NULL)
		return;
	x->image->data = NULL;
	XDestroyImage(x->image);
}

/* What the canvas wants of the item, in its own pixels. */
static struct timeline_rect
x_area(const struct timeline_item *t, int x, int y, int width, int height)
{
	int x0 = x - t->item.x1, y0 = y - t->item.y1;
	int x1 = x0 + width, y1 = y0 + height;

	x0 = x0 < 0 ? 0 : x0;
	y0 = y0 < 0 ? 0 : y0;
	x1 = x1 > t->width ? t->width : x1;
	y1 = y1 > t->height ? t->height : y1;
	return (struct timeline_rect){ x0, y0, x1 - x0, y1 - y0 };
}

void
esv__timeline_display(Tk_Canvas canvas, Tk_Item *item, Display *display,
    Drawable drawable, int x, int y, int width, int height)
{
	/* Tk's thread alone. */
	static XRectangle rects[RECTS];
	static XSegment lines[LINES];
	static uint32_t pixels[PIXELS];
	static struct x_row rows[ROWS];
	struct timeline_item *t = (struct timeline_item *)item;
	struct x_pen pen = { .pen = { .timeline = t,
				 .area = x_area(t, x, y, width, height),
				 .colour = x_colour,
				 .rects = x_rects,
				 .line = x_line,
				 .head = x_head,
				 .text = x_text },
		.display = display,
		.drawable = drawable,
		.rects = rects,
		.lines = lines,
		.pixels = pixels,
		.rows = rows };
	const struct timeline_rect *area = &pen.pen.area;
	short at_x, at_y;

	if (area->width < 1 || area->height < 1)
		return;
	/* Of the area's corner, for that of the item may be far away. */
	Tk_CanvasDrawableCoords(canvas, item->x1 + area->x, item->y1 + area->y,
	    &at_x, &at_y);
	pen.dx = at_x - area->x;
	pen.dy = at_y - area->y;
	x_context(t, display, drawable);
	x_image_open(&pen);
	/* Rows are cut to the area as they are drawn. */
	XSetClipMask(display, t->gc, None);
	esv__timeline_rows(t, &pen.pen);
	x_flush(&pen);
	XSetClipRectangles(display, t->gc, 0, 0,
	    &(XRectangle){ at_x, at_y, (unsigned short)area->width,
		(unsigned short)area->height },
	    1, YXBanded);
	esv__timeline_over(t, &pen.pen);
	x_flush(&pen);
	x_image_close(&pen);
}
