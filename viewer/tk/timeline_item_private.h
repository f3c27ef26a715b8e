/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_item_private.h - the state of a canvas item
 * `timeline`, and the positions of its rows and times
 *
 * Positions are pixels from the upper left corner of the item.
 */

#ifndef VIEWER_TK_TIMELINE_ITEM_PRIVATE_H
#define VIEWER_TK_TIMELINE_ITEM_PRIVATE_H

#include "viewer/event/links.h"
#include "viewer/figure/theme.h"
#include "viewer/timeline/strips.h"
#include "viewer/tk/run_private.h"

#include <tk.h>

/* Limits in pixels: the width of an item and the height of a row; the height
   of an item and its distance from the origin of the canvas; a position below
   all items. */
#define TIMELINE_WIDEST 65536
#define TIMELINE_FAR (1 << 29)
#define TIMELINE_BELOW (1 << 30)

/* Roles of colours that an item uses; a role is a byte in images. */
#define TIMELINE_ROLES ESV_ROLE_HEAT
static_assert(TIMELINE_ROLES <= UINT8_MAX, "a role is a byte");

struct timeline_mark {
	double from_ns, to_ns;
	char *label;
};

/* Non-numeric options; indexes of `texts`. */
enum timeline_option {
	TIMELINE_RUN,
	TIMELINE_ROWS,
	TIMELINE_THEME,
	TIMELINE_SELECTION,
	TIMELINE_HIGHLIGHT,
	TIMELINE_ARROWS,
	TIMELINE_CRITICAL,
	TIMELINE_CAUSES,
	TIMELINE_MARKS,
	TIMELINE_COLOUR,
	TIMELINE_HIDE,
	TIMELINE_OPTIONS
};

struct timeline_item {
	Tk_Item item; /* must be first; used by Tk */
	Tcl_Interp *interp;
	Tk_Canvas canvas;
	Tk_Window window;
	struct timeline_item *next; /* in the list of all items */

	/* Options. */
	char *texts[TIMELINE_OPTIONS]; /* as the user wrote them */
	double x, y;		       /* upper left corner */
	int width, height;	       /* pixels */
	int row_height;
	double scale; /* factor for lines and gaps */
	double t0_ns, span_ns;
	Tk_Font font;
	struct esv__tk_run *run; /* NULL: none */
	uint32_t *rows;
	uint32_t row_count;
	const struct esv_theme *theme;
	enum esv_colour_by by;
	uint32_t hidden_by[ESV_BY_COUNT]; /* classes, see esv_class_find */
	bool selected;
	double selection[2];
	struct esv_links highlight, arrows, critical, causes;
	struct timeline_mark *marks;
	uint32_t mark_count;

	/* Index in rows of each row of the model, or PATHS_NONE. */
	uint32_t *places;
	uint32_t place_count;

	/* The strips of rows [first, last) that were drawn last. */
	struct esv_strips strips;
	/* Strips with waiting at the bottom, in rows that are no bands. */
	struct esv_strip *waits;
	size_t wait_count, wait_room;
	bool dense; /* rows are drawn as images, because of many strips */
	struct timeline_filled {
		bool valid;
		uint32_t first, last;
		struct esv_window window;
	} filled;
	char *problem; /* why strips could not be computed, or NULL */

	XColor *colours[TIMELINE_ROLES];
	const struct esv_theme *coloured; /* theme of the colours */
	GC gc;				  /* of X; None before it is drawn */
};

struct timeline_rect {
	int x, y, width, height;
};

struct timeline_line {
	int x0, y0, x1, y1;
};

/* Add an item to the list of all items, or remove it from the list. */
void esv__timeline_item_add(struct timeline_item *t);
void esv__timeline_item_remove(const struct timeline_item *t);
/* Returns the item with this number on a canvas; NULL: there is none. */
struct timeline_item *esv__timeline_item_find(Tk_Window window, int id);
/* Redraws the items of a run that was closed. */
void esv__timeline_item_closed(const struct esv__tk_run *run);

/* Returns the model, or NULL without a run or after it was closed. */
struct esv_model *esv__timeline_item_model(const struct timeline_item *t);
/* Returns a length in pixels, given for a screen of 96 dpi; at least 1. */
int esv__timeline_item_px(const struct timeline_item *t, int pixels);
/* Returns the pixel of a time, limited to -1 .. width. */
int esv__timeline_item_x(const struct timeline_item *t, double time_ns);
/* Returns the upper edge of the row at a place. */
int esv__timeline_item_y(const struct timeline_item *t, uint32_t place);
/* Returns the height of a row without the gap below it. */
int esv__timeline_item_bar(const struct timeline_item *t);
/* Computes the places of rows, after run or rows changed. */
void esv__timeline_item_set_places(struct timeline_item *t);
/* Returns the place of a row of the model, or of the row that it is folded
   into; PATHS_NONE: it is not shown. */
uint32_t esv__timeline_item_place(const struct timeline_item *t, uint32_t row);

#endif
