/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/figure.h - a drawing as a list of shapes
 *
 * Rectangles, lines, areas, texts and images in units of 1/96 inch from the
 * upper left corner.  Charts make figures; a Tk canvas, SVG and cairo show
 * them; tests compare them as text.  Colours are roles of a theme.  A shape
 * can carry the thing that it stands for, so that the thing can be pointed at
 * and highlighted.
 *
 * viewer/figure/draw.h has short ways to add shapes, viewer/figure/plot.h axes
 * and viewer/figure/legend.h legends.
 */

#ifndef VIEWER_FIGURE_FIGURE_H
#define VIEWER_FIGURE_FIGURE_H

#include "viewer/figure/theme.h"

#include "libpaths/status.h"
#include "libpaths/unit.h"

#include <stddef.h>
#include <stdint.h>

/* The object that a shape stands for; ids as in view.db. */
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
	ESV_THING_CALL,	    /* node of call_tree; -node: of caller_tree */
	ESV_THING_PAIR	    /* two threads or ranks: id and other */
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
	 * One line.  The anchor is the part of the text that lies at x, or at y
	 * if the text is turned; the other coordinate is the middle of the
	 * line.  A text longer than width is cut when it is added, and gets a
	 * tip with the full text; width 0 sets no limit.
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
	const char *tip; /* shown when pointed at; NULL: none */

	const struct esv_point *points; /* LINE, AREA */
	uint32_t point_count;
	double line_width; /* LINE */

	const char *text; /* TEXT */
	double text_size; /* in points */
	enum esv_anchor anchor;
	int text_turned; /* by 90 degrees, to read upwards */
	bool cut_middle; /* a text that is too wide keeps its end, too */

	const uint16_t *pixels; /* IMAGE: roles, row by row */
	uint32_t columns, rows;
};

/*
 * The cells of a matrix, to find the one under the pointer.  They need no
 * shapes, because a matrix may have very many.
 */
struct esv_grid {
	double x, y, width, height;
	uint32_t columns, rows;
	const double *values; /* row by row; NAN: an empty cell */
	enum paths_unit unit;
	const char *const *row_names;
	const struct esv_thing *row_things;
	const char *const *column_names; /* NULL: columns are numbers */
	const char *number;		 /* quantity of numbers, as "step" */
	double first, each; /* number of the first column; step to the next */
	const struct esv_thing *pairs; /* things of columns: a cell stands for a
					  pair; NULL: for that of its row */
	const struct esv_grid *next;   /* set by esv_figure_grid; NULL: none */
};

struct esv_figure_block;

struct esv_figure {
	double width, height;
	const char *title;	  /* one line, shown outside the figure */
	struct esv_shape *shapes; /* from the back to the front */
	size_t count, capacity;
	paths_status status;		 /* of the first addition that failed */
	struct esv_figure_block *memory; /* texts, points and pixels */
	struct esv_grid *grid;		 /* the last of a list; NULL: none */
};

/*
 * esv_figure_init - begin an empty figure
 *
 * Ownership	the caller calls esv_figure_fini, which frees all shapes
 */
void esv_figure_init(struct esv_figure *figure, double width, double height);
void esv_figure_fini(struct esv_figure *figure);

/*
 * esv_figure_add - add a shape
 *
 * After the first error, figure->status holds that error and nothing is added
 * any more: a chart may add all its shapes and test the status at the end.
 *
 * shape	copied, with its texts, points and pixels
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the status of the figure
 */
paths_status esv_figure_add(struct esv_figure *figure,
    const struct esv_shape *shape);

/*
 * esv_figure_grid - add a grid to a figure
 *
 * grid		copied, with its values, names and things
 *
 * Returns	as esv_figure_add
 */
paths_status esv_figure_grid(struct esv_figure *figure,
    const struct esv_grid *grid);

/*
 * esv_figure_printf - a text that lives as long as the figure
 *
 * fmt		as for printf
 *
 * Returns	the text; "" when out of memory, which figure->status reports
 */
const char *esv_figure_printf(struct esv_figure *figure, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * esv_figure_trim - reduce the height of a figure to that of its shapes
 */
void esv_figure_trim(struct esv_figure *figure);

#endif
