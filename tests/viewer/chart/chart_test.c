/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/chart/chart_test.c - views of a run as figures
 *
 * golden/charts.txt holds the draw lists of a run whose every number is known.
 */

#include "viewer/chart/chart.h"

#include "viewer/figure/figure_text.h"
#include "viewer/figure/hit.h"
#include "viewer/figure/label.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Collectors: 0 below the sum, 1 to 3 above it, 4 a write, 5 its read. */
static const char map_text[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread u0 -process q\n"
	     "element total -process p -type f64 -keep 16\n"
	     "element e -process p -type f64 -keep 16\n"
	     "stage sum reduce -process p -op sum -type f64 -inputs 3 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {sum}}\n"
	     "path t1 total {{collector} {sum}}\n"
	     "path u0 total {{collector} {proxy p} {sum}}\n"
	     "path t0 e {{collector} {element e}} -use write\n"
	     "path t1 e {{collector} {element e}} -use read\n";

enum { SUM, T0, T1, U0, WRITE, READ };

static void
record_step(struct fake_run *run, uint32_t n)
{
	uint64_t at = 100000 * (uint64_t)n;

	FAKE_OP(run, T0, EXCHANGE, n, at + 1000, at + 9100);
	FAKE_OP(run, T1, EXCHANGE, n, at + 5000, at + 9200);
	FAKE_OP(run, U0, EXCHANGE, n, at + 8000 + 100 * n, at + 9500);
	FAKE_OP(run, SUM, EXCHANGE, n, at + 8500, at + 9000);
	FAKE_OP(run, WRITE, WRITE, n, at + 20000, at + 21000);
	FAKE_OP(run, READ, READ, n, at + 11000, at + 21500);
}

static struct esv_model *
opened(struct fake_run **run, uint32_t steps)
{
	*run = fake_run_create(map_text, 64);
	for (uint32_t n = 0; n < steps; n++)
		record_step(*run, n);
	fake_run_end(*run, FAKE_RUN_ENDED);
	return fake_model_open(fake_run_dir(*run));
}

static void
closed(struct esv_model *model, struct fake_run *run)
{
	esv_model_close(model);
	fake_run_remove(run);
}

/* Runs statements on view.db, and opens the model again. */
static struct esv_model *
changed(struct esv_model *model, const char *sql)
{
	struct esv_model *fresh;
	char file[4096];

	snprintf(file, sizeof(file), "%s", model->file);
	esv_model_close(model);
	fake_model_sql(file, sql);
	EXPECT_OK(esv_model_open(file, &fresh));
	return fresh;
}

static void
drawn(struct esv_model *model, const char *chart,
    const struct esv_chart_options *options, struct esv_figure *figure)
{
	EXPECT_TRUE(esv_chart_find(chart) != NULL);
	esv_figure_init(figure, options->width, options->height);
	if (esv_chart_draw(model, esv_chart_find(chart), options, figure) !=
	    PATHS_OK)
		EXPECT_STR_EQ(chart, paths_log_last());
}

static const struct esv_chart_options usual = { .width = 800, .height = 500 };

static bool
says(const struct esv_figure *figure, const char *part)
{
	for (size_t n = 0; n < figure->count; n++)
		if (figure->shapes[n].kind == ESV_SHAPE_TEXT &&
		    strstr(figure->shapes[n].text, part) != NULL)
			return true;
	return false;
}

/* Returns a rectangle of a thing whose tip contains a text, or NULL. */
static const struct esv_shape *
rectangle(const struct esv_figure *figure, struct esv_thing thing,
    const char *tip)
{
	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];

		if (s->kind == ESV_SHAPE_RECT && s->tip != NULL &&
		    s->thing.kind == thing.kind && s->thing.id == thing.id &&
		    s->thing.other == thing.other &&
		    strstr(s->tip, tip) != NULL)
			return s;
	}
	return NULL;
}

static void
expect_inside(const struct esv_figure *figure, const char *name)
{
	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];

		if (s->kind == ESV_SHAPE_LINE || s->kind == ESV_SHAPE_AREA)
			continue;
		if (s->x > -1 && s->y > -1 && s->x < figure->width + 1 &&
		    s->y < figure->height + 1)
			continue;
		printf("# %s: %g %g %s\n", name, s->x, s->y,
		    s->text == NULL ? "" : s->text);
		EXPECT_TRUE(!"a shape outside of the figure");
	}
}

/* Draws all charts, with each of their measures, in some sizes. */
static void
draw_all(struct esv_model *model)
{
	static const double sizes[][2] = { { 800, 500 }, { 300, 200 },
		{ 2000, 1500 }, { 10, 10 } };
	const struct esv_chart *chart;

	for (size_t n = 0; (chart = esv_chart_get(n)) != NULL; n++) {
		const char *measures =
		    chart->measures == NULL ? "" : chart->measures;

		do {
			size_t length = strcspn(measures, " ");
			char measure[64];

			snprintf(measure, sizeof(measure), "%.*s", (int)length,
			    measures);
			measures += length + strspn(measures + length, " ");
			for (size_t s = 0; s < 4; s++) {
				struct esv_chart_options o = { .width =
								   sizes[s][0],
					.height = sizes[s][1],
					.measure = measure };
				struct esv_figure figure;

				drawn(model, chart->name, &o, &figure);
				if (s != 3)
					expect_inside(&figure, chart->name);
				EXPECT_STR_EQ(chart->title, figure.title);
				esv_figure_fini(&figure);
			}
		} while (*measures != '\0');
	}
}

static void
all_charts_draw_a_run(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 20);

	draw_all(model);
	closed(model, run);
}

static void
all_charts_draw_an_empty_run(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 0);
	const struct esv_chart *chart;

	draw_all(model);
	for (size_t n = 0; (chart = esv_chart_get(n)) != NULL; n++) {
		struct esv_figure figure;
		bool applies = true;

		EXPECT_OK(esv_chart_applies(model, chart, &applies));
		drawn(model, chart->name,
		    &(struct esv_chart_options){ .width = 2000, .height = 500 },
		    &figure);
		EXPECT_EQ(!applies, says(&figure, chart->nothing));
		esv_figure_fini(&figure);
	}
	closed(model, run);
}

static void
a_missing_table_is_named(void)
{
	struct fake_run *run;
	struct esv_model *model =
	    changed(opened(&run, 3), "DROP TABLE breakdown");
	struct esv_figure figure;
	bool applies = true;

	EXPECT_OK(
	    esv_chart_applies(model, esv_chart_find("breakdown"), &applies));
	EXPECT_TRUE(!applies);
	drawn(model, "breakdown", &usual, &figure);
	EXPECT_TRUE(says(&figure, "view.db has no table breakdown"));
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
an_unknown_measure_is_refused(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 3);
	struct esv_chart_options o = { .width = 100,
		.height = 100,
		.measure = "map wait" };
	struct esv_figure figure;

	esv_figure_init(&figure, 100, 100);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_chart_draw(model, esv_chart_find("load_balance"), &o, &figure));
	EXPECT_STR_EQ("load_balance has no measure map wait, only map wait "
		      "communication computation",
	    paths_log_last());
	o.measure = "bytes";
	EXPECT_EQ(PATHS_EINVAL,
	    esv_chart_draw(model, esv_chart_find("diagnostics"), &o, &figure));
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
bars_are_as_long_as_the_table_says(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 0);
	const struct esv_shape *wait, *rest, *computation;
	struct esv_figure figure;

	model = changed(model,
	    "INSERT INTO load_balance VALUES (0, 9, 3000, 1000, 1500, 0.75),"
	    "(1, 9, 1000, 6000, 0, 0.1)");
	drawn(model, "load_balance", &usual, &figure);
	wait = rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 0, 0 },
	    "waiting");
	rest = rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 0, 0 },
	    "other communication");
	computation = rectangle(&figure,
	    (struct esv_thing){ ESV_THING_THREAD, 1, 0 }, "computation");
	EXPECT_TRUE(wait != NULL && rest != NULL && computation != NULL);
	EXPECT_NEAR(wait->width, rest->width, 0.01);
	EXPECT_NEAR(wait->x + wait->width, rest->x, 0.01);
	EXPECT_NEAR(wait->width * 4, computation->width, 0.01);
	EXPECT_STR_EQ("t0, waiting for others: 1.50 us", wait->tip);
	EXPECT_TRUE(computation->y > wait->y);
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
bars_can_be_sorted(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 5);
	struct esv_chart_options o = { .width = 800,
		.height = 500,
		.measure = "wait" };
	double y = 0;
	struct esv_figure figure;

	/* t1 waits longest in all, then t0; u0 waits for no thread. */
	drawn(model, "load_balance", &o, &figure);
	for (int64_t thread = 0; thread < 3; thread++) {
		static const int64_t order[] = { 1, 0, 2 };
		const struct esv_shape *bar = rectangle(&figure,
		    (struct esv_thing){ ESV_THING_THREAD, order[thread], 0 },
		    "computation");

		EXPECT_TRUE(bar != NULL);
		EXPECT_TRUE(bar->y > y);
		y = bar->y;
	}
	esv_figure_fini(&figure);
	closed(model, run);
}

static int
heat_of(const struct esv_figure *figure, int64_t waiter, int64_t culprit)
{
	const struct esv_shape *cell = rectangle(figure,
	    (struct esv_thing){ ESV_THING_PAIR, waiter, culprit }, "");

	EXPECT_TRUE(cell != NULL);
	return cell->role;
}

static void
larger_values_are_hotter(void)
{
	struct fake_run *run;
	struct esv_model *model = changed(opened(&run, 0),
	    "INSERT INTO waits_for (waiter, culprit, operations, wait_ns) "
	    "VALUES (0, 1, 1, 100), (0, 2, 1, 200), (1, 0, 1, 300), "
	    "(1, 2, 1, 1000), (2, NULL, 1, 9000)");
	struct esv_figure figure;

	drawn(model, "waits_for", &usual, &figure);
	EXPECT_TRUE(heat_of(&figure, 0, 1) < heat_of(&figure, 0, 2));
	EXPECT_TRUE(heat_of(&figure, 0, 2) < heat_of(&figure, 1, 0));
	EXPECT_TRUE(heat_of(&figure, 1, 0) < heat_of(&figure, 1, 2));
	EXPECT_EQ(ESV_ROLE_HEAT + 255, heat_of(&figure, 1, 2));
	EXPECT_TRUE(says(&figure, "Longest: t1 waited 1 us for u0."));
	EXPECT_TRUE(says(&figure, "Not shown: 9 us of waiting"));
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
only_rows_that_are_shown_are_drawn(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 5);
	uint32_t row = fake_model_row(model, ESV_ROW_PROCESS, "p");
	struct esv_chart_options o = { .width = 800,
		.height = 500,
		.rows = &row,
		.row_count = 1 };
	struct esv_figure figure;

	drawn(model, "load_balance", &o, &figure);
	EXPECT_TRUE(
	    rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 1, 0 },
		"") != NULL);
	EXPECT_TRUE(
	    rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 2, 0 },
		"") == NULL);
	esv_figure_fini(&figure);
	closed(model, run);
}

static size_t
frames(const struct esv_figure *figure)
{
	size_t count = 0;

	for (size_t n = 0; n < figure->count; n++)
		count += figure->shapes[n].kind == ESV_SHAPE_LINE &&
		    figure->shapes[n].role == ESV_ROLE_HIGHLIGHT;
	return count;
}

static void
a_highlighted_thing_is_framed(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 5);
	struct esv_chart_options o = usual;
	struct esv_figure figure;

	drawn(model, "load_balance", &o, &figure);
	EXPECT_EQ(0, frames(&figure));
	esv_figure_fini(&figure);
	o.highlight = (struct esv_thing){ ESV_THING_THREAD, 1, 0 };
	drawn(model, "load_balance", &o, &figure);
	/* The name and three parts are framed. */
	EXPECT_EQ(4, frames(&figure));
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
only_steps_in_the_interval_are_drawn(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 20);
	struct esv_chart_options o = { .width = 800,
		.height = 500,
		.t0_ns = 500000,
		.t1_ns = 700000 };
	struct esv_figure figure;

	drawn(model, "step_heat", &o, &figure);
	EXPECT_TRUE(
	    rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 0, 0 },
		"t0, step 5:") != NULL);
	EXPECT_TRUE(
	    rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 0, 0 },
		"t0, step 4:") == NULL);
	EXPECT_TRUE(
	    rectangle(&figure, (struct esv_thing){ ESV_THING_THREAD, 0, 0 },
		"t0, step 8:") == NULL);
	esv_figure_fini(&figure);
	o.t0_ns = INT64_C(1) << 40;
	o.t1_ns = INT64_C(1) << 41;
	drawn(model, "step_heat", &o, &figure);
	EXPECT_TRUE(says(&figure, "No step is in this range of time."));
	esv_figure_fini(&figure);
	closed(model, run);
}

/* Returns the hit in the middle of a cell. */
static struct esv_hit
hit_of(const struct esv_figure *figure, uint32_t row, uint32_t column)
{
	const struct esv_grid *grid = figure->grid;
	struct esv_hit hit;

	EXPECT_TRUE(esv_hit_find(figure,
	    grid->x + (column + 0.5) * grid->width / grid->columns,
	    grid->y + (row + 0.5) * grid->height / grid->rows, &hit));
	return hit;
}

static void
hits_of_few_cells_match_their_rectangles(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 20);
	struct esv_figure figure;
	struct esv_hit hit;

	drawn(model, "step_heat", &usual, &figure);
	for (uint32_t row = 0; row < figure.grid->rows; row++)
		for (uint32_t step = 0; step < figure.grid->columns; step++) {
			hit = hit_of(&figure, row, step);
			EXPECT_EQ(step, hit.step);
			EXPECT_EQ(ESV_THING_THREAD, hit.thing.kind);
			EXPECT_EQ(row, hit.thing.id);
			EXPECT_TRUE(
			    rectangle(&figure, hit.thing, hit.tip) != NULL);
		}
	EXPECT_TRUE(!esv_hit_find(&figure, -5, -5, &hit));
	EXPECT_EQ(-1, hit.step);
	esv_figure_fini(&figure);
	closed(model, run);
}

/* Two threads have 4000 steps, of which one is long. */
static void
each_cell_can_be_pointed_at(void)
{
	struct fake_run *run;
	struct esv_model *model = changed(opened(&run, 3),
	    "DELETE FROM step; WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
	    "SELECT i + 1 FROM n WHERE i < 3999) INSERT INTO step SELECT "
	    "thread, i, 1, 1, i, i, iif(i = 2001 AND thread = 1, 77000, 5), 0, "
	    "5 FROM n, (SELECT 0 AS thread UNION SELECT 1)");
	struct esv_figure figure;
	const struct esv_grid *grid;
	uint32_t long_ones = 0;

	drawn(model, "step_heat", &usual, &figure);
	grid = figure.grid;
	EXPECT_TRUE(grid->columns > 400 && grid->columns < 4000);
	for (uint32_t n = 0; n < 2 * grid->columns; n++) {
		uint32_t row = n / grid->columns, column = n % grid->columns;
		struct esv_hit hit = hit_of(&figure, row, column);

		EXPECT_EQ((int64_t)(column * grid->each), hit.step);
		EXPECT_EQ(row, hit.thing.id);
		if (strstr(hit.tip, ": 77 us") == NULL)
			continue;
		long_ones++;
		EXPECT_EQ(1, row);
		EXPECT_TRUE(
		    hit.step <= 2001 && hit.step + (int64_t)grid->each > 2001);
	}
	EXPECT_EQ(1, long_ones);
	esv_figure_fini(&figure);
	closed(model, run);
}

/* Rows for i from 3 to 9999. */
static const char *const many_rows[] = {
	"thread SELECT i, i % 2, 't' || i, NULL FROM n",
	"load_balance SELECT i, 9, 1000 + i, 10, 500, 0.5 FROM n",
	"waits_for SELECT i, i - 1, 1, i, 0, 0 FROM n",
	"step SELECT i, s, 1, 1, i, i + 1, i, i, 1 FROM n, "
	"(SELECT 0 AS s UNION ALL SELECT 1)",
	"breakdown SELECT i, i % 6, 1, 100, 50, 1.0 FROM n",
	"wrapper_latency SELECT i % 6, NULL, 1, i, i, i, i, i, NULL, NULL "
	"FROM n",
	"comm_matrix SELECT i, i / 2, 'write', i, i * i FROM n "
	"WHERE i <= 2000",
	"stage SELECT i + 100, i % 2, 's' || i, 'proxy', NULL, 1 FROM n",
	"path SELECT i + 100, i, 0 FROM n",
	"path_stage SELECT i + 100, 0, i + 100 FROM n",
	"diagnostic SELECT 'warning', 's' || i, 'lost' FROM n WHERE i <= 2000",
};

static struct esv_model *
many(struct fake_run **run)
{
	struct esv_model *model;
	char *sql = NULL;
	size_t bytes;
	FILE *to = open_memstream(&sql, &bytes);

	EXPECT_TRUE(to != NULL);
	for (size_t n = 0; n < sizeof(many_rows) / sizeof(*many_rows); n++)
		fprintf(to,
		    "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 "
		    "FROM n WHERE i < 9999) INSERT INTO %s;",
		    many_rows[n]);
	EXPECT_EQ(0, fclose(to));
	model = changed(opened(run, 0), sql);
	free(sql);
	return model;
}

/* Expects names of threads at the left not to overlap. */
static void
expect_apart(const struct esv_figure *figure)
{
	const struct esv_shape *last = NULL;

	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];

		if (s->kind != ESV_SHAPE_TEXT ||
		    s->anchor != ESV_ANCHOR_RIGHT ||
		    s->thing.kind != ESV_THING_THREAD || s->text_turned)
			continue;
		if (last != NULL)
			EXPECT_TRUE(fabs(s->y - last->y) >=
			    0.8 * ESV_LABEL_HEIGHT(s->text_size));
		last = s;
	}
}

/* p has t0 and t1, q has u0. */
static void
sums_of_a_level_have_a_bar_for_each_part(void)
{
	struct fake_run *run;
	struct esv_model *model = changed(opened(&run, 2),
	    "DELETE FROM load_balance;"
	    "INSERT INTO load_balance VALUES (0, 9, 3000, 1000, 1500, 0.75),"
	    "(1, 9, 1000, 1000, 500, 0.5), (2, 9, 4000, 0, 4000, 1.0)");
	const struct esv_thing p = { ESV_THING_PROCESS, 0, 0 },
			       q = { ESV_THING_PROCESS, 1, 0 };
	const uint32_t rows[] = { model->thread_rows[0] };
	struct esv_chart_options o = usual;
	struct esv_figure figure;

	o.level = "process";
	drawn(model, "load_balance", &o, &figure);
	EXPECT_TRUE(rectangle(&figure, p, "computation: 2 us") != NULL);
	EXPECT_TRUE(rectangle(&figure, q, "others: 4 us") != NULL);
	esv_figure_fini(&figure);
	/* A process is shown if one of its threads is. */
	o.rows = rows;
	o.row_count = 1;
	drawn(model, "load_balance", &o, &figure);
	EXPECT_TRUE(rectangle(&figure, p, "others: 2 us") != NULL);
	EXPECT_TRUE(rectangle(&figure, q, "others: 4 us") == NULL);
	esv_figure_fini(&figure);
	o.level = "core";
	esv_figure_init(&figure, o.width, o.height);
	EXPECT_EQ(PATHS_EINVAL,
	    esv_chart_draw(model, esv_chart_find("load_balance"), &o, &figure));
	EXPECT_STR_EQ(
	    "load_balance has no level core, only thread process host "
	    "run",
	    paths_log_last());
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
ten_thousand_threads_are_folded_with_a_note(void)
{
	static const struct {
		const char *chart, *text;
	} folded[] = { { "load_balance", "9997 threads do not fit" },
		{ "waits_for", "10000 x 10000 cells do not fit" },
		{ "step_heat", "10000 x 2 cells do not fit" },
		{ "breakdown", "9997 threads do not fit" },
		{ "wrapper_latency", " of 9997 stages" },
		{ "comm_matrix", "2001 x 2001 cells do not fit" },
		{ "path_graph", "stages are too many" },
		{ "diagnostics", "more, not shown for lack of room" } };
	struct fake_run *run;
	struct esv_model *model = many(&run);

	for (size_t n = 0; n < sizeof(folded) / sizeof(folded[0]); n++) {
		struct esv_figure figure;

		drawn(model, folded[n].chart, &usual, &figure);
		if (!says(&figure, folded[n].text))
			EXPECT_STR_EQ(folded[n].text, folded[n].chart);
		expect_apart(&figure);
		expect_inside(&figure, folded[n].chart);
		EXPECT_TRUE(figure.count < 5000);
		esv_figure_fini(&figure);
	}
	closed(model, run);
}

static void
a_histogram_counts_only_its_subject(void)
{
	struct fake_run *run;
	struct esv_model *model = changed(opened(&run, 0),
	    "INSERT INTO size_histogram VALUES (0, 1, 'write', 0, 5),"
	    "(0, 1, 'write', 4, 50), (1, 0, 'write', 4, 500)");
	struct esv_chart_options o = usual;
	struct esv_figure figure;

	drawn(model, "size_histogram", &o, &figure);
	EXPECT_TRUE(rectangle(&figure, (struct esv_thing){ 0 },
			"from 8 B, write: 550") != NULL);
	esv_figure_fini(&figure);
	o.subject = (struct esv_thing){ ESV_THING_PAIR, 0, 1 };
	drawn(model, "size_histogram", &o, &figure);
	EXPECT_TRUE(rectangle(&figure, (struct esv_thing){ 0 },
			"from 8 B, write: 50") != NULL);
	EXPECT_TRUE(says(&figure, "from p to q"));
	esv_figure_fini(&figure);
	closed(model, run);
}

/* A damaged view.db may have such rows. */
static void
unknown_ids_are_ignored(void)
{
	struct fake_run *run;
	struct esv_model *model = changed(opened(&run, 3),
	    "INSERT INTO waits_for VALUES (-1,0,1,5,0,0), (0,99999,1,5,0,0);"
	    "INSERT INTO load_balance VALUES (70000, 1, 1, 1, 1, 0.5);"
	    "INSERT INTO step VALUES (70000, 1, 1, 1, 1, 2, 1, 1, 1),"
	    "(0, -5, 0, 1, 1, 2, 1, 1, 1);"
	    "INSERT INTO arrival_pair SELECT stage, -1, 7, 1, 1, 0 FROM arrival;"
	    "INSERT INTO comm_matrix VALUES (-3, 4294967296, 'write', 1, 1);"
	    "INSERT INTO size_histogram VALUES (0, 1, 'write', -9, 5),"
	    "(0, 1, 'write', 1000000000, 5)");

	draw_all(model);
	closed(model, run);
}

static bool
stage_is_at_the_right_of(const struct esv_figure *figure, int64_t thread,
    const char *stage)
{
	const struct esv_shape *from = rectangle(figure,
	    (struct esv_thing){ ESV_THING_THREAD, thread, 0 }, "");

	for (size_t n = 0; from != NULL && n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];

		if (s->kind == ESV_SHAPE_TEXT &&
		    s->thing.kind == ESV_THING_STAGE &&
		    strcmp(s->text, stage) == 0)
			return s->x > from->x + from->width;
	}
	return false;
}

static void
paths_go_from_threads_to_elements(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 5);
	struct esv_figure figure;
	bool dot;

	drawn(model, "path_graph", &usual, &figure);
	dot = !says(&figure, "Simple layout");
	EXPECT_TRUE(stage_is_at_the_right_of(&figure, 0, "sum"));
	EXPECT_TRUE(stage_is_at_the_right_of(&figure, 1, "e"));
	esv_figure_fini(&figure);
	EXPECT_EQ(0, setenv("PATH", "/nonexistent", 1));
	drawn(model, "path_graph", &usual, &figure);
	EXPECT_TRUE(says(&figure, "Simple layout"));
	EXPECT_TRUE(stage_is_at_the_right_of(&figure, 2, "sum"));
	expect_inside(&figure, "path_graph");
	esv_figure_fini(&figure);
	closed(model, run);
	if (!dot)
		TEST_SKIP("graphviz is not installed");
}

/* The program dot of this case prints each edge twice. */
static void
an_edge_that_dot_prints_twice_is_drawn_once(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, 5);
	struct esv_figure figure;
	char file[300];
	FILE *dot;

	snprintf(file, sizeof(file), "%s/dot", fake_run_dir(run));
	dot = fopen(file, "w");
	EXPECT_TRUE(dot != NULL);
	fputs("#!/bin/sh\n"
	      "echo graph 1 9 9\n"
	      "for a in 0 1 2 3 4 5 6 7 8 9; do\n"
	      "for b in 0 1 2 3 4 5 6 7 8 9; do\n"
	      "echo edge n$a n$b 7 1 1 2 2 3 3 4 4 5 5 6 6 7 7\n"
	      "echo edge n$a n$b 4 1 1 2 2 3 3 4 4\n"
	      "done; done\n"
	      "echo stop\n",
	    dot);
	EXPECT_EQ(0, fclose(dot));
	EXPECT_EQ(0, chmod(file, 0700));
	EXPECT_EQ(0, setenv("PATH", fake_run_dir(run), 1));
	drawn(model, "path_graph", &usual, &figure);
	EXPECT_TRUE(!says(&figure, "Simple layout"));
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
a_matrix_of_invalid_ranks_is_empty(void)
{
	struct fake_run *run;
	struct esv_model *model = changed(opened(&run, 3),
	    "DELETE FROM comm_matrix;"
	    "INSERT INTO comm_matrix VALUES (-1, -1, 'write', 1, 1)");
	struct esv_figure figure;

	drawn(model, "comm_matrix", &usual, &figure);
	EXPECT_TRUE(says(&figure, "No message has both"));
	esv_figure_fini(&figure);
	closed(model, run);
}

/* Only charts that do not depend on the machine are compared. */
static void
draw_lists_match_the_golden_file(void)
{
	static const char *const charts[] = { "load_balance", "waits_for",
		"step_heat", "breakdown", "arrival", "wrapper_latency",
		"element_time", "clock_quality" };
	struct fake_run *run;
	struct esv_model *model = opened(&run, 4);
	char *got = NULL, *want, path[512];
	size_t bytes;
	FILE *to = open_memstream(&got, &bytes), *from;

	for (size_t n = 0; n < sizeof(charts) / sizeof(charts[0]); n++) {
		struct esv_figure figure;
		char *text;

		drawn(model, charts[n],
		    &(struct esv_chart_options){ .width = 480, .height = 320 },
		    &figure);
		EXPECT_OK(esv_figure_text(&figure, &text));
		fprintf(to, "%s\n%s\n", charts[n], text);
		free(text);
		esv_figure_fini(&figure);
	}
	EXPECT_EQ(0, fclose(to));
	snprintf(path, sizeof(path), "%s/tests/viewer/golden/charts.txt",
	    test_srcdir());
	want = calloc(1, 1 << 20);
	from = fopen(path, "r");
	EXPECT_TRUE(from != NULL && want != NULL);
	EXPECT_TRUE(fread(want, 1, (1 << 20) - 1, from) > 0);
	EXPECT_EQ(0, fclose(from));
	EXPECT_STR_EQ(want, got);
	free(want);
	free(got);
	closed(model, run);
}

TEST_MAIN(all_charts_draw_a_run, all_charts_draw_an_empty_run,
    a_missing_table_is_named, an_unknown_measure_is_refused,
    bars_are_as_long_as_the_table_says, bars_can_be_sorted,
    larger_values_are_hotter, only_rows_that_are_shown_are_drawn,
    a_highlighted_thing_is_framed, only_steps_in_the_interval_are_drawn,
    hits_of_few_cells_match_their_rectangles, each_cell_can_be_pointed_at,
    sums_of_a_level_have_a_bar_for_each_part,
    ten_thousand_threads_are_folded_with_a_note, unknown_ids_are_ignored,
    paths_go_from_threads_to_elements, a_histogram_counts_only_its_subject,
    an_edge_that_dot_prints_twice_is_drawn_once,
    a_matrix_of_invalid_ranks_is_empty, draw_lists_match_the_golden_file)
