/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/figure.c - a figure as SVG inside a page
 *
 * Colours are variables that the page's style gives, for light and for dark.
 * Images that are large are bitmaps, which cannot: there are two, and the
 * style shows one of them.
 */

#include "viewer/report/report_private.h"

#include "scopes/show/html.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Images of fewer pixels are rectangles. */
#define FEW_PIXELS 4096u

/* A number to a hundredth, as short as it goes. */
static void
svg_number(FILE *to, const char *name, double number)
{
	fprintf(to, " %s=\"%.7g\"", name, rint(number * 100.0) / 100.0 + 0.0);
}

static void
svg_colour(FILE *to, const char *name, int role)
{
	char text[16];

	esv_role_name(role, text);
	fprintf(to, " %s=\"var(--%s)\"", name, text);
}

/* What it stands for, so that the page can find what stands for the same. */
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

/* The end of a shape, with what it says inside. */
static void
svg_end(FILE *to, const struct esv_shape *shape, const char *name)
{
	svg_thing(to, &shape->thing);
	if (shape->tip == NULL) {
		fputs("/>\n", to);
		return;
	}
	fputs("><title>", to);
	es_html_write(to, shape->tip);
	fprintf(to, "</title></%s>\n", name);
}

static void
svg_box(FILE *to, const struct esv_shape *shape)
{
	svg_number(to, "x", shape->x);
	svg_number(to, "y", shape->y);
	svg_number(to, "width", shape->width);
	svg_number(to, "height", shape->height);
}

static void
svg_rect(FILE *to, const struct esv_shape *shape)
{
	fputs("<rect", to);
	svg_box(to, shape);
	svg_colour(to, "fill", shape->role);
	svg_end(to, shape, "rect");
}

static void
svg_points(FILE *to, const struct esv_shape *shape)
{
	bool line = shape->kind == ESV_SHAPE_LINE;
	const char *name = line ? "polyline" : "polygon";

	fprintf(to, "<%s points=\"", name);
	for (uint32_t n = 0; n < shape->point_count; n++)
		fprintf(to, "%s%.7g,%.7g", n == 0 ? "" : " ",
		    rint(shape->points[n].x * 100.0) / 100.0,
		    rint(shape->points[n].y * 100.0) / 100.0);
	putc('"', to);
	svg_colour(to, line ? "stroke" : "fill", shape->role);
	if (line) {
		fputs(" fill=\"none\"", to);
		svg_number(to, "stroke-width", shape->line_width);
	}
	svg_end(to, shape, name);
}

static void
svg_text(FILE *to, const struct esv_shape *shape)
{
	static const char *const anchors[] = {
		[ESV_ANCHOR_LEFT] = "start",
		[ESV_ANCHOR_MIDDLE] = "middle",
		[ESV_ANCHOR_RIGHT] = "end",
	};

	fputs("<text", to);
	svg_number(to, "x", shape->x);
	svg_number(to, "y", shape->y);
	svg_number(to, "font-size", shape->text_size * 4.0 / 3.0);
	svg_colour(to, "fill", shape->role);
	if (shape->anchor != ESV_ANCHOR_LEFT)
		fprintf(to, " text-anchor=\"%s\"", anchors[shape->anchor]);
	if (shape->text_turned)
		fprintf(to, " transform=\"rotate(-90 %.7g %.7g)\"", shape->x,
		    shape->y);
	svg_thing(to, &shape->thing);
	putc('>', to);
	if (shape->tip != NULL) {
		fputs("<title>", to);
		es_html_write(to, shape->tip);
		fputs("</title>", to);
	}
	es_html_write(to, shape->text);
	fputs("</text>\n", to);
}

/* Few pixels: a rectangle for equal ones of a row. */
static void
svg_cells(FILE *to, const struct esv_shape *shape)
{
	double width = shape->width / shape->columns;
	double height = shape->height / shape->rows;
	uint32_t count = shape->columns * shape->rows, last;

	for (uint32_t first = 0; first < count; first = last) {
		uint32_t row = first / shape->columns;

		last = first + 1;
		while (last < (row + 1) * shape->columns &&
		    shape->pixels[last] == shape->pixels[first])
			last++;
		svg_rect(to,
		    &(struct esv_shape){ .role = shape->pixels[first],
			.x = shape->x + (first % shape->columns) * width,
			.y = shape->y + row * height,
			.width = (last - first) * width,
			.height = height });
	}
}

static void
bitmap_put(unsigned char *to, uint32_t number)
{
	for (int n = 0; n < 4; n++)
		to[n] = (unsigned char)(number >> 8 * n);
}

#define BITMAP_HEADERS 54u

/* Rows end at multiples of four bytes. */
static size_t
bitmap_stride(const struct esv_shape *shape)
{
	return ((size_t)shape->columns * 3 + 3) & ~(size_t)3;
}

/*
 * A Windows bitmap, 24 bits a pixel, rows from the top down: what every
 * browser reads and nothing must be linked for.
 */
static void
bitmap_fill(unsigned char *bytes, const struct esv_shape *shape,
    const struct esv_theme *theme)
{
	size_t stride = bitmap_stride(shape), size = stride * shape->rows;

	memcpy(bytes, "BM", 2);
	bitmap_put(bytes + 2, (uint32_t)(BITMAP_HEADERS + size));
	bitmap_put(bytes + 10, BITMAP_HEADERS);
	bitmap_put(bytes + 14, 40);
	bitmap_put(bytes + 18, shape->columns);
	bitmap_put(bytes + 22, -shape->rows);
	bytes[26] = 1;
	bytes[28] = 24;
	for (uint32_t row = 0; row < shape->rows; row++)
		for (uint32_t n = 0; n < shape->columns; n++) {
			unsigned char *at =
			    bytes + BITMAP_HEADERS + row * stride + n * 3;
			uint32_t colour =
			    theme->colours[shape->pixels[(size_t)row *
				    shape->columns +
				n]];

			at[0] = colour & 0xff;
			at[1] = colour >> 8 & 0xff;
			at[2] = colour >> 16 & 0xff;
		}
}

static void
svg_bitmap(FILE *to, const struct esv_shape *shape, const char *theme)
{
	size_t size = BITMAP_HEADERS + bitmap_stride(shape) * shape->rows;
	unsigned char *bytes = calloc(1, size);

	if (bytes == NULL)
		return;
	bitmap_fill(bytes, shape, esv_theme_find(theme));
	fprintf(to, "<image class=\"%s\" preserveAspectRatio=\"none\"", theme);
	svg_box(to, shape);
	fputs(" href=\"data:image/bmp;base64,", to);
	esv__report_base64(to, bytes, size);
	putc('"', to);
	svg_end(to, shape, "image");
	free(bytes);
}

static void
svg_image(FILE *to, const struct esv_shape *shape)
{
	if ((uint64_t)shape->columns * shape->rows <= FEW_PIXELS) {
		svg_cells(to, shape);
		return;
	}
	svg_bitmap(to, shape, "light");
	svg_bitmap(to, shape, "dark");
}

void
esv__report_figure(FILE *to, const struct esv_figure *figure)
{
	static void (*const write[])(FILE *, const struct esv_shape *) = {
		[ESV_SHAPE_RECT] = svg_rect,
		[ESV_SHAPE_LINE] = svg_points,
		[ESV_SHAPE_AREA] = svg_points,
		[ESV_SHAPE_TEXT] = svg_text,
		[ESV_SHAPE_IMAGE] = svg_image,
	};

	fprintf(to, "<svg viewBox=\"0 0 %.7g %.7g\" role=\"img\" aria-label=\"",
	    figure->width, figure->height);
	es_html_write(to, figure->title == NULL ? "" : figure->title);
	fputs("\">\n", to);
	for (size_t n = 0; n < figure->count; n++)
		write[figure->shapes[n].kind](to, &figure->shapes[n]);
	fputs("</svg>\n", to);
}
