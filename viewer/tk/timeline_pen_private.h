/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_pen_private.h - draws rectangles, lines and texts of
 * a timeline on the display
 *
 * Positions are pixels of the item.  The pen collects rectangles, lines and
 * images, and sends many of them in one request of X.
 */

#ifndef VIEWER_TK_TIMELINE_PEN_PRIVATE_H
#define VIEWER_TK_TIMELINE_PEN_PRIVATE_H

#include "viewer/tk/timeline_item_private.h"

#include <stddef.h>
#include <X11/Xutil.h>

struct timeline_pen {
	struct timeline_item *timeline;
	/* Part of the item to be drawn; shapes outside may be left out. */
	struct timeline_rect area;
	Display *display;
	Drawable drawable;
	int dx, dy; /* from the item to the drawable */
	XRectangle *rects;
	XSegment *lines;
	unsigned rect_count, line_count;
	/* Rows that are images of one line. */
	bool images; /* the display can show them */
	XImage *image;
	uint32_t *pixels; /* data of the image */
	struct timeline_pen_row *rows;
	unsigned row_count;
	uint32_t colours[TIMELINE_ROLES];
};

/* Opens a pen whose timeline, area, display, drawable, dx and dy are set.
   There is one pen at a time. */
void esv__timeline_pen_open(struct timeline_pen *pen);
/* Clips further shapes to the area; rects and images are always clipped. */
void esv__timeline_pen_clip(struct timeline_pen *pen);
void esv__timeline_pen_close(struct timeline_pen *pen);

/* Sets the colour of what is drawn next. */
void esv__timeline_pen_colour(struct timeline_pen *pen, int role);
void esv__timeline_pen_rects(struct timeline_pen *pen,
    const struct timeline_rect *rects, size_t count);
/* Draws a visible row, given the role of each pixel; only if pen->images. */
void esv__timeline_pen_image(struct timeline_pen *pen,
    struct timeline_rect rect, const uint8_t *roles);
void esv__timeline_pen_line(struct timeline_pen *pen,
    struct timeline_line line);
/* Draws a filled triangle through three points. */
void esv__timeline_pen_head(struct timeline_pen *pen, const int points[6]);
/* Draws a text that begins at x, with its base line at y. */
void esv__timeline_pen_text(struct timeline_pen *pen, int x, int y,
    const char *text);

#endif
