/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/chart/timeline_test.c - proves viewer/chart/timeline.c: pictures
 * of a timeline
 */

#include "viewer/chart/timeline.h"

#include "viewer/chart/chart.h"
#include "viewer/timeline/strips.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Computes the views of a run, executes a statement on them, and opens them. */
static struct esv_model *
opened(struct fake_run *run, const char *sql)
{
	char file[4096];
	struct esv_model *model = fake_model_open(fake_run_dir(run));

	snprintf(file, sizeof(file), "%s", model->file);
	esv_model_close(model);
	fake_model_sql(file, sql);
	EXPECT_OK(esv_model_open(file, &model));
	return model;
}

/* Draws the interval that is shown if none is chosen. */
static void
expect_title(struct fake_run *run, const char *sql, const char *part)
{
	struct esv_model *model = opened(run, sql);
	struct esv_timeline_options options = { .t0_ns = (double)model->from_ns,
		.t1_ns = (double)model->shown_to_ns };
	struct esv_figure figure;

	esv_figure_init(&figure, 800, 300);
	EXPECT_OK(esv_timeline_draw(model, &options, &figure));
	if (strstr(figure.title, part) == NULL)
		EXPECT_STR_EQ(part, figure.title);
	esv_figure_fini(&figure);
	esv_model_close(model);
}

static struct fake_run *
recorded(void)
{
	struct fake_run *run = fake_run_create(FAKE_MAP
	    "thread t0 -process p\n"
	    "element e -process p -type f64 -keep 16\n"
	    "path t0 e {{collector} {element e}} -use write\n",
	    4);

	FAKE_OP(run, 0, WRITE, 0, 1000, 9000);
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

static void
the_title_says_what_is_outside(void)
{
	struct fake_run *run = recorded();

	expect_title(run, "SELECT 1", "0 to 9 us");
	expect_title(run,
	    "INSERT INTO mpi_interval VALUES (0, 20, 70, 'MPI', 'MPI')",
	    "20 ns to 70 ns (measured interval; MPI_Init and the end of "
	    "MPI_Finalize are outside)");
	expect_title(run,
	    "INSERT INTO mpi_interval VALUES (0, 20, 70, 'MPI', 'recording')",
	    "20 ns to 9 us (to the end of the run; MPI_Init is outside)");
	fake_run_remove(run);
}

/* Threads that are too many are folded: the figure has the height of the rows
   that are left, and tells why. */
static void
folded_threads_are_reported(void)
{
	static const char threads[] =
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
	    "WHERE i < 499) INSERT INTO thread SELECT i, 0, 't' || i, NULL "
	    "FROM n";
	struct fake_run *run = recorded();
	struct esv_model *model = opened(run, threads);

	/* Two hosts and two processes. */
	EXPECT_EQ(4, esv_timeline_rows(model, NULL));
	EXPECT_TRUE(esv_timeline_height_all(model) == esv_timeline_height(12));
	esv_model_close(model);
	expect_title(run, threads,
	    "(rows are hosts and processes: 500 threads do not fit)");
	fake_run_remove(run);
}

static bool
says(const struct esv_figure *figure, const char *part)
{
	for (size_t n = 0; n < figure->count; n++)
		if (figure->shapes[n].kind == ESV_SHAPE_TEXT &&
		    strstr(figure->shapes[n].text, part) != NULL)
			return true;
	return false;
}

/* The figures of load_balance are those of the measured interval. */
static void
a_chart_says_what_it_leaves_out_of_a_cut_run(void)
{
	static const char *const sources[] = { "MPI", "recording" };
	struct fake_run *run = recorded();

	for (size_t n = 0; n < 2; n++) {
		struct esv_chart_options options = { .width = 800,
			.height = 500 };
		char sql[256];
		struct esv_model *model;
		struct esv_figure figure;

		snprintf(sql, sizeof(sql),
		    "INSERT INTO mpi_interval VALUES (0, 20, 70, 'MPI', '%s')",
		    sources[n]);
		model = opened(run, sql);
		esv_figure_init(&figure, options.width, options.height);
		EXPECT_OK(esv_chart_draw(model, esv_chart_find("load_balance"),
		    &options, &figure));
		EXPECT_EQ(n == 1,
		    says(&figure,
			"Covers the time up to 70 ns; the 8.93 us until the "
			"end of the run are left out."));
		esv_figure_fini(&figure);
		esv_model_close(model);
	}
	fake_run_remove(run);
}

/* Returns the width of what covers the row of a dead thread, or 0. */
static double
gone_width(struct esv_model *model, const struct esv_links *ends, double t0_ns)
{
	struct esv_timeline_options options = { .t0_ns = t0_ns, .ends = ends };
	struct esv_figure figure;
	double width = 0;

	esv_figure_init(&figure, 800, 300);
	EXPECT_OK(esv_timeline_draw(model, &options, &figure));
	for (size_t n = 0; n < figure.count; n++) {
		const struct esv_shape *s = &figure.shapes[n];

		if (s->kind == ESV_SHAPE_RECT && s->tip != NULL &&
		    strcmp(s->tip, "died before") == 0) {
			EXPECT_EQ(ESV_ROLE_MISSING, s->role);
			width = s->width;
		}
	}
	esv_figure_fini(&figure);
	return width;
}

static void
a_row_is_empty_after_a_death(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model = opened(run, "SELECT 1");
	struct esv_link link = { .from_ns = 4500, .to_ns = 4500 };
	struct esv_links ends = { .links = &link, .count = 1 };
	double half, whole;

	link.from_row = link.to_row = model->thread_rows[0];
	half = gone_width(model, &ends, 0);
	whole = gone_width(model, &ends, 6000);
	EXPECT_TRUE(whole > 600);
	EXPECT_TRUE(fabs(half - whole / 2) < 10);
	link.from_ns = link.to_ns = 9000;
	EXPECT_TRUE(gone_width(model, &ends, 0) < 1);
	link.from_ns = 1000;
	EXPECT_TRUE(gone_width(model, &ends, 0) == 0);
	esv_model_close(model);
	fake_run_remove(run);
}

/* Names of operations are below time without a core. */
static void
a_gap_is_found_by_its_pixels(void)
{
	struct esv_strip gaps[] = { { .row = 1, .x0 = 10, .x1 = 20 },
		{ .row = 1, .x0 = 30, .x1 = 40 },
		{ .row = 3, .x0 = 0, .x1 = 5 } };
	const struct esv_strips strips = { .gaps = gaps, .gap_count = 3 };

	EXPECT_TRUE(!esv_strips_gap_in(&strips, 0, 0, 100));
	EXPECT_TRUE(!esv_strips_gap_in(&strips, 1, 0, 10));
	EXPECT_TRUE(esv_strips_gap_in(&strips, 1, 0, 11));
	EXPECT_TRUE(esv_strips_gap_in(&strips, 1, 19, 30));
	EXPECT_TRUE(!esv_strips_gap_in(&strips, 1, 20, 30));
	EXPECT_TRUE(esv_strips_gap_in(&strips, 1, 25, 31));
	EXPECT_TRUE(!esv_strips_gap_in(&strips, 1, 40, 100));
	EXPECT_TRUE(!esv_strips_gap_in(&strips, 2, 0, 100));
	EXPECT_TRUE(esv_strips_gap_in(&strips, 3, 4, 5));
	EXPECT_TRUE(!esv_strips_gap_in(&strips, 3, 5, 6));
}

/* The picture reports a rank that cannot be read. */
static void
warnings_are_above_the_legend(void)
{
	struct fake_run *run = recorded();
	struct esv_model *model = opened(run, "SELECT 1");
	const struct esv_timeline_options options = {
		.warnings = { NULL, "Waiting is incomplete: no calls" }
	};
	struct esv_figure figure;
	double warning = 0, legend = 0;

	esv_figure_init(&figure, 800, 420);
	EXPECT_OK(esv_timeline_draw(model, &options, &figure));
	for (size_t n = 0; n < figure.count; n++) {
		const struct esv_shape *s = &figure.shapes[n];

		if (s->text != NULL && s->role == ESV_ROLE_WARNING &&
		    strcmp(s->text, options.warnings[1]) == 0)
			warning = s->y;
		if (s->text != NULL && strcmp(s->text, "computation") == 0)
			legend = s->y;
	}
	EXPECT_TRUE(warning > 0 && warning + 10 < legend);
	esv_figure_fini(&figure);
	esv_model_close(model);
	fake_run_remove(run);
}

TEST_MAIN(the_title_says_what_is_outside, folded_threads_are_reported,
    a_chart_says_what_it_leaves_out_of_a_cut_run, a_row_is_empty_after_a_death,
    a_gap_is_found_by_its_pixels, warnings_are_above_the_legend)
