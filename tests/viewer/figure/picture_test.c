/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/picture_test.c - pictures hold what figures do
 */

#include "tests/test.h"

#include "viewer/figure/draw.h"
#include "viewer/figure/picture.h"

#include "libpaths/log.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef TEST_CAIRO
#include <cairo.h>

static char folder[256];

static void
begin(void)
{
	const char *top = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/picture.XXXXXX",
	    top != NULL && *top != '\0' ? top : "/tmp");
	EXPECT_TRUE(mkdtemp(folder) != NULL);
}

/* With all that is in it. */
static void
end(void)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	EXPECT_TRUE(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		(void)unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	EXPECT_EQ(0, rmdir(folder));
}

static const char *
name(const char *of)
{
	static char file[300];

	snprintf(file, sizeof(file), "%s/%s", folder, of);
	return file;
}

/* A pixel of a PNG, 0xRRGGBB. */
static uint32_t
pixel(const char *file, int x, int y)
{
	cairo_surface_t *surface = cairo_image_surface_create_from_png(file);
	const unsigned char *data = cairo_image_surface_get_data(surface);
	uint32_t colour;

	EXPECT_EQ(CAIRO_STATUS_SUCCESS, cairo_surface_status(surface));
	EXPECT_TRUE(x < cairo_image_surface_get_width(surface));
	EXPECT_TRUE(y < cairo_image_surface_get_height(surface));
	memcpy(&colour,
	    data + y * cairo_image_surface_get_stride(surface) + x * 4, 4);
	cairo_surface_destroy(surface);
	return colour & 0xffffff;
}

static const struct esv_theme *
light(void)
{
	return esv_theme_find("light");
}

/* A bar at a place that is no pixel's, and an image. */
static void
draw(struct esv_figure *figure)
{
	uint16_t pixels[] = { ESV_ROLE_WARNING, ESV_ROLE_MARK };

	esv_figure_init(figure, 40.0, 20.0);
	esv_draw_rect(figure, ESV_ROLE_SERIES,
	    (struct esv_box){ 2.3, 2.4, 0.2, 10.0 }, ESV_NOTHING, NULL);
	esv_draw_line(figure, ESV_ROLE_AXIS, (struct esv_point){ 20.0, 5.0 },
	    (struct esv_point){ 30.0, 5.0 }, 1.0);
	esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_IMAGE,
		.x = 10.0,
		.y = 10.0,
		.width = 8.0,
		.height = 4.0,
		.pixels = pixels,
		.columns = 2,
		.rows = 1 });
	EXPECT_OK(figure->status);
}

static void
pixels_are_those_of_the_theme(void)
{
	const struct esv_theme *themes[] = { light(), esv_theme_find("dark") };
	struct esv_figure figure;

	begin();
	draw(&figure);
	for (int n = 0; n < 2; n++) {
		const uint32_t *colours = themes[n]->colours;
		const char *file = name("a.png");

		EXPECT_OK(esv_picture_write(&figure, themes[n], 1.0, file));
		EXPECT_EQ(colours[ESV_ROLE_GROUND], pixel(file, 0, 0));
		EXPECT_EQ(colours[ESV_ROLE_SERIES], pixel(file, 2, 5));
		EXPECT_EQ(colours[ESV_ROLE_GROUND], pixel(file, 3, 5));
		EXPECT_EQ(colours[ESV_ROLE_AXIS], pixel(file, 25, 4));
		EXPECT_EQ(colours[ESV_ROLE_GROUND], pixel(file, 25, 5));
		EXPECT_EQ(colours[ESV_ROLE_WARNING], pixel(file, 13, 12));
		EXPECT_EQ(colours[ESV_ROLE_MARK], pixel(file, 14, 12));
	}
	esv_figure_fini(&figure);
	end();
}

static void
a_scale_makes_more_pixels(void)
{
	struct esv_figure figure;

	begin();
	draw(&figure);
	EXPECT_OK(esv_picture_write(&figure, light(), 3.0, name("b.png")));
	EXPECT_EQ(light()->colours[ESV_ROLE_MARK],
	    pixel(name("b.png"), 14 * 3, 12 * 3));
	EXPECT_EQ(light()->colours[ESV_ROLE_GROUND],
	    pixel(name("b.png"), 119, 59));
	esv_figure_fini(&figure);
	end();
}

/* The beginning of a file. */
static const char *
head(const char *file)
{
	static char bytes[256];
	FILE *from = fopen(file, "rb");
	size_t size;

	EXPECT_TRUE(from != NULL);
	size = fread(bytes, 1, sizeof(bytes) - 1, from);
	bytes[size] = '\0';
	fclose(from);
	return bytes;
}

static void
the_ending_of_the_name_says_what_it_is(void)
{
	struct esv_figure figure;

	begin();
	draw(&figure);
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("c.svg")));
	EXPECT_TRUE(strstr(head(name("c.svg")), "<svg") != NULL);
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("c.pdf")));
	EXPECT_TRUE(strncmp(head(name("c.pdf")), "%PDF", 4) == 0);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_picture_write(&figure, light(), 1.0, name("c.gif")));
	EXPECT_TRUE(strstr(paths_log_last(), ".svg") != NULL);
	EXPECT_TRUE(access(name("c.gif"), F_OK) != 0);
	EXPECT_EQ(PATHS_EINVAL, esv_picture_check(".png"));
	esv_figure_fini(&figure);
	end();
}

static void
what_cannot_be_written_is_told_and_gone(void)
{
	struct esv_figure figure;

	begin();
	draw(&figure);
	EXPECT_EQ(PATHS_EIO,
	    esv_picture_write(&figure, light(), 1.0, name("no/d.png")));
	if (access("/dev/full", W_OK) == 0) {
		EXPECT_OK(symlink("/dev/full", name("full.png")));
		EXPECT_EQ(PATHS_EIO,
		    esv_picture_write(&figure, light(), 1.0, name("full.png")));
		EXPECT_TRUE(strstr(paths_log_last(), "space") != NULL);
	}
	esv_figure_fini(&figure);
	end();
}

static void
a_picture_that_is_too_large_is_refused(void)
{
	struct esv_figure figure;

	begin();
	esv_figure_init(&figure, 40000.0, 20.0);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_picture_write(&figure, light(), 1.0, name("e.png")));
	esv_figure_init(&figure, 0.0, 20.0);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_picture_write(&figure, light(), 1.0, name("e.png")));
	end();
}

/* With a font system that has no fonts. */
static void
letters_need_no_fonts(void)
{
	struct esv_figure figure;
	FILE *config;

	begin();
	config = fopen(name("fonts.conf"), "w");
	EXPECT_TRUE(config != NULL);
	fputs("<?xml version=\"1.0\"?><fontconfig></fontconfig>\n", config);
	fclose(config);
	EXPECT_OK(setenv("FONTCONFIG_FILE", name("fonts.conf"), 1));
	esv_figure_init(&figure, 100.0, 20.0);
	figure.title = "a title";
	esv_draw_text(&figure, ESV_ROLE_TEXT, (struct esv_point){ 5.0, 10.0 },
	    ESV_ANCHOR_LEFT, "text");
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("f.png")));
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("f.svg")));
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("f.pdf")));
	esv_figure_fini(&figure);
	end();
}

#else

static void
without_cairo_it_says_so(void)
{
	struct esv_figure figure;

	esv_figure_init(&figure, 40.0, 20.0);
	EXPECT_EQ(PATHS_ENOENT, esv_picture_check("a.png"));
	EXPECT_EQ(PATHS_ENOENT,
	    esv_picture_write(&figure, esv_theme_find("light"), 1.0, "a.png"));
	EXPECT_TRUE(strstr(paths_log_last(), "cairo") != NULL);
}

#endif

#ifdef TEST_CAIRO
/* The fonts are looked for once, so their absence comes first. */
TEST_MAIN(letters_need_no_fonts, pixels_are_those_of_the_theme,
    a_scale_makes_more_pixels, the_ending_of_the_name_says_what_it_is,
    what_cannot_be_written_is_told_and_gone,
    a_picture_that_is_too_large_is_refused)
#else
TEST_MAIN(without_cairo_it_says_so)
#endif
