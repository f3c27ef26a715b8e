/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/figure/plot_test.c - axes, ticks and legends
 */

#include "tests/test.h"

#include "viewer/figure/legend.h"
#include "viewer/figure/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the labels of an axis, separated by commas. */
static const char *
ticks(enum paths_unit unit, double from, double to, uint32_t most)
{
	static char all[512];
	struct esv_axis axis = { .unit = unit, .from = from, .to = to };
	struct esv_ticks made;

	esv_axis_ticks(&axis, most, &made);
	all[0] = '\0';
	for (uint32_t n = 0; n < made.count; n++) {
		strcat(all, n == 0 ? "" : ",");
		strcat(all, made.text[n]);
	}
	return all;
}

static void
ticks_are_round_and_differ(void)
{
	EXPECT_STR_EQ("0,1 s,2 s,3 s", ticks(PATHS_UNIT_TIME, 0.0, 3.7e9, 4));
	EXPECT_STR_EQ("0,0.5 ms,1.0 ms", ticks(PATHS_UNIT_TIME, 0.0, 1.2e6, 3));
	EXPECT_STR_EQ("1.234500 s,1.234501 s,1.234502 s",
	    ticks(PATHS_UNIT_TIME, 1.2345e9, 1.2345021e9, 4));
	EXPECT_STR_EQ("0,20 %,40 %", ticks(PATHS_UNIT_SHARE, 0.0, 0.5, 3));
	EXPECT_STR_EQ("0,4 KiB,8 KiB", ticks(PATHS_UNIT_BYTES, 0.0, 9000.0, 3));
	EXPECT_STR_EQ("-2,0,2", ticks(PATHS_UNIT_PLAIN, -3.0, 3.0, 4));
}

static void
ticks_of_counts_are_whole(void)
{
	EXPECT_STR_EQ("0,1,2", ticks(PATHS_UNIT_COUNT, 0.0, 2.0, 10));
}

static void
there_are_at_most_as_many_ticks_as_asked_for(void)
{
	struct esv_ticks made;

	for (double to = 1.0; to < 1e13; to *= 1.7)
		for (uint32_t most = 1; most < 30; most++) {
			struct esv_axis axis = { .unit = PATHS_UNIT_TIME,
				.from = to / 3.0,
				.to = to };

			esv_axis_ticks(&axis, most, &made);
			EXPECT_TRUE(made.count <= most);
			EXPECT_TRUE(made.count <= ESV_TICKS);
		}
}

static void
an_empty_axis_has_no_ticks(void)
{
	EXPECT_STR_EQ("", ticks(PATHS_UNIT_TIME, 5.0, 5.0, 5));
	EXPECT_STR_EQ("", ticks(PATHS_UNIT_TIME, 0.0, NAN, 5));
	EXPECT_STR_EQ("", ticks(PATHS_UNIT_TIME, 0.0, INFINITY, 5));
	EXPECT_STR_EQ("", ticks(PATHS_UNIT_TIME, 0.0, 1.0, 0));
}

static void
ticks_of_a_logarithmic_axis_are_powers(void)
{
	struct esv_axis axis = { .unit = PATHS_UNIT_BYTES,
		.from = 1.0,
		.to = 4096.0,
		.logarithmic = true,
		.start = 0.0,
		.end = 120.0 };
	struct esv_ticks made;

	esv_axis_ticks(&axis, 4, &made);
	EXPECT_EQ(4, made.count);
	EXPECT_STR_EQ("16 B", made.text[1]);
	EXPECT_STR_EQ("256 B", made.text[2]);
	EXPECT_NEAR(60.0, esv_axis_at(&axis, 64.0), 1e-9);
	EXPECT_NEAR(0.0, esv_axis_at(&axis, 0.0), 1e-9);
}

static const char *const names[] = { "first", "second", "a name that is long" };

static void
names_lie_in_bands_from_the_top(void)
{
	struct esv_figure figure;
	struct esv_plot plot = { .figure = &figure,
		.x = { .unit = PATHS_UNIT_TIME, .to = 2.7e6, .round = true },
		.y = { .names = names, .count = 3 } };

	esv_figure_init(&figure, 400.0, 200.0);
	esv_plot_axes(&plot, esv_plot_page(&figure));
	EXPECT_OK(figure.status);
	EXPECT_NEAR(plot.area.y, esv_axis_at(&plot.y, 0.0), 1e-9);
	EXPECT_NEAR(plot.area.y + plot.area.height, esv_axis_at(&plot.y, 3.0),
	    1e-9);
	EXPECT_NEAR(3e6, plot.x.to, 1.0);
	EXPECT_TRUE(plot.area.x + plot.area.width <= 400.0);
	esv_figure_fini(&figure);
}

/* Counts the texts that reach beyond the figure. */
static int
texts_outside(const struct esv_figure *figure)
{
	int outside = 0;

	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];
		double width, left;

		if (s->kind != ESV_SHAPE_TEXT || s->text_turned)
			continue;
		width = esv_label_width(s->text, s->text_size);
		left = s->x - width * (double)s->anchor / 2.0;
		outside += left < 0.0 || left + width > figure->width + 0.5 ||
		    s->y < 0.0 || s->y > figure->height;
	}
	return outside;
}

static void
texts_stay_on_the_figure_at_any_size(void)
{
	struct esv_legend_entry entries[] = { { .role = ESV_ROLE_SERIES,
						  .text = "communication" },
		{ .role = ESV_ROLE_SERIES + 1, .text = "computation" } };
	struct esv_axis heat = { .unit = PATHS_UNIT_TIME,
		.to = 1e9,
		.label = "t" };

	for (double width = 220.0; width < 1000.0; width += 130.0) {
		struct esv_figure figure;
		struct esv_plot plot = { .figure = &figure,
			.x = { .unit = PATHS_UNIT_TIME,
			    .to = 2.7e6,
			    .label = "x" },
			.y = { .names = names, .count = 3, .label = "y" } };
		struct esv_box box;

		esv_figure_init(&figure, width, width / 2.0);
		box = esv_plot_page(&figure);
		esv_legend_draw(&figure, &box, entries, 2);
		esv_legend_heat(&figure, &box, &heat);
		esv_plot_axes(&plot, box);
		EXPECT_EQ(0, texts_outside(&figure));
		esv_figure_fini(&figure);
	}
}

static void
too_many_names_are_drawn_in_part(void)
{
	struct esv_figure figure;
	const char *many[400];
	struct esv_plot plot = { .figure = &figure,
		.x = { .unit = PATHS_UNIT_COUNT, .to = 10.0 },
		.y = { .names = many, .count = 400 } };
	int texts = 0;

	for (int n = 0; n < 400; n++)
		many[n] = "thread";
	esv_figure_init(&figure, 400.0, 200.0);
	esv_plot_axes(&plot, esv_plot_page(&figure));
	for (size_t n = 0; n < figure.count; n++)
		texts += figure.shapes[n].kind == ESV_SHAPE_TEXT &&
		    strcmp(figure.shapes[n].text, "thread") == 0;
	EXPECT_TRUE(texts > 3 && texts < 20);
	esv_figure_fini(&figure);
}

/* The rows of two processes have names, and some of 98 threads between. */
static void
names_of_a_tree_begin_with_the_least_deep(void)
{
	struct esv_figure figure;
	const char *many[100];
	struct esv_plot plot = { .figure = &figure,
		.x = { .unit = PATHS_UNIT_COUNT, .to = 10.0 },
		.y = { .names = many, .count = 100, .tree = true } };
	int processes = 0, threads = 0;
	double last = -INFINITY, nearest = INFINITY;

	for (int n = 0; n < 100; n++)
		many[n] = n == 33 || n == 70 ? "process" : "  thread";
	esv_figure_init(&figure, 400.0, 400.0);
	esv_plot_axes(&plot, esv_plot_page(&figure));
	for (size_t n = 0; n < figure.count; n++) {
		const struct esv_shape *s = &figure.shapes[n];

		if (s->kind != ESV_SHAPE_TEXT ||
		    strpbrk(s->text, "0123456789") != NULL)
			continue;
		processes += strcmp(s->text, "process") == 0;
		threads += strcmp(s->text, "  thread") == 0;
		nearest = fmin(nearest, s->y - last);
		last = s->y;
	}
	EXPECT_EQ(2, processes);
	EXPECT_TRUE(threads > 10);
	EXPECT_TRUE(nearest > 10.0);
	esv_figure_fini(&figure);
}

static void
heat_rises_with_the_value(void)
{
	EXPECT_EQ(ESV_ROLE_HEAT, esv_draw_heat(-1.0, 0.0, 10.0));
	EXPECT_EQ(ESV_ROLE_HEAT, esv_draw_heat(NAN, 0.0, 10.0));
	EXPECT_EQ(ESV_ROLE_HEAT + 128, esv_draw_heat(5.0, 0.0, 10.0));
	EXPECT_EQ(ESV_ROLE_HEAT + 255, esv_draw_heat(11.0, 0.0, 10.0));
	EXPECT_EQ(ESV_ROLE_HEAT, esv_draw_heat(1.0, 1.0, 1.0));
}

TEST_MAIN(ticks_are_round_and_differ, ticks_of_counts_are_whole,
    there_are_at_most_as_many_ticks_as_asked_for, an_empty_axis_has_no_ticks,
    ticks_of_a_logarithmic_axis_are_powers, names_lie_in_bands_from_the_top,
    texts_stay_on_the_figure_at_any_size, too_many_names_are_drawn_in_part,
    names_of_a_tree_begin_with_the_least_deep, heat_rises_with_the_value)
