/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture_cairo.c - draws figures with cairo, as PNG and PDF
 *
 * In a PNG, edges of rectangles lie between pixels and lines cover whole
 * pixels: strips of a timeline are sharp, and the thinnest bar has a pixel.
 */

#include "viewer/figure/picture_cairo.h"

#include "viewer/figure/image.h"
#include "viewer/figure/label.h"
#include "viewer/figure/title.h"

#include "libpaths/log.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <stdbool.h>

/* Images of fewer pixels are rectangles in a PDF. */
#define FEW_PIXELS 4096u

struct picture {
	FILE *to;
	const struct esv_figure *figure;
	const struct esv_theme *theme;
	double scale;
	double width, height; /* in pixels, or in points of PDF */
	bool pixels;
	cairo_t *cairo;
};

/* Cairo passes the file in parts. */
static cairo_status_t
picture_put(void *to, const unsigned char *bytes, unsigned size)
{
	const struct picture *picture = to;

	return fwrite(bytes, 1, size, picture->to) == size ?
	    CAIRO_STATUS_SUCCESS :
	    CAIRO_STATUS_WRITE_ERROR;
}

static void
picture_colour(const struct picture *picture, int role)
{
	uint32_t colour = picture->theme->colours[role];

	cairo_set_source_rgb(picture->cairo, (colour >> 16 & 0xff) / 255.0,
	    (colour >> 8 & 0xff) / 255.0, (colour & 0xff) / 255.0);
}

/* Rounds an interval to whole pixels, to at least one. */
static void
picture_snap(double *from, double *size)
{
	double first = rint(*from), end = rint(*from + *size);

	if (end <= first && *size > 0.0)
		end = first + 1.0;
	*from = first;
	*size = end - first;
}

/* Makes a rectangle the current path. */
static void
picture_box(const struct picture *picture, struct esv_shape box)
{
	cairo_t *cairo = picture->cairo;

	if (!picture->pixels) {
		cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
		return;
	}
	cairo_user_to_device(cairo, &box.x, &box.y);
	cairo_user_to_device_distance(cairo, &box.width, &box.height);
	picture_snap(&box.x, &box.width);
	picture_snap(&box.y, &box.height);
	cairo_save(cairo);
	cairo_identity_matrix(cairo);
	cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
	cairo_restore(cairo);
}

static void
picture_rect(const struct picture *picture, const struct esv_shape *shape)
{
	picture_colour(picture, shape->role);
	picture_box(picture, *shape);
	cairo_fill(picture->cairo);
}

/* Returns true if every segment of a line is horizontal or vertical. */
static bool
picture_is_straight(const struct esv_shape *shape)
{
	for (uint32_t n = 1; n < shape->point_count; n++)
		if (shape->points[n].x != shape->points[n - 1].x &&
		    shape->points[n].y != shape->points[n - 1].y)
			return false;
	return true;
}

/* Adds a point to a line that covers whole pixels. */
static void
picture_line_to(const struct picture *picture, struct esv_point point, bool odd)
{
	double shift = odd ? 0.5 : 0.0;

	cairo_user_to_device(picture->cairo, &point.x, &point.y);
	point.x = rint(point.x - shift) + shift;
	point.y = rint(point.y - shift) + shift;
	cairo_device_to_user(picture->cairo, &point.x, &point.y);
	cairo_line_to(picture->cairo, point.x, point.y);
}

static void
picture_points(const struct picture *picture, const struct esv_shape *shape)
{
	double width = shape->line_width, none = 0.0;
	bool snap = picture->pixels && shape->kind == ESV_SHAPE_LINE &&
	    picture_is_straight(shape);

	cairo_user_to_device_distance(picture->cairo, &width, &none);
	cairo_new_path(picture->cairo);
	for (uint32_t n = 0; n < shape->point_count; n++) {
		if (snap)
			picture_line_to(picture, shape->points[n],
			    fmod(rint(width), 2.0) == 1.0);
		else
			cairo_line_to(picture->cairo, shape->points[n].x,
			    shape->points[n].y);
	}
}

static void
picture_line(const struct picture *picture, const struct esv_shape *shape)
{
	picture_colour(picture, shape->role);
	picture_points(picture, shape);
	cairo_set_line_width(picture->cairo, shape->line_width);
	cairo_stroke(picture->cairo);
}

static void
picture_area(const struct picture *picture, const struct esv_shape *shape)
{
	picture_colour(picture, shape->role);
	picture_points(picture, shape);
	cairo_close_path(picture->cairo);
	cairo_fill(picture->cairo);
}

static void
picture_text(const struct picture *picture, const struct esv_shape *shape)
{
	static const double before[] = {
		[ESV_ANCHOR_LEFT] = 0.0,
		[ESV_ANCHOR_MIDDLE] = 0.5,
		[ESV_ANCHOR_RIGHT] = 1.0,
	};
	cairo_t *cairo = picture->cairo;
	double size = shape->text_size * 4.0 / 3.0;
	cairo_text_extents_t extents;

	cairo_set_font_size(cairo, size);
	cairo_text_extents(cairo, shape->text, &extents);
	cairo_save(cairo);
	cairo_translate(cairo, shape->x, shape->y);
	if (shape->text_turned)
		cairo_rotate(cairo, -M_PI / 2.0);
	/* The font may be wider than the estimate of esv_label_width. */
	if (shape->width > 0.0 && extents.x_advance > shape->width)
		cairo_scale(cairo, shape->width / extents.x_advance, 1.0);
	cairo_move_to(cairo, -before[shape->anchor] * extents.x_advance,
	    ESV_LABEL_BASE(shape->text_size));
	picture_colour(picture, shape->role);
	cairo_show_text(cairo, shape->text);
	cairo_restore(cairo);
}

static void
picture_image_rect(const void *to, const struct esv_shape *rect)
{
	picture_rect(to, rect);
}

/* Returns a surface with the pixels of an image; it may be in an error
   state. */
static cairo_surface_t *
picture_surface(const struct picture *picture, const struct esv_shape *shape)
{
	cairo_surface_t *surface =
	    cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)shape->columns,
		(int)shape->rows);
	unsigned char *data = cairo_image_surface_get_data(surface);
	int stride = cairo_image_surface_get_stride(surface);

	if (data == NULL)
		return surface;
	cairo_surface_flush(surface);
	for (uint32_t row = 0; row < shape->rows; row++) {
		uint32_t *line =
		    (uint32_t *)(void *)(data + row * (size_t)stride);
		const uint16_t *pixels =
		    shape->pixels + (size_t)row * shape->columns;

		for (uint32_t n = 0; n < shape->columns; n++)
			line[n] = picture->theme->colours[pixels[n]];
	}
	cairo_surface_mark_dirty(surface);
	return surface;
}

static void
picture_image(const struct picture *picture, const struct esv_shape *shape)
{
	cairo_t *cairo = picture->cairo;
	cairo_surface_t *surface;

	if (shape->columns == 0 || shape->rows == 0)
		return;
	if (!picture->pixels &&
	    (uint64_t)shape->columns * shape->rows <= FEW_PIXELS) {
		esv_image_rects(shape, picture_image_rect, picture);
		return;
	}
	surface = picture_surface(picture, shape);
	cairo_save(cairo);
	picture_box(picture, *shape);
	cairo_clip(cairo);
	cairo_translate(cairo, shape->x, shape->y);
	cairo_scale(cairo, shape->width / shape->columns,
	    shape->height / shape->rows);
	cairo_set_source_surface(cairo, surface, 0.0, 0.0);
	cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
	cairo_paint(cairo);
	cairo_restore(cairo);
	cairo_surface_destroy(surface);
}

static void
picture_shape(const struct picture *picture, const struct esv_shape *shape)
{
	static void (*const draw[])(const struct picture *,
	    const struct esv_shape *) = {
		[ESV_SHAPE_RECT] = picture_rect,
		[ESV_SHAPE_LINE] = picture_line,
		[ESV_SHAPE_AREA] = picture_area,
		[ESV_SHAPE_TEXT] = picture_text,
		[ESV_SHAPE_IMAGE] = picture_image,
	};

	draw[shape->kind](picture, shape);
}

/* Makes letters independent of the display and its settings. */
static void
picture_font(cairo_t *cairo)
{
	cairo_font_options_t *options = cairo_font_options_create();

	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(cairo, options);
	cairo_font_options_destroy(options);
	cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
	    CAIRO_FONT_WEIGHT_NORMAL);
}

static void
picture_draw(const struct picture *picture)
{
	const struct esv_figure *figure = picture->figure;
	cairo_t *cairo = picture->cairo;
	struct esv_shape title = esv_title_shape(figure);

	picture_font(cairo);
	picture_colour(picture, ESV_ROLE_GROUND);
	cairo_paint(cairo);
	cairo_scale(cairo, picture->scale, picture->scale);
	cairo_translate(cairo, 0.0, esv_title_height(figure));
	if (figure->title != NULL)
		picture_text(picture, &title);
	cairo_rectangle(cairo, 0.0, 0.0, figure->width, figure->height);
	cairo_clip(cairo);
	for (size_t n = 0; n < figure->count; n++)
		picture_shape(picture, &figure->shapes[n]);
}

static cairo_surface_t *
picture_open(struct picture *picture)
{
	cairo_surface_t *surface;

	if (picture->pixels)
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
		    (int)picture->width, (int)picture->height);
	surface = cairo_pdf_surface_create_for_stream(picture_put, picture,
	    picture->width, picture->height);
	if (picture->figure->title != NULL)
		cairo_pdf_surface_set_metadata(surface,
		    CAIRO_PDF_METADATA_TITLE, picture->figure->title);
	return surface;
}

static paths_status
picture_make(struct picture *picture)
{
	cairo_surface_t *surface = picture_open(picture);
	cairo_status_t status;

	picture->cairo = cairo_create(surface);
	picture_draw(picture);
	status = cairo_status(picture->cairo);
	cairo_destroy(picture->cairo);
	if (status == CAIRO_STATUS_SUCCESS && picture->pixels)
		status = cairo_surface_write_to_png_stream(surface, picture_put,
		    picture);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return status == CAIRO_STATUS_SUCCESS ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "a picture: %s",
		cairo_status_to_string(status));
}

paths_status
esv_picture_cairo_png(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale)
{
	struct picture picture = { .to = to,
		.figure = figure,
		.theme = theme,
		.scale = scale,
		.width = ceil(figure->width * scale),
		.height =
		    ceil((figure->height + esv_title_height(figure)) * scale),
		.pixels = true };

	return picture_make(&picture);
}

paths_status
esv_picture_cairo_pdf(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale)
{
	/* Three points are four units. */
	double points = scale * 0.75;
	struct picture picture = { .to = to,
		.figure = figure,
		.theme = theme,
		.scale = points,
		.width = figure->width * points,
		.height =
		    (figure->height + esv_title_height(figure)) * points };

	return picture_make(&picture);
}
