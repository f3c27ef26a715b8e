/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/draw.h - short ways to add shapes to a figure
 *
 * figure->status holds the first error.
 */

#ifndef VIEWER_FIGURE_DRAW_H
#define VIEWER_FIGURE_DRAW_H

#include "viewer/figure/figure.h"
#include "viewer/figure/label.h"

/* A rectangular part of a figure. */
struct esv_box {
	double x, y, width, height;
};

#define ESV_THING(kind_, id_) \
	((struct esv_thing){ .kind = (kind_), .id = (int64_t)(id_) })
#define ESV_NOTHING ((struct esv_thing){ .kind = ESV_THING_NONE })

/*
 * esv_draw_rect - add a filled rectangle
 *
 * tip	may be NULL
 */
void esv_draw_rect(struct esv_figure *figure, int role, struct esv_box box,
    struct esv_thing thing, const char *tip);

/*
 * esv_draw_frame - add a line along the inside of a box
 */
void esv_draw_frame(struct esv_figure *figure, int role, struct esv_box box,
    double line_width);

void esv_draw_line(struct esv_figure *figure, int role, struct esv_point from,
    struct esv_point to, double line_width);

/*
 * esv_draw_text, esv_draw_text_within - add a label of ESV_LABEL_POINTS
 *
 * box	the text is aligned in it by anchor, and cut to its width
 */
void esv_draw_text(struct esv_figure *figure, int role, struct esv_point at,
    enum esv_anchor anchor, const char *text);
void esv_draw_text_within(struct esv_figure *figure, int role,
    struct esv_box box, enum esv_anchor anchor, const char *text);

/*
 * esv_draw_message - add a sentence in the middle of an empty figure
 */
void esv_draw_message(struct esv_figure *figure, const char *text);

/* Returns the role of a value on a scale of heat between two values. */
int esv_draw_heat(double value, double from, double to);

#endif
