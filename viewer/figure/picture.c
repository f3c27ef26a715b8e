/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/picture.c - files of figures: PNG, SVG or PDF
 *
 * A picture is made in memory and written at once, so that a write error is
 * reported with the reason of the system.
 */

#include "viewer/figure/picture.h"

#include "viewer/figure/file.h"
#include "viewer/figure/picture_cairo.h"
#include "viewer/figure/svg.h"
#include "viewer/figure/title.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cairo's limit of an image. */
#define MOST_PIXELS 32767.0

typedef paths_status picture_writer(FILE *to, const struct esv_figure *figure,
    const struct esv_theme *theme, double scale);

#ifdef ESV_CAIRO
#define PICTURE_PNG esv_picture_cairo_png
#define PICTURE_PDF esv_picture_cairo_pdf
#else
#define PICTURE_PNG NULL
#define PICTURE_PDF NULL
#endif

static paths_status
picture_find(const char *file, picture_writer **writer)
{
	static const struct {
		const char *ending;
		picture_writer *writer;
	} kinds[] = { { ".png", PICTURE_PNG }, { ".svg", esv_svg_file },
		{ ".pdf", PICTURE_PDF } };
	size_t length = strlen(file);

	for (size_t n = 0; n < sizeof(kinds) / sizeof(*kinds); n++) {
		if (length <= 4 ||
		    strcmp(file + length - 4, kinds[n].ending) != 0)
			continue;
		*writer = kinds[n].writer;
		if (*writer != NULL)
			return PATHS_OK;
		return paths_log_fail(PATHS_ENOENT,
		    "%s: built without cairo, which draws PNG and PDF;"
		    " .svg and --report work",
		    file);
	}
	return paths_log_fail(PATHS_EINVAL,
	    "%s: a name that ends in .png, .svg or .pdf was expected", file);
}

paths_status
esv_picture_check(const char *file)
{
	picture_writer *writer;

	return picture_find(file, &writer);
}

static paths_status
picture_check_size(const struct esv_figure *figure, double scale)
{
	double width = ceil(figure->width * scale);
	double height =
	    ceil((figure->height + esv_title_height(figure)) * scale);

	if (width >= 1.0 && width <= MOST_PIXELS && height >= 1.0 &&
	    height <= MOST_PIXELS)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "%g x %g pixels: a picture has 1 to 32767 either way", width,
	    height);
}

paths_status
esv_picture_write(const struct esv_figure *figure,
    const struct esv_theme *theme, double scale, const char *file)
{
	picture_writer *writer;
	char *bytes = NULL;
	size_t size = 0;
	FILE *to;
	paths_status st = picture_find(file, &writer);

	if (st == PATHS_OK)
		st = picture_check_size(figure, scale);
	if (st != PATHS_OK)
		return st;
	to = open_memstream(&bytes, &size);
	if (to == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s", file);
	st = writer(to, figure, theme, scale);
	if (ferror(to) && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "%s", file);
	if (fclose(to) != 0 && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "%s", file);
	if (st == PATHS_OK)
		st = esv_file_write(file, bytes, size);
	free(bytes);
	return st;
}
