/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/draw.c - short ways to add shapes to a figure
 */

#include "viewer/figure/draw.h"

void
es_draw_rect(struct es_figure *figure, int role, struct es_box box,
    struct es_thing thing, const char *tip)
{
	(void)es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_RECT,
		.role = role,
		.x = box.x,
		.y = box.y,
		.width = box.width,
		.height = box.height,
		.thing = thing,
		.tip = tip });
}

void
es_draw_frame(struct es_figure *figure, int role, struct es_box box,
    double line_width)
{
	double in = line_width / 2.0;
	double x0 = box.x + in, x1 = box.x + box.width - in;
	double y0 = box.y + in, y1 = box.y + box.height - in;
	struct es_point points[] = { { x0, y0 }, { x1, y0 }, { x1, y1 },
		{ x0, y1 }, { x0, y0 } };

	(void)es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_LINE,
		.role = role,
		.points = points,
		.point_count = 5,
		.line_width = line_width });
}

void
es_draw_line(struct es_figure *figure, int role, struct es_point from,
    struct es_point to, double line_width)
{
	struct es_point points[] = { from, to };

	(void)es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_LINE,
		.role = role,
		.points = points,
		.point_count = 2,
		.line_width = line_width });
}

void
es_draw_text(struct es_figure *figure, int role, struct es_point at,
    enum es_anchor anchor, const char *text)
{
	(void)es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_TEXT,
		.role = role,
		.x = at.x,
		.y = at.y,
		.anchor = anchor,
		.text = text,
		.text_size = ES_LABEL_POINTS });
}

void
es_draw_text_within(struct es_figure *figure, int role, struct es_box box,
    enum es_anchor anchor, const char *text)
{
	static const double share[] = {
		[ES_ANCHOR_LEFT] = 0.0,
		[ES_ANCHOR_MIDDLE] = 0.5,
		[ES_ANCHOR_RIGHT] = 1.0,
	};

	(void)es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_TEXT,
		.role = role,
		.x = box.x + share[anchor] * box.width,
		.y = box.y + box.height / 2.0,
		.width = box.width,
		.anchor = anchor,
		.text = text,
		.text_size = ES_LABEL_POINTS });
}

void
es_draw_message(struct es_figure *figure, const char *text)
{
	es_draw_text_within(figure, ES_ROLE_DIM_TEXT,
	    (struct es_box){ 8.0, 0.0, figure->width - 16.0, figure->height },
	    ES_ANCHOR_MIDDLE, text);
}

int
es_draw_heat(double value, double from, double to)
{
	double share = to > from ? (value - from) / (to - from) : 0.0;

	/* Not a number is little too. */
	if (!(share > 0.0))
		share = 0.0;
	if (share > 1.0)
		share = 1.0;
	return (int)ES_ROLE_HEAT + (int)(share * 255.0 + 0.5);
}
