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
struct es_box {
	double x, y, width, height;
};

#define ES_THING(kind_, id_) \
	((struct es_thing){ .kind = (kind_), .id = (int64_t)(id_) })
#define ES_NOTHING ((struct es_thing){ .kind = ES_THING_NONE })

/*
 * es_draw_rect - a filled rectangle, standing for something
 *
 * tip	NULL: it says nothing
 */
void es_draw_rect(struct es_figure *figure, int role, struct es_box box,
    struct es_thing thing, const char *tip);

/*
 * es_draw_frame - the border of a box, inside it
 */
void es_draw_frame(struct es_figure *figure, int role, struct es_box box,
    double line_width);

void es_draw_line(struct es_figure *figure, int role, struct es_point from,
    struct es_point to, double line_width);

/*
 * es_draw_text, es_draw_text_within - a label of the usual size
 *
 * box	beside its left, right or both edges by anchor; cut to its width
 */
void es_draw_text(struct es_figure *figure, int role, struct es_point at,
    enum es_anchor anchor, const char *text);
void es_draw_text_within(struct es_figure *figure, int role, struct es_box box,
    enum es_anchor anchor, const char *text);

/*
 * es_draw_message - a sentence in the middle, where there is nothing to draw
 */
void es_draw_message(struct es_figure *figure, const char *text);

/* The role of a value between two on the scale of heat. */
int es_draw_heat(double value, double from, double to);

#endif
