/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/figure.h - something drawn, before it is known on what
 *
 * A list of rectangles, lines, texts and images in units of 1/96 inch from the
 * upper left corner.  Charts make it; cairo, a Tk canvas and HTML show it; as
 * text it is what tests compare.  Colours are roles of a theme.  What stands
 * for something says for what, so that it can be pointed at and highlighted.
 *
 * viewer/figure/draw.h has short ways to add shapes, viewer/figure/plot.h axes
 * and legends.
 */

#ifndef VIEWER_FIGURE_FIGURE_H
#define VIEWER_FIGURE_FIGURE_H

#include "viewer/figure/theme.h"

#include "libpaths/status.h"
#include "libpaths/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a shape stands for; ids as in view.db. */
enum esv_thing_kind {
	ESV_THING_NONE,
	ESV_THING_HOST,
	ESV_THING_PROCESS,
	ESV_THING_THREAD,
	ESV_THING_ELEMENT,
	ESV_THING_STAGE,
	ESV_THING_PATH,
	ESV_THING_COLLECTOR,
	ESV_THING_STEP,
	ESV_THING_SITE,
	ESV_THING_FUNCTION, /* of MPI */
	ESV_THING_PAIR	    /* of threads, or of ranks: id and other */
};

struct esv_thing {
	enum esv_thing_kind kind;
	int64_t id;
	int64_t other;
};

enum esv_shape_kind {
	ESV_SHAPE_RECT, /* x, y, width, height */
	ESV_SHAPE_LINE, /* through points */
	ESV_SHAPE_AREA, /* polygon through points */
	/*
	 * One line.  x by anchor, y in the middle of its height; turned, y by
	 * anchor.  width: what it may take, 0: any; a longer one is cut as it
	 * is added, and says when pointed at what it was.
	 */
	ESV_SHAPE_TEXT,
	ESV_SHAPE_IMAGE /* x, y, width, height: columns x rows of roles */
};

enum esv_anchor { ESV_ANCHOR_LEFT, ESV_ANCHOR_MIDDLE, ESV_ANCHOR_RIGHT };

struct esv_point {
	double x, y;
};

struct esv_shape {
	enum esv_shape_kind kind;
	int role; /* enum esv_role, with the index of a series, grey or heat */
	double x, y, width, height;
	struct esv_thing thing;
	const char *tip; /* what it says when pointed at; NULL */

	const struct esv_point *points; /* LINE, AREA */
	uint32_t point_count;
	double line_width; /* LINE; else 0: filled */

	const char *text; /* TEXT */
	double text_size; /* in points */
	enum esv_anchor anchor;
	int text_turned; /* upwards, by 90 degrees */

	const uint16_t *pixels; /* IMAGE: roles, row by row */
	uint32_t columns, rows;
};

/*
 * The cells of a matrix, for who points at one: however many there are, they
 * are no shapes.
 */
struct esv_grid {
	double x, y, width, height;
	uint32_t columns, rows;
	const double *values; /* row by row; NAN: nothing is there */
	enum paths_unit unit;
	const char *const *row_names;
	const struct esv_thing *row_things;
	const char *const *column_names; /* NULL: columns are numbers */
	const char *number;		 /* then: "step", */
	double first, each; /* that of the first one, and how far to the next */
	const struct esv_thing *pairs; /* of columns, where a cell stands for
					 the ids of both; NULL: for its row */
};

/* What is pointed at. */
struct esv_hit {
	struct esv_thing thing;
	int64_t step;  /* -1: none */
	char tip[256]; /* as much as fits, in whole characters */
};

struct esv_figure_block;

struct esv_figure {
	double width, height;
	const char *title;	  /* what it shows, in one line; shown by those
				    who show the figure, no shape of it */
	struct esv_shape *shapes; /* in the order in which they cover */
	size_t count, capacity;
	paths_status status;		 /* of the first addition that failed */
	struct esv_figure_block *memory; /* texts, points and pixels */
	struct esv_grid *grid;		 /* NULL: none */
};

/*
 * esv_figure_init - begin an empty figure
 *
 * esv_figure_fini gives back all that was added.
 */
void esv_figure_init(struct esv_figure *figure, double width, double height);
void esv_figure_fini(struct esv_figure *figure);

/*
 * esv_figure_add - add a shape; what it points at is copied
 *
 * After one that failed nothing is added: a chart may add all its shapes and
 * ask figure->status once, at the end.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the status of the figure
 */
paths_status esv_figure_add(struct esv_figure *figure,
    const struct esv_shape *shape);

/*
 * esv_figure_grid - let the cells of a matrix be pointed at
 *
 * grid	copied, with what it points at; a figure has one
 *
 * Returns	as esv_figure_add
 */
paths_status esv_figure_grid(struct esv_figure *figure,
    const struct esv_grid *grid);

/*
 * esv_grid_tip - what a cell says when pointed at
 */
void esv_grid_tip(const struct esv_grid *grid, uint32_t row, uint32_t column,
    char tip[256]);

/*
 * esv_figure_at - what is at a place
 *
 * A cell of the grid, else the uppermost shape that stands for something or
 * has something to say.
 *
 * hit	out
 *
 * Returns	false: nothing is there
 */
bool esv_figure_at(const struct esv_figure *figure, double x, double y,
    struct esv_hit *hit);

/*
 * esv_figure_printf - a text that lives as long as the figure, for titles, tips
 *
 * fmt	as for printf
 *
 * Returns	the text; "" out of memory, and then figure->status says so
 */
const char *esv_figure_printf(struct esv_figure *figure, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * esv_figure_trim - let a figure end below what is drawn on it
 */
void esv_figure_trim(struct esv_figure *figure);

/*
 * esv_figure_text - the figure as text, a line a shape, for tests
 *
 * text	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees the text
 */
paths_status esv_figure_text(const struct esv_figure *figure, char **text)
    PATHS_CHECKED;

#endif
