/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/figure_test.c - figures, their texts and hits
 */

#include "tests/test.h"

#include "viewer/figure/draw.h"
#include "viewer/figure/figure_text.h"
#include "viewer/figure/hit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Draws a shape of each kind. */
static void
draw_all(struct esv_figure *figure)
{
	struct esv_point points[] = { { 1.0, 2.0 }, { 3.125, 4.0 },
		{ 5.0, -0.001 } };
	uint16_t pixels[] = { ESV_ROLE_GREY, ESV_ROLE_GREY,
		ESV_ROLE_HEAT + 255 };

	figure->title = esv_figure_printf(figure, "all %d", 5);
	esv_draw_rect(figure, ESV_ROLE_SERIES + 2,
	    (struct esv_box){ 1.0, 2.0, 3.0, 4.0 },
	    ESV_THING(ESV_THING_THREAD, 7), "a \"tip\"\nof two lines");
	esv_draw_line(figure, ESV_ROLE_GRID, points[0], points[1], 1.5);
	esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_AREA,
		.role = ESV_ROLE_ARROW,
		.points = points,
		.point_count = 3,
		.thing = { ESV_THING_PAIR, 1, 2 } });
	esv_draw_text(figure, ESV_ROLE_TEXT, points[2], ESV_ANCHOR_RIGHT,
	    "text");
	esv_figure_add(figure,
	    &(struct esv_shape){ .kind = ESV_SHAPE_IMAGE,
		.width = 30.0,
		.height = 10.0,
		.pixels = pixels,
		.columns = 3,
		.rows = 1 });
	/* The figure has copies. */
	memset(points, 0, sizeof(points));
	memset(pixels, 0, sizeof(pixels));
}

static void
a_shape_is_a_line_of_text(void)
{
	struct esv_figure figure;
	char *text;

	esv_figure_init(&figure, 100.0, 50.5);
	draw_all(&figure);
	EXPECT_OK(figure.status);
	EXPECT_OK(esv_figure_text(&figure, &text));
	EXPECT_STR_EQ("figure 100 50.5 \"all 5\"\n"
		      "rect 1 2 3 4 series2 of thread 7"
		      " \"a \\\"tip\\\"\\nof two lines\"\n"
		      "line grid 1.5wide 1 2 3.12 4\n"
		      "area arrow 1 2 3.12 4 5 0 of pair 1 2\n"
		      "text 5 0 right 9pt text \"text\"\n"
		      "image 0 0 30 10 3x1 grey0*2 heat255\n",
	    text);
	free(text);
	esv_figure_fini(&figure);
}

static void
any_number_of_shapes_fits(void)
{
	struct esv_figure figure;
	char tip[64];

	esv_figure_init(&figure, 10.0, 10.0);
	for (int n = 0; n < 5000; n++) {
		snprintf(tip, sizeof(tip), "the tip of shape number %d", n);
		esv_draw_rect(&figure, ESV_ROLE_AXIS, (struct esv_box){ 0 },
		    ESV_NOTHING, tip);
	}
	EXPECT_OK(figure.status);
	EXPECT_EQ(5000, figure.count);
	EXPECT_STR_EQ("the tip of shape number 0", figure.shapes[0].tip);
	EXPECT_STR_EQ("the tip of shape number 4999", figure.shapes[4999].tip);
	esv_figure_fini(&figure);
	EXPECT_EQ(0, figure.count);
}

static void
a_tip_that_is_too_long_ends_with_a_whole_character(void)
{
	for (size_t before = 250; before < 260; before++) {
		size_t fit = before + 3 < 256 ? before + 3 :
		    before < 255	      ? before :
						255;
		struct esv_figure figure;
		struct esv_hit hit;
		char tip[264] = "";

		memset(tip, 'x', before);
		strcpy(tip + before, "\u20ac");
		esv_figure_init(&figure, 10.0, 10.0);
		esv_draw_rect(&figure, ESV_ROLE_AXIS,
		    (struct esv_box){ 0.0, 0.0, 10.0, 10.0 }, ESV_NOTHING, tip);
		EXPECT_TRUE(esv_hit_find(&figure, 5.0, 5.0, &hit));
		tip[fit] = '\0';
		EXPECT_STR_EQ(tip, hit.tip);
		esv_figure_fini(&figure);
	}
}

static void
a_text_that_is_longer_than_a_block_fits(void)
{
	struct esv_figure figure;
	char *lines = calloc(1, 100001);

	EXPECT_TRUE(lines != NULL);
	memset(lines, 'x', 100000);
	esv_figure_init(&figure, 10.0, 10.0);
	EXPECT_EQ(100000, strlen(esv_figure_printf(&figure, "%s", lines)));
	EXPECT_STR_EQ("short", esv_figure_printf(&figure, "%s", "short"));
	esv_figure_fini(&figure);
	free(lines);
}

static void
a_text_without_room_is_cut_and_its_tip_is_whole(void)
{
	struct esv_figure figure;

	esv_figure_init(&figure, 10.0, 10.0);
	esv_draw_text_within(&figure, ESV_ROLE_TEXT,
	    (struct esv_box){ 0.0, 0.0, 60.0, 10.0 }, ESV_ANCHOR_LEFT,
	    "a name that is too long");
	esv_draw_text_within(&figure, ESV_ROLE_TEXT,
	    (struct esv_box){ 0.0, 0.0, 60.0, 10.0 }, ESV_ANCHOR_LEFT, "short");
	EXPECT_TRUE(strstr(figure.shapes[0].text, "\xe2\x80\xa6") != NULL);
	EXPECT_TRUE(
	    esv_label_width(figure.shapes[0].text, ESV_LABEL_POINTS) <= 60.0);
	EXPECT_STR_EQ("a name that is too long", figure.shapes[0].tip);
	EXPECT_STR_EQ("short", figure.shapes[1].text);
	EXPECT_TRUE(figure.shapes[1].tip == NULL);
	esv_figure_fini(&figure);
}

/* The ground covers the whole figure and does not count. */
static void
a_trimmed_figure_ends_below_its_shapes(void)
{
	struct esv_figure figure;

	esv_figure_init(&figure, 100.0, 100.0);
	esv_draw_rect(&figure, ESV_ROLE_GROUND,
	    (struct esv_box){ 0.0, 0.0, 100.0, 100.0 }, ESV_NOTHING, NULL);
	esv_figure_trim(&figure);
	EXPECT_NEAR(100.0, figure.height, 0.0);
	esv_draw_rect(&figure, ESV_ROLE_SERIES,
	    (struct esv_box){ 0.0, 10.0, 5.0, 20.0 }, ESV_NOTHING, NULL);
	esv_draw_line(&figure, ESV_ROLE_AXIS, (struct esv_point){ 0.0, 45.0 },
	    (struct esv_point){ 9.0, 3.0 }, 1.0);
	esv_figure_trim(&figure);
	EXPECT_NEAR(53.0, figure.height, 1e-9);
	esv_figure_fini(&figure);
}

static void
bytes_outside_utf_8_become_question_marks(void)
{
	struct esv_figure figure;
	struct esv_shape shape = { .kind = ESV_SHAPE_TEXT,
		.text = "a\xff\xc3\xa4\xed\xa0\x80\xf4\xe2\x82\xac\xc3" };

	esv_figure_init(&figure, 10.0, 10.0);
	EXPECT_OK(esv_figure_add(&figure, &shape));
	EXPECT_STR_EQ("a?\xc3\xa4????\xe2\x82\xac?", figure.shapes[0].text);
	esv_figure_fini(&figure);
}

TEST_MAIN(a_shape_is_a_line_of_text, any_number_of_shapes_fits,
    a_tip_that_is_too_long_ends_with_a_whole_character,
    a_text_that_is_longer_than_a_block_fits,
    a_text_without_room_is_cut_and_its_tip_is_whole,
    a_trimmed_figure_ends_below_its_shapes,
    bytes_outside_utf_8_become_question_marks)
