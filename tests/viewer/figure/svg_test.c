/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/svg_test.c - figures as SVG
 */

#include "tests/test.h"

#include "viewer/figure/draw.h"
#include "viewer/figure/svg.h"

#include <stdlib.h>
#include <string.h>

static void
draw_shapes(struct esv_figure *figure)
{
	struct esv_point points[] = { { 1.0, 2.0 }, { 3.456, 4.0 },
		{ 5.0, 6.0 } };
	struct esv_shape area = { .kind = ESV_SHAPE_AREA,
		.role = ESV_ROLE_ARROW,
		.points = points,
		.point_count = 3,
		.thing = { ESV_THING_PAIR, 1, 2 } };

	esv_figure_init(figure, 100.0, 50.0);
	esv_draw_rect(figure, ESV_ROLE_SERIES + 2,
	    (struct esv_box){ 1.0, 2.0, 3.0, 4.0 },
	    ESV_THING(ESV_THING_THREAD, 7), "a < \"b\"");
	esv_draw_line(figure, ESV_ROLE_GRID, points[0], points[1], 1.5);
	EXPECT_OK(esv_figure_add(figure, &area));
	esv_draw_text(figure, ESV_ROLE_TEXT, points[2], ESV_ANCHOR_RIGHT,
	    "x & y");
}

/* Returns a figure as an SVG file, or as an element of a page if theme is NULL,
   and frees the figure. */
static char *
svg_of(struct esv_figure *figure, const char *theme)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	EXPECT_TRUE(to != NULL);
	if (theme == NULL)
		esv_svg_element(to, figure);
	else
		EXPECT_OK(esv_svg_file(to, figure, esv_theme_find(theme), 2.0));
	EXPECT_EQ(0, fclose(to));
	esv_figure_fini(figure);
	return text;
}

static void
colours_in_a_page_are_its_variables(void)
{
	struct esv_figure figure;
	char *text;

	draw_shapes(&figure);
	text = svg_of(&figure, NULL);
	EXPECT_STR_EQ(
	    "<svg viewBox=\"0 0 100 50\" role=\"img\" aria-label=\"\">\n"
	    "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\""
	    " fill=\"var(--series2)\" data-thing=\"3-7\">"
	    "<title>a &#60; &#34;b&#34;</title></rect>\n"
	    "<polyline points=\"1,2 3.46,4\" stroke=\"var(--grid)\""
	    " fill=\"none\" stroke-width=\"1.5\"/>\n"
	    "<polygon points=\"1,2 3.46,4 5,6\" fill=\"var(--arrow)\""
	    " data-thing=\"12-1-2\"/>\n"
	    "<text x=\"5\" y=\"10.32\" font-size=\"12\" fill=\"var(--text)\""
	    " text-anchor=\"end\">x &#38; y</text>\n"
	    "</svg>\n",
	    text);
	free(text);
}

static void
a_file_has_the_colours_of_its_theme(void)
{
	struct esv_figure figure;
	char *text;

	draw_shapes(&figure);
	text = svg_of(&figure, "dark");
	EXPECT_TRUE(strstr(text, " fill=\"#141414\"/>\n<rect ") != NULL);
	EXPECT_TRUE(strstr(text, " stroke=\"#404040\"") != NULL);
	EXPECT_TRUE(strstr(text, "var(") == NULL);
	free(text);
}

static void
a_file_has_the_title_above_the_figure(void)
{
	struct esv_figure figure;
	char *text;

	draw_shapes(&figure);
	figure.title = esv_figure_printf(&figure, "a title");
	text = svg_of(&figure, "light");
	EXPECT_TRUE(strstr(text,
			" width=\"200\" height=\"152\""
			" viewBox=\"0 -26 100 76\"") != NULL);
	EXPECT_TRUE(strstr(text, ">a title</text>") != NULL);
	free(text);
	draw_shapes(&figure);
	text = svg_of(&figure, "light");
	EXPECT_TRUE(strstr(text, " viewBox=\"0 0 100 50\"") != NULL);
	free(text);
}

static void
an_image_is_a_rectangle_for_each_run_of_equal_pixels(void)
{
	const uint16_t pixels[] = { ESV_ROLE_GREY, ESV_ROLE_GREY, ESV_ROLE_MARK,
		ESV_ROLE_MARK, ESV_ROLE_GREY, ESV_ROLE_GREY };
	struct esv_shape image = { .kind = ESV_SHAPE_IMAGE,
		.x = 10.0,
		.y = 5.0,
		.width = 30.0,
		.height = 8.0,
		.pixels = pixels,
		.columns = 3,
		.rows = 2 };
	struct esv_figure figure;
	char *text;

	esv_figure_init(&figure, 100.0, 50.0);
	EXPECT_OK(esv_figure_add(&figure, &image));
	text = svg_of(&figure, NULL);
	EXPECT_STR_EQ("<g shape-rendering=\"crispEdges\">\n"
		      "<rect x=\"10\" y=\"5\" width=\"20\" height=\"4\""
		      " fill=\"var(--grey0)\"/>\n"
		      "<rect x=\"30\" y=\"5\" width=\"10\" height=\"4\""
		      " fill=\"var(--mark)\"/>\n"
		      "<rect x=\"10\" y=\"9\" width=\"10\" height=\"4\""
		      " fill=\"var(--mark)\"/>\n"
		      "<rect x=\"20\" y=\"9\" width=\"20\" height=\"4\""
		      " fill=\"var(--grey0)\"/>\n"
		      "</g>\n</svg>\n",
	    strchr(text, '\n') + 1);
	free(text);
}

/* 1.004 + 0.004 is written as 1 + 0.01, and the next one begins at 1.01. */
static void
rectangles_side_by_side_have_no_gap(void)
{
	struct esv_figure figure;
	char *text;

	esv_figure_init(&figure, 100.0, 50.0);
	esv_draw_rect(&figure, ESV_ROLE_MARK,
	    (struct esv_box){ 1.004, 0.0, 0.004, 1.0 }, ESV_NOTHING, NULL);
	esv_draw_rect(&figure, ESV_ROLE_MARK,
	    (struct esv_box){ 1.008, 0.0, 1.0, 1.0 }, ESV_NOTHING, NULL);
	text = svg_of(&figure, NULL);
	EXPECT_TRUE(strstr(text, "x=\"1\" y=\"0\" width=\"0.01\"") != NULL);
	EXPECT_TRUE(strstr(text, "x=\"1.01\"") != NULL);
	free(text);
}

static void
a_turned_text_is_turned_around_its_place(void)
{
	struct esv_shape turned = { .kind = ESV_SHAPE_TEXT,
		.role = ESV_ROLE_TEXT,
		.x = 20.0,
		.y = 30.0,
		.text = "up",
		.text_size = 9.0,
		.text_turned = 1 };
	struct esv_figure figure;
	char *text;

	esv_figure_init(&figure, 100.0, 50.0);
	EXPECT_OK(esv_figure_add(&figure, &turned));
	text = svg_of(&figure, NULL);
	EXPECT_TRUE(strstr(text,
			"<text x=\"20\" y=\"34.32\" font-size=\"12\""
			" fill=\"var(--text)\""
			" transform=\"rotate(-90 20 30)\">up<") != NULL);
	free(text);
}

TEST_MAIN(colours_in_a_page_are_its_variables,
    a_file_has_the_colours_of_its_theme, a_file_has_the_title_above_the_figure,
    an_image_is_a_rectangle_for_each_run_of_equal_pixels,
    rectangles_side_by_side_have_no_gap,
    a_turned_text_is_turned_around_its_place)
