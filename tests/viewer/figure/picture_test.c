/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/picture_test.c - files of figures
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
#endif

static char folder[256];

static void
begin(void)
{
	const char *top = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/picture.XXXXXX",
	    top != NULL && *top != '\0' ? top : "/tmp");
	EXPECT_TRUE(mkdtemp(folder) != NULL);
}

/* Removes the folder with its files. */
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

static const struct esv_theme *
light(void)
{
	return esv_theme_find("light");
}

/* Draws a bar between two pixels, a line and an image. */
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

/* Returns the first bytes of a file. */
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
the_ending_of_the_name_selects_the_format(void)
{
	struct esv_figure figure;

	begin();
	draw(&figure);
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("c.svg")));
	EXPECT_TRUE(strncmp(head(name("c.svg")), "<?xml", 5) == 0);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_picture_write(&figure, light(), 1.0, name("c.gif")));
	EXPECT_TRUE(strstr(paths_log_last(), ".svg") != NULL);
	EXPECT_TRUE(access(name("c.gif"), F_OK) != 0);
	EXPECT_EQ(PATHS_EINVAL, esv_picture_check(".png"));
#ifdef TEST_CAIRO
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("c.png")));
	EXPECT_TRUE(strncmp(head(name("c.png")), "\x89PNG", 4) == 0);
	EXPECT_OK(esv_picture_write(&figure, light(), 1.0, name("c.pdf")));
	EXPECT_TRUE(strncmp(head(name("c.pdf")), "%PDF", 4) == 0);
#endif
	esv_figure_fini(&figure);
	end();
}

static void
an_error_of_writing_is_reported_and_leaves_no_file(void)
{
	struct esv_figure figure;

	begin();
	draw(&figure);
	EXPECT_EQ(PATHS_EIO,
	    esv_picture_write(&figure, light(), 1.0, name("no/d.svg")));
	if (access("/dev/full", W_OK) == 0) {
		EXPECT_OK(symlink("/dev/full", name("full.svg")));
		EXPECT_EQ(PATHS_EIO,
		    esv_picture_write(&figure, light(), 1.0, name("full.svg")));
		EXPECT_TRUE(strstr(paths_log_last(), "space") != NULL);
	}
	esv_figure_fini(&figure);
	end();
}

static void
an_empty_or_too_large_picture_is_refused(void)
{
	struct esv_figure figure;

	begin();
	esv_figure_init(&figure, 40000.0, 20.0);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_picture_write(&figure, light(), 1.0, name("e.svg")));
	esv_figure_init(&figure, 0.0, 20.0);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_picture_write(&figure, light(), 1.0, name("e.svg")));
	end();
}

#ifdef TEST_CAIRO
/* Returns a pixel of a PNG as 0xRRGGBB. */
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

/* Hides the fonts of the system. */
static void
a_system_without_fonts_makes_all_pictures(void)
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

/* The case without fonts is first, because fonts are looked up only once. */
TEST_MAIN(a_system_without_fonts_makes_all_pictures,
    the_ending_of_the_name_selects_the_format,
    an_error_of_writing_is_reported_and_leaves_no_file,
    an_empty_or_too_large_picture_is_refused, pixels_are_those_of_the_theme,
    a_scale_makes_more_pixels)

#else

static void
a_build_without_cairo_refuses_png_and_pdf(void)
{
	struct esv_figure figure;

	begin();
	draw(&figure);
	EXPECT_OK(esv_picture_check("a.svg"));
	EXPECT_EQ(PATHS_ENOENT, esv_picture_check("a.pdf"));
	EXPECT_EQ(PATHS_ENOENT,
	    esv_picture_write(&figure, light(), 1.0, name("a.png")));
	EXPECT_TRUE(strstr(paths_log_last(), "cairo") != NULL);
	EXPECT_TRUE(access(name("a.png"), F_OK) != 0);
	esv_figure_fini(&figure);
	end();
}

TEST_MAIN(the_ending_of_the_name_selects_the_format,
    an_error_of_writing_is_reported_and_leaves_no_file,
    an_empty_or_too_large_picture_is_refused,
    a_build_without_cairo_refuses_png_and_pdf)

#endif
