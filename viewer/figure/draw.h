/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/draw.h - short ways to add shapes to a figure
 *
 * Whether all could be added says figure->status.
 */

#ifndef VIEWER_FIGURE_DRAW_H
#define VIEWER_FIGURE_DRAW_H

#include "viewer/figure/figure.h"
#include "viewer/figure/label.h"

/* A part of a figure. */
struct esv_box {
	double x, y, width, height;
};

#define ESV_THING(kind_, id_) \
	((struct esv_thing){ .kind = (kind_), .id = (int64_t)(id_) })
#define ESV_NOTHING ((struct esv_thing){ .kind = ESV_THING_NONE })

/*
 * esv_draw_rect - a filled rectangle, standing for something
 *
 * tip	NULL: it says nothing
 */
void esv_draw_rect(struct esv_figure *figure, int role, struct esv_box box,
    struct esv_thing thing, const char *tip);

/*
 * esv_draw_frame - the border of a box, inside it
 */
void esv_draw_frame(struct esv_figure *figure, int role, struct esv_box box,
    double line_width);

void esv_draw_line(struct esv_figure *figure, int role, struct esv_point from,
    struct esv_point to, double line_width);

/*
 * esv_draw_text, esv_draw_text_within - a label of the usual size
 *
 * box	beside its left, right or both edges by anchor; cut to its width
 */
void esv_draw_text(struct esv_figure *figure, int role, struct esv_point at,
    enum esv_anchor anchor, const char *text);
void esv_draw_text_within(struct esv_figure *figure, int role,
    struct esv_box box, enum esv_anchor anchor, const char *text);

/*
 * esv_draw_message - a sentence in the middle, where there is nothing to draw
 */
void esv_draw_message(struct esv_figure *figure, const char *text);

/* The role of a value between two on the scale of heat. */
int esv_draw_heat(double value, double from, double to);

#endif
