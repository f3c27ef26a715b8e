/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/draw.c - short ways to add shapes to a figure
 */

#include "viewer/figure/draw.h"

void
esv_draw_rect(struct esv_figure *figure, int role, struct esv_box box,
    struct esv_thing thing, const char *tip)
{
	(void)esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_RECT,
		.role = role,
		.x = box.x,
		.y = box.y,
		.width = box.width,
		.height = box.height,
		.thing = thing,
		.tip = tip });
}

void
esv_draw_frame(struct esv_figure *figure, int role, struct esv_box box,
    double line_width)
{
	double in = line_width / 2.0;
	double x0 = box.x + in, x1 = box.x + box.width - in;
	double y0 = box.y + in, y1 = box.y + box.height - in;
	struct esv_point points[] = { { x0, y0 }, { x1, y0 }, { x1, y1 },
		{ x0, y1 }, { x0, y0 } };

	(void)esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_LINE,
		.role = role,
		.points = points,
		.point_count = 5,
		.line_width = line_width });
}

void
esv_draw_line(struct esv_figure *figure, int role, struct esv_point from,
    struct esv_point to, double line_width)
{
	struct esv_point points[] = { from, to };

	(void)esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_LINE,
		.role = role,
		.points = points,
		.point_count = 2,
		.line_width = line_width });
}

void
esv_draw_text(struct esv_figure *figure, int role, struct esv_point at,
    enum esv_anchor anchor, const char *text)
{
	(void)esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = role,
		.x = at.x,
		.y = at.y,
		.anchor = anchor,
		.text = text,
		.text_size = ESV_LABEL_POINTS });
}

void
esv_draw_text_within(struct esv_figure *figure, int role, struct esv_box box,
    enum esv_anchor anchor, const char *text)
{
	static const double share[] = {
		[ESV_ANCHOR_LEFT] = 0.0,
		[ESV_ANCHOR_MIDDLE] = 0.5,
		[ESV_ANCHOR_RIGHT] = 1.0,
	};

	(void)esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = role,
		.x = box.x + share[anchor] * box.width,
		.y = box.y + box.height / 2.0,
		.width = box.width,
		.anchor = anchor,
		.text = text,
		.text_size = ESV_LABEL_POINTS });
}

void
esv_draw_message(struct esv_figure *figure, const char *text)
{
	esv_draw_text_within(figure, ESV_ROLE_DIM_TEXT,
	    (struct esv_box){ 8.0, 0.0, figure->width - 16.0, figure->height },
	    ESV_ANCHOR_MIDDLE, text);
}

int
esv_draw_heat(double value, double from, double to)
{
	double share = to > from ? (value - from) / (to - from) : 0.0;

	/* NAN counts as the lowest value. */
	if (!(share > 0.0))
		share = 0.0;
	if (share > 1.0)
		share = 1.0;
	return (int)ESV_ROLE_HEAT + (int)(share * 255.0 + 0.5);
}
