/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_private.h - what the files of the canvas item share
 *
 * An item is painted as rectangles, lines and texts in its own pixels, from
 * its upper left corner; a pen draws them.
 */

#ifndef VIEWER_TK_TIMELINE_PRIVATE_H
#define VIEWER_TK_TIMELINE_PRIVATE_H

#include "viewer/timeline/strips.h"
#include "viewer/tk/tk_private.h"

#include <tk.h>

/* More than so many arrows in sight are drawn as a band of their density. */
#define TIMELINE_ARROWS 2000u

/* Pixels: the widest item and highest row; the highest item, and how far from
   the canvas's origin it may be; and what is below each item. */
#define TIMELINE_WIDEST 65536
#define TIMELINE_FAR (1 << 29)
#define TIMELINE_BELOW (1 << 30)

/* The roles that an item has colours of. */
#define TIMELINE_ROLES ESV_ROLE_HEAT

struct timeline_mark {
	double from_ns, to_ns;
	char *label;
};

/* Options that are not numbers, by their place in `texts`. */
enum timeline_option {
	TIMELINE_RUN,
	TIMELINE_ROWS,
	TIMELINE_THEME,
	TIMELINE_SELECTION,
	TIMELINE_HIGHLIGHT,
	TIMELINE_LINKS, /* -arrows */
	TIMELINE_MARKS,
	TIMELINE_OPTIONS
};

struct timeline_item {
	Tk_Item item; /* first: Tk's part */
	Tcl_Interp *interp;
	Tk_Canvas canvas;
	Tk_Window window;
	struct timeline_item *next; /* of all items */

	/* Options. */
	char *texts[TIMELINE_OPTIONS]; /* as they were given */
	double x, y;		       /* upper left corner */
	int width, height;	       /* pixels */
	int row_height;
	double scale; /* of lines and gaps */
	double t0_ns, span_ns;
	Tk_Font font;
	struct esv__tk_run *run; /* NULL: none */
	uint32_t *rows;
	uint32_t row_count;
	const struct esv_theme *theme;
	bool selected;
	double selection[2];
	struct esv_links highlight, arrows;
	struct timeline_mark *marks;
	uint32_t mark_count;

	/* Of each row of the model its place in rows; NONE. */
	uint32_t *places;
	uint32_t place_count;

	/* The strips of the rows [first, last), which is what was drawn. */
	struct esv_strips strips;
	bool dense; /* so many that rows are images */
	struct timeline_filled {
		bool valid;
		uint32_t first, last;
		struct esv_window window;
	} filled;
	char *problem; /* why strips could not be had; NULL */

	XColor *colours[TIMELINE_ROLES];
	const struct esv_theme *coloured; /* the theme that they are of */
	GC gc;				  /* of X; None until drawn */
};

struct timeline_rect {
	int x, y, width, height;
};

struct timeline_line {
	int x0, y0, x1, y1;
};

/* Where painting goes.  What is outside the area may be left out. */
struct timeline_pen {
	struct timeline_item *timeline;
	struct timeline_rect area;
	void (*colour)(struct timeline_pen *pen, int role);
	void (*rects)(struct timeline_pen *pen,
	    const struct timeline_rect *rects, size_t count);
	/* A row in sight, of which each pixel has a role; NULL: cannot. */
	void (*image)(struct timeline_pen *pen, struct timeline_rect rect,
	    const uint8_t *roles);
	void (*line)(struct timeline_pen *pen, struct timeline_line line);
	/* A filled triangle through three points. */
	void (*head)(struct timeline_pen *pen, const int points[6]);
	/* Beginning at x, the line of writing at y. */
	void (*text)(struct timeline_pen *pen, int x, int y, const char *text);
};

/* Paint the rows in the area of the pen, then what lies over them. */
void esv__timeline_rows(struct timeline_item *t, struct timeline_pen *pen);
void esv__timeline_over(struct timeline_item *t, struct timeline_pen *pen);

/* A length of `pixels` on a screen of 96 dpi; at least 1. */
int esv__timeline_px(const struct timeline_item *t, int pixels);
/* The pixel of a time, cut to -1 .. width. */
int esv__timeline_x(const struct timeline_item *t, double time_ns);
/* Where the row at a place begins. */
int esv__timeline_y(const struct timeline_item *t, uint32_t place);
/* The height of a row without the gap below it. */
int esv__timeline_bar(const struct timeline_item *t);
/* The place of a row of the model, or of what it is folded into; NONE. */
uint32_t esv__timeline_place(struct timeline_item *t, uint32_t row);
/* The model, or NULL when there is none, or none any more. */
struct esv_model *esv__timeline_model(const struct timeline_item *t);

/* Tk's procedures. */
extern Tk_CustomOption esv__timeline_options[TIMELINE_OPTIONS];
extern Tk_CustomOption esv__timeline_item_state;
void esv__timeline_options_fini(struct timeline_item *t);
Tk_ItemDisplayProc esv__timeline_display;

/* Register the item type, and forget a run that is closed. */
int esv__timeline_init(Tcl_Interp *interp);
void esv__timeline_closed(const struct esv__tk_run *run);

#endif
