/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture_cairo.c - a figure as a file, drawn by cairo
 *
 * The file is made in memory, so that what goes wrong in writing it is known
 * as the system says it.  In pixels, edges lie between pixels and lines on
 * them: strips of a timeline are sharp, and no bar is so thin that it is gone.
 */

#include "viewer/figure/file.h"
#include "viewer/figure/picture.h"

#include "libpaths/log.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Above the figure: a title of that size in points. */
#define TITLE_HEIGHT 26.0
#define TITLE_POINTS 11.0

/* Cairo's limit of an image. */
#define MOST_PIXELS 32767.0

/* Images of fewer pixels are rectangles where there are no pixels. */
#define FEW_PIXELS 4096u

enum picture_kind { PICTURE_PNG, PICTURE_SVG, PICTURE_PDF, PICTURE_NONE };

struct picture {
	const struct esv_figure *figure;
	const struct esv_theme *theme;
	enum picture_kind kind;
	double width, height;
	cairo_t *cairo;
	unsigned char *bytes; /* of the file */
	size_t size, capacity;
};

static enum picture_kind
picture_kind(const char *file)
{
	static const char *const endings[] = { ".png", ".svg", ".pdf" };
	size_t length = strlen(file);

	for (unsigned kind = 0; kind < PICTURE_NONE; kind++)
		if (length > 4 && strcmp(file + length - 4, endings[kind]) == 0)
			return kind;
	return PICTURE_NONE;
}

paths_status
esv_picture_check(const char *file)
{
	if (picture_kind(file) != PICTURE_NONE)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "%s: a name that ends in .png, .svg or .pdf was expected", file);
}

/* Cairo gives the file in parts. */
static cairo_status_t
picture_take(void *to, const unsigned char *bytes, unsigned size)
{
	struct picture *picture = to;
	size_t need = picture->size + size;

	if (need > picture->capacity) {
		size_t capacity = need * 2;
		unsigned char *larger = realloc(picture->bytes, capacity);

		if (larger == NULL)
			return CAIRO_STATUS_NO_MEMORY;
		picture->bytes = larger;
		picture->capacity = capacity;
	}
	memcpy(picture->bytes + picture->size, bytes, size);
	picture->size = need;
	return CAIRO_STATUS_SUCCESS;
}

static void
picture_colour(const struct picture *picture, int role)
{
	uint32_t colour = picture->theme->colours[role];

	cairo_set_source_rgb(picture->cairo, (colour >> 16 & 0xff) / 255.0,
	    (colour >> 8 & 0xff) / 255.0, (colour & 0xff) / 255.0);
}

/* From `from` to `from` + `size` in pixels, at least one of them. */
static void
picture_snap(double *from, double *size)
{
	double first = rint(*from), end = rint(*from + *size);

	if (end <= first && *size > 0.0)
		end = first + 1.0;
	*from = first;
	*size = end - first;
}

/* The path of a rectangle, in the units of the surface. */
static void
picture_box(const struct picture *picture, struct esv_shape box)
{
	cairo_t *cairo = picture->cairo;

	if (picture->kind != PICTURE_PNG) {
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

/* Whether all of a line goes along the axes. */
static bool
picture_is_straight(const struct esv_shape *shape)
{
	for (uint32_t n = 1; n < shape->point_count; n++)
		if (shape->points[n].x != shape->points[n - 1].x &&
		    shape->points[n].y != shape->points[n - 1].y)
			return false;
	return true;
}

/* A point of a line that covers whole pixels. */
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
	bool snap = picture->kind == PICTURE_PNG &&
	    shape->kind == ESV_SHAPE_LINE && picture_is_straight(shape);

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
	/* A font that is wider than the estimate. */
	if (shape->width > 0.0 && extents.x_advance > shape->width)
		cairo_scale(cairo, shape->width / extents.x_advance, 1.0);
	/* The middle of a line is about a third above its base. */
	cairo_move_to(cairo, -before[shape->anchor] * extents.x_advance,
	    size * 0.36);
	picture_colour(picture, shape->role);
	cairo_show_text(cairo, shape->text);
	cairo_restore(cairo);
}

/* Its pixels as rectangles, equal ones of a row together. */
static void
picture_cells(const struct picture *picture, const struct esv_shape *shape)
{
	double width = shape->width / shape->columns;
	double height = shape->height / shape->rows;
	uint32_t last;

	for (uint32_t row = 0; row < shape->rows; row++) {
		const uint16_t *pixels =
		    shape->pixels + (size_t)row * shape->columns;

		for (uint32_t first = 0; first < shape->columns; first = last) {
			for (last = first + 1; last < shape->columns &&
			     pixels[last] == pixels[first];
			     last++)
				;
			picture_rect(picture,
			    &(struct esv_shape){ .role = pixels[first],
				.x = shape->x + first * width,
				.y = shape->y + row * height,
				.width = (last - first) * width,
				.height = height });
		}
	}
}

/* The pixels of an image in colours; NULL: out of memory. */
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
	if (picture->kind != PICTURE_PNG &&
	    (uint64_t)shape->columns * shape->rows <= FEW_PIXELS) {
		picture_cells(picture, shape);
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

static void
picture_title(const struct picture *picture)
{
	picture_text(picture,
	    &(struct esv_shape){ .kind = ESV_SHAPE_TEXT,
		.role = ESV_ROLE_TEXT,
		.x = 8.0,
		.y = TITLE_HEIGHT / 2.0 + 3.0,
		.width = picture->figure->width - 16.0,
		.text = picture->figure->title,
		.text_size = TITLE_POINTS });
	cairo_translate(picture->cairo, 0.0, TITLE_HEIGHT);
}

/* The same letters on every screen, and where there is none. */
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
picture_draw(struct picture *picture, double scale)
{
	const struct esv_figure *figure = picture->figure;
	cairo_t *cairo = picture->cairo;

	picture_font(cairo);
	picture_colour(picture, ESV_ROLE_GROUND);
	cairo_paint(cairo);
	cairo_scale(cairo, scale, scale);
	if (figure->title != NULL)
		picture_title(picture);
	cairo_rectangle(cairo, 0.0, 0.0, figure->width, figure->height);
	cairo_clip(cairo);
	for (size_t n = 0; n < figure->count; n++)
		picture_shape(picture, &figure->shapes[n]);
}

static cairo_surface_t *
picture_open(struct picture *picture)
{
	cairo_surface_t *surface;

	if (picture->kind == PICTURE_PNG)
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
		    (int)picture->width, (int)picture->height);
	if (picture->kind == PICTURE_SVG)
		return cairo_svg_surface_create_for_stream(picture_take,
		    picture, picture->width, picture->height);
	/* Points, of which three are four units. */
	surface = cairo_pdf_surface_create_for_stream(picture_take, picture,
	    picture->width * 0.75, picture->height * 0.75);
	if (picture->figure->title != NULL)
		cairo_pdf_surface_set_metadata(surface,
		    CAIRO_PDF_METADATA_TITLE, picture->figure->title);
	return surface;
}

/* The file in memory. */
static cairo_status_t
picture_make(struct picture *picture, double scale)
{
	cairo_surface_t *surface = picture_open(picture);
	cairo_status_t status;

	picture->cairo = cairo_create(surface);
	picture_draw(picture,
	    picture->kind == PICTURE_PDF ? scale * 0.75 : scale);
	status = cairo_status(picture->cairo);
	cairo_destroy(picture->cairo);
	if (status == CAIRO_STATUS_SUCCESS && picture->kind == PICTURE_PNG)
		status = cairo_surface_write_to_png_stream(surface,
		    picture_take, picture);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return status;
}

paths_status
esv_picture_write(const struct esv_figure *figure,
    const struct esv_theme *theme, double scale, const char *file)
{
	struct picture picture = { .figure = figure,
		.theme = theme,
		.kind = picture_kind(file),
		.width = ceil(figure->width * scale) };
	double title = figure->title == NULL ? 0.0 : TITLE_HEIGHT;
	paths_status st = esv_picture_check(file);
	cairo_status_t status;

	if (st != PATHS_OK)
		return st;
	picture.height = ceil((figure->height + title) * scale);
	if (!(picture.width >= 1.0 && picture.width <= MOST_PIXELS &&
		picture.height >= 1.0 && picture.height <= MOST_PIXELS))
		return paths_log_fail(PATHS_EINVAL,
		    "%g x %g pixels: a picture has 1 to 32767 either way",
		    picture.width, picture.height);
	status = picture_make(&picture, scale);
	if (status != CAIRO_STATUS_SUCCESS)
		st = paths_log_fail(PATHS_ENOMEM, "%s: %s", file,
		    cairo_status_to_string(status));
	else
		st = esv_file_write(file, picture.bytes, picture.size);
	free(picture.bytes);
	return st;
}
