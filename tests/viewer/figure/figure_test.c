/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/figure_test.c - figures keep what was drawn
 */

#include "tests/test.h"

#include "viewer/figure/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything a shape can be, on one figure. */
static void
draw_all(struct es_figure *figure)
{
	struct es_point points[] = { { 1.0, 2.0 }, { 3.125, 4.0 },
		{ 5.0, -0.001 } };
	uint16_t pixels[] = { ES_ROLE_GREY, ES_ROLE_GREY, ES_ROLE_HEAT + 255 };

	figure->title = es_figure_printf(figure, "all %d", 5);
	es_draw_rect(figure, ES_ROLE_SERIES + 2,
	    (struct es_box){ 1.0, 2.0, 3.0, 4.0 }, ES_THING(ES_THING_THREAD, 7),
	    "a \"tip\"\nof two lines");
	es_draw_line(figure, ES_ROLE_GRID, points[0], points[1], 1.5);
	es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_AREA,
		.role = ES_ROLE_ARROW,
		.points = points,
		.point_count = 3,
		.thing = { ES_THING_PAIR, 1, 2 } });
	es_draw_text(figure, ES_ROLE_TEXT, points[2], ES_ANCHOR_RIGHT, "text");
	es_figure_add(figure,
	    &(struct es_shape){ .kind = ES_SHAPE_IMAGE,
		.width = 30.0,
		.height = 10.0,
		.pixels = pixels,
		.columns = 3,
		.rows = 1 });
	/* What was given may change. */
	memset(points, 0, sizeof(points));
	memset(pixels, 0, sizeof(pixels));
}

static void
a_shape_is_a_line_of_text(void)
{
	struct es_figure figure;
	char *text;

	es_figure_init(&figure, 100.0, 50.5);
	draw_all(&figure);
	EXPECT_OK(figure.status);
	EXPECT_OK(es_figure_text(&figure, &text));
	EXPECT_STR_EQ("figure 100 50.5 \"all 5\"\n"
		      "rect 1 2 3 4 series2 of thread 7"
		      " \"a \\\"tip\\\"\\nof two lines\"\n"
		      "line grid 1.5wide 1 2 3.12 4\n"
		      "area arrow 1 2 3.12 4 5 0 of pair 1 2\n"
		      "text 5 0 right 9pt text \"text\"\n"
		      "image 0 0 30 10 3x1 grey0*2 heat255\n",
	    text);
	free(text);
	es_figure_fini(&figure);
}

static void
any_number_of_shapes_fits(void)
{
	struct es_figure figure;
	char tip[64];

	es_figure_init(&figure, 10.0, 10.0);
	for (int n = 0; n < 5000; n++) {
		snprintf(tip, sizeof(tip), "the tip of shape number %d", n);
		es_draw_rect(&figure, ES_ROLE_AXIS, (struct es_box){ 0 },
		    ES_NOTHING, tip);
	}
	EXPECT_OK(figure.status);
	EXPECT_EQ(5000, figure.count);
	EXPECT_STR_EQ("the tip of shape number 0", figure.shapes[0].tip);
	EXPECT_STR_EQ("the tip of shape number 4999", figure.shapes[4999].tip);
	es_figure_fini(&figure);
	EXPECT_EQ(0, figure.count);
}

static void
a_tip_that_is_too_long_ends_with_a_whole_character(void)
{
	for (size_t before = 250; before < 260; before++) {
		size_t fit = before + 3 < 256 ? before + 3 :
		    before < 255	      ? before :
						255;
		struct es_figure figure;
		struct es_hit hit;
		char tip[264] = "";

		memset(tip, 'x', before);
		strcpy(tip + before, "\u20ac");
		es_figure_init(&figure, 10.0, 10.0);
		es_draw_rect(&figure, ES_ROLE_AXIS,
		    (struct es_box){ 0.0, 0.0, 10.0, 10.0 }, ES_NOTHING, tip);
		EXPECT_TRUE(es_figure_at(&figure, 5.0, 5.0, &hit));
		tip[fit] = '\0';
		EXPECT_STR_EQ(tip, hit.tip);
		es_figure_fini(&figure);
	}
}

static void
a_text_that_is_longer_than_a_block_fits(void)
{
	struct es_figure figure;
	char *lines = calloc(1, 100001);

	EXPECT_TRUE(lines != NULL);
	memset(lines, 'x', 100000);
	es_figure_init(&figure, 10.0, 10.0);
	EXPECT_EQ(100000, strlen(es_figure_printf(&figure, "%s", lines)));
	EXPECT_STR_EQ("short", es_figure_printf(&figure, "%s", "short"));
	es_figure_fini(&figure);
	free(lines);
}

static void
a_text_without_room_is_cut_and_says_what_it_was(void)
{
	struct es_figure figure;

	es_figure_init(&figure, 10.0, 10.0);
	es_draw_text_within(&figure, ES_ROLE_TEXT,
	    (struct es_box){ 0.0, 0.0, 60.0, 10.0 }, ES_ANCHOR_LEFT,
	    "a name that is too long");
	es_draw_text_within(&figure, ES_ROLE_TEXT,
	    (struct es_box){ 0.0, 0.0, 60.0, 10.0 }, ES_ANCHOR_LEFT, "short");
	EXPECT_TRUE(strstr(figure.shapes[0].text, "\xe2\x80\xa6") != NULL);
	EXPECT_TRUE(
	    es_label_width(figure.shapes[0].text, ES_LABEL_POINTS) <= 60.0);
	EXPECT_STR_EQ("a name that is too long", figure.shapes[0].tip);
	EXPECT_STR_EQ("short", figure.shapes[1].text);
	EXPECT_TRUE(figure.shapes[1].tip == NULL);
	es_figure_fini(&figure);
}

/* The ground behind everything does not count. */
static void
a_figure_ends_below_what_is_on_it(void)
{
	struct es_figure figure;

	es_figure_init(&figure, 100.0, 100.0);
	es_draw_rect(&figure, ES_ROLE_GROUND,
	    (struct es_box){ 0.0, 0.0, 100.0, 100.0 }, ES_NOTHING, NULL);
	es_figure_trim(&figure);
	EXPECT_NEAR(100.0, figure.height, 0.0);
	es_draw_rect(&figure, ES_ROLE_SERIES,
	    (struct es_box){ 0.0, 10.0, 5.0, 20.0 }, ES_NOTHING, NULL);
	es_draw_line(&figure, ES_ROLE_AXIS, (struct es_point){ 0.0, 45.0 },
	    (struct es_point){ 9.0, 3.0 }, 1.0);
	es_figure_trim(&figure);
	EXPECT_NEAR(53.0, figure.height, 1e-9);
	es_figure_fini(&figure);
}

static void
bytes_that_are_no_text_are_question_marks(void)
{
	struct es_figure figure;
	struct es_shape shape = { .kind = ES_SHAPE_TEXT,
		.text = "a\xff\xc3\xa4\xed\xa0\x80\xf4\xe2\x82\xac\xc3" };

	es_figure_init(&figure, 10.0, 10.0);
	EXPECT_OK(es_figure_add(&figure, &shape));
	EXPECT_STR_EQ("a?\xc3\xa4????\xe2\x82\xac?", figure.shapes[0].text);
	es_figure_fini(&figure);
}

TEST_MAIN(a_shape_is_a_line_of_text, any_number_of_shapes_fits,
    a_tip_that_is_too_long_ends_with_a_whole_character,
    a_text_that_is_longer_than_a_block_fits,
    a_text_without_room_is_cut_and_says_what_it_was,
    a_figure_ends_below_what_is_on_it,
    bytes_that_are_no_text_are_question_marks)
