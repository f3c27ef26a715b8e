/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/svg.c - figures as SVG, in a file or inside a page
 *
 * Source	W3C: Scalable Vector Graphics (SVG) 1.1 (Second Edition)
 */

#include "viewer/figure/svg.h"

#include "viewer/figure/image.h"
#include "viewer/figure/label.h"
#include "viewer/figure/title.h"

#include "scopes/show/html.h"

#include <math.h>
#include <stdbool.h>

struct svg {
	FILE *to;
	const struct esv_theme *theme; /* NULL: colours are variables */
};

/* Numbers are written to a hundredth. */
static double
svg_round(double number)
{
	return rint(number * 100.0) / 100.0 + 0.0;
}

static void
svg_number(FILE *to, const char *name, double number)
{
	fprintf(to, " %s=\"%.7g\"", name, svg_round(number));
}

static void
svg_colour(const struct svg *svg, const char *name, int role)
{
	char text[16];

	if (svg->theme != NULL) {
		fprintf(svg->to, " %s=\"#%06x\"", name,
		    svg->theme->colours[role]);
		return;
	}
	esv_theme_role_name(role, text);
	fprintf(svg->to, " %s=\"var(--%s)\"", name, text);
}

static void
svg_thing(FILE *to, const struct esv_thing *thing)
{
	if (thing->kind == ESV_THING_NONE)
		return;
	fprintf(to, " data-thing=\"%d-%lld", (int)thing->kind,
	    (long long)thing->id);
	if (thing->kind == ESV_THING_PAIR)
		fprintf(to, "-%lld", (long long)thing->other);
	putc('"', to);
}

static void
svg_tip(FILE *to, const char *tip)
{
	if (tip == NULL)
		return;
	fputs("<title>", to);
	es_html_write(to, tip);
	fputs("</title>", to);
}

/* Writes the end of the element `name`, with the tip of the shape inside. */
static void
svg_end(FILE *to, const struct esv_shape *shape, const char *name)
{
	svg_thing(to, &shape->thing);
	if (shape->tip == NULL) {
		fputs("/>\n", to);
		return;
	}
	putc('>', to);
	svg_tip(to, shape->tip);
	fprintf(to, "</%s>\n", name);
}

/* Rounds the edges, not the size, so that rectangles side by side have no gap
   between them. */
static void
svg_rect(const struct svg *svg, const struct esv_shape *shape)
{
	double x = svg_round(shape->x), y = svg_round(shape->y);

	fputs("<rect", svg->to);
	svg_number(svg->to, "x", x);
	svg_number(svg->to, "y", y);
	svg_number(svg->to, "width", svg_round(shape->x + shape->width) - x);
	svg_number(svg->to, "height", svg_round(shape->y + shape->height) - y);
	svg_colour(svg, "fill", shape->role);
	svg_end(svg->to, shape, "rect");
}

static void
svg_points(const struct svg *svg, const struct esv_shape *shape)
{
	bool line = shape->kind == ESV_SHAPE_LINE;
	const char *name = line ? "polyline" : "polygon";

	fprintf(svg->to, "<%s points=\"", name);
	for (uint32_t n = 0; n < shape->point_count; n++)
		fprintf(svg->to, "%s%.7g,%.7g", n == 0 ? "" : " ",
		    svg_round(shape->points[n].x),
		    svg_round(shape->points[n].y));
	putc('"', svg->to);
	svg_colour(svg, line ? "stroke" : "fill", shape->role);
	if (line) {
		fputs(" fill=\"none\"", svg->to);
		svg_number(svg->to, "stroke-width", shape->line_width);
	}
	svg_end(svg->to, shape, name);
}

static void
svg_text(const struct svg *svg, const struct esv_shape *shape)
{
	static const char *const anchors[] = {
		[ESV_ANCHOR_LEFT] = "start",
		[ESV_ANCHOR_MIDDLE] = "middle",
		[ESV_ANCHOR_RIGHT] = "end",
	};
	FILE *to = svg->to;

	fputs("<text", to);
	svg_number(to, "x", shape->x);
	svg_number(to, "y", shape->y + ESV_LABEL_BASE(shape->text_size));
	svg_number(to, "font-size", shape->text_size * 4.0 / 3.0);
	svg_colour(svg, "fill", shape->role);
	if (shape->anchor != ESV_ANCHOR_LEFT)
		fprintf(to, " text-anchor=\"%s\"", anchors[shape->anchor]);
	if (shape->text_turned)
		fprintf(to, " transform=\"rotate(-90 %.7g %.7g)\"", shape->x,
		    shape->y);
	svg_thing(to, &shape->thing);
	putc('>', to);
	svg_tip(to, shape->tip);
	es_html_write(to, shape->text);
	fputs("</text>\n", to);
}

static void
svg_image_rect(const void *to, const struct esv_shape *rect)
{
	svg_rect(to, rect);
}

/* Smoothed edges would leave seams between the rectangles. */
static void
svg_image(const struct svg *svg, const struct esv_shape *shape)
{
	fputs("<g shape-rendering=\"crispEdges\">\n", svg->to);
	esv_image_rects(shape, svg_image_rect, svg);
	fputs("</g>\n", svg->to);
}

static void
svg_shape(const struct svg *svg, const struct esv_shape *shape)
{
	static void (*const write[])(const struct svg *,
	    const struct esv_shape *) = {
		[ESV_SHAPE_RECT] = svg_rect,
		[ESV_SHAPE_LINE] = svg_points,
		[ESV_SHAPE_AREA] = svg_points,
		[ESV_SHAPE_TEXT] = svg_text,
		[ESV_SHAPE_IMAGE] = svg_image,
	};

	write[shape->kind](svg, shape);
}

/* Writes the shapes and the end of the element svg. */
static void
svg_shapes(const struct svg *svg, const struct esv_figure *figure)
{
	for (size_t n = 0; n < figure->count; n++)
		svg_shape(svg, &figure->shapes[n]);
	fputs("</svg>\n", svg->to);
}

void
esv_svg_element(FILE *to, const struct esv_figure *figure)
{
	struct svg svg = { .to = to };

	fprintf(to, "<svg viewBox=\"0 0 %.7g %.7g\" role=\"img\" aria-label=\"",
	    figure->width, figure->height);
	es_html_write(to, figure->title == NULL ? "" : figure->title);
	fputs("\">\n", to);
	svg_shapes(&svg, figure);
}

/* Blanks are kept by xml:space in programs for SVG 1.1, by the style in
   browsers. */
paths_status
esv_svg_file(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale)
{
	struct svg svg = { .to = to, .theme = theme };
	double above = esv_title_height(figure);
	double height = figure->height + above;
	struct esv_shape title = esv_title_shape(figure);

	fprintf(to,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.7g\""
	    " height=\"%.7g\" viewBox=\"0 %.7g %.7g %.7g\""
	    " xml:space=\"preserve\" font-family=\"" ESV_LABEL_FONTS "\">\n"
	    "<style>text { white-space: pre; }</style>\n",
	    figure->width * scale, height * scale, 0.0 - above, figure->width,
	    height);
	svg_rect(&svg,
	    &(struct esv_shape){ .role = ESV_ROLE_GROUND,
		.y = -above,
		.width = figure->width,
		.height = height });
	if (figure->title != NULL)
		svg_text(&svg, &title);
	svg_shapes(&svg, figure);
	return PATHS_OK;
}
