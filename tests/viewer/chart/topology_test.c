/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/chart/topology_test.c - proves viewer/chart/topology.c: threads
 * on the cores that they are bound to
 */

#include "viewer/chart/chart.h"
#include "viewer/figure/draw.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct esv_chart_options usual = { .width = 900, .height = 600 };

#define THREAD(name, core) "thread " name " -process p " core "\n"

/* Opens a run with threads t0 to t5 of process p on host a, whose tables are
   changed by SQL.  t0 has two operations, from 100 to 200 and from 300 to
   400. */
static struct esv_model *
opened(struct fake_run **run, const char *sql)
{
	struct esv_model *model;
	char file[4096];

	*run = fake_run_create(
	    FAKE_MAP THREAD("t0", "-core 1") THREAD("t1", "-core 1")
		THREAD("t2", "-core 3") THREAD("t3", "") THREAD("t4", "")
		    THREAD("t5", "") "element e -process p -type f64 -keep 16\n"
				     "path t0 e {{collector} {element e}} "
				     "-use write\n",
	    4);
	FAKE_OP(*run, 0, WRITE, 0, 100, 200);
	FAKE_OP(*run, 0, WRITE, 1, 300, 400);
	fake_run_end(*run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(*run));
	snprintf(file, sizeof(file), "%s", model->file);
	esv_model_close(model);
	fake_model_sql(file, sql);
	EXPECT_OK(esv_model_open(file, &model));
	return model;
}

/* Two packages of two cores; t1 waits half of its time, and t4 may use package
   1, t5 core 1 and 2. */
#define PLACES \
	"DELETE FROM host_pu;" \
	"INSERT INTO host_pu VALUES (0, 0, 0, 0, 0, 0), (0, 4, 0, 0, 0, 0)," \
	" (0, 1, 0, 1, 0, 0), (0, 2, 1, 2, 0, 1), (0, 3, 1, 3, 0, 1);" \
	"UPDATE binding SET package = 0, core = 1, pus = '1', pu_count = 1" \
	" WHERE thread IN (0, 1);" \
	"UPDATE binding SET package = 1, core = 3, pus = '3', pu_count = 1" \
	" WHERE thread = 2;" \
	"UPDATE binding SET state = 'bound', package = 1, pus = '2-3'," \
	" pu_count = 2, source = 'kernel' WHERE thread = 4;" \
	"UPDATE binding SET state = 'bound', pus = '1-2', pu_count = 2," \
	" source = 'kernel' WHERE thread = 5;" \
	"DELETE FROM load_balance WHERE thread = 1;" \
	"INSERT INTO load_balance VALUES (1, 9, 300, 100, 200, 0.75);"

static void
closed(struct esv_model *model, struct fake_run *run)
{
	esv_model_close(model);
	fake_run_remove(run);
}

static void
drawn(struct esv_model *model, const struct esv_chart_options *options,
    struct esv_figure *figure)
{
	esv_figure_init(figure, options->width, options->height);
	EXPECT_OK(
	    esv_chart_draw(model, esv_chart_find("topology"), options, figure));
}

/* A shape that is at no place. */
static const struct esv_shape nowhere = { .x = -1e9,
	.y = -1e9,
	.text = "",
	.tip = "" };

/* Returns the text that contains a part, or &nowhere. */
static const struct esv_shape *
text(const struct esv_figure *figure, const char *part)
{
	for (size_t n = 0; n < figure->count; n++)
		if (figure->shapes[n].kind == ESV_SHAPE_TEXT &&
		    strstr(figure->shapes[n].text, part) != NULL)
			return &figure->shapes[n];
	return &nowhere;
}

/* Returns the text that is this one, or &nowhere. */
static const struct esv_shape *
caption(const struct esv_figure *figure, const char *whole)
{
	for (size_t n = 0; n < figure->count; n++)
		if (figure->shapes[n].kind == ESV_SHAPE_TEXT &&
		    strcmp(figure->shapes[n].text, whole) == 0)
			return &figure->shapes[n];
	return &nowhere;
}

/* Returns the n-th rectangle of a thread, the first of which is its ground, or
   &nowhere. */
static const struct esv_shape *
tile(const struct esv_figure *figure, int64_t thread, unsigned number)
{
	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];

		if (s->kind == ESV_SHAPE_RECT &&
		    s->thing.kind == ESV_THING_THREAD &&
		    s->thing.id == thread && number-- == 0)
			return s;
	}
	return &nowhere;
}

/* Returns true if a shape is below a caption, at most that far, and no
   wider to the right than a core. */
static bool
is_below(const struct esv_shape *shape, const struct esv_shape *caption,
    double height)
{
	return shape->y >= caption->y && shape->y - caption->y < height &&
	    shape->x >= caption->x - 3 && shape->x - caption->x < 430;
}

static void
threads_are_in_the_smallest_part_that_has_them(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, PLACES);
	const struct esv_shape *core1, *core3, *core2, *package;
	struct esv_figure figure;

	drawn(model, &usual, &figure);
	EXPECT_TRUE(
	    text(&figure, "a: packages 2, cores 4, threads 6") != &nowhere);
	core1 = text(&figure, "core 1");
	core2 = text(&figure, "core 2");
	core3 = text(&figure, "core 3");
	package = text(&figure, "package 1");
	EXPECT_TRUE(core1 != &nowhere && core2 != &nowhere &&
	    core3 != &nowhere && package != &nowhere &&
	    text(&figure, "core 0") != &nowhere);
	EXPECT_TRUE(is_below(tile(&figure, 0, 0), core1, 200));
	EXPECT_TRUE(is_below(tile(&figure, 1, 0), core1, 200));
	EXPECT_TRUE(is_below(tile(&figure, 2, 0), core3, 200));
	EXPECT_TRUE(!is_below(tile(&figure, 0, 0), core3, 200));
	EXPECT_TRUE(tile(&figure, 0, 0)->x != tile(&figure, 1, 0)->x ||
	    tile(&figure, 0, 0)->y != tile(&figure, 1, 0)->y);
	/* t4 is in package 1, below the cores of it. */
	EXPECT_TRUE(tile(&figure, 4, 0)->y > tile(&figure, 2, 0)->y);
	EXPECT_TRUE(tile(&figure, 4, 0)->x >= package->x - 3);
	EXPECT_TRUE(is_below(tile(&figure, 4, 0),
	    caption(&figure, "bound to several cores"), 40));
	EXPECT_TRUE(is_below(tile(&figure, 5, 0),
	    text(&figure, "bound to several packages"), 40));
	EXPECT_TRUE(
	    is_below(tile(&figure, 3, 0), caption(&figure, "not bound"), 40));
	EXPECT_TRUE(text(&figure, "binding not known") == &nowhere);
	EXPECT_STR_EQ("t0: bound to core 1 (PUs 1) by the map; waiting 0 %, "
		      "other communication 66.7 %, computation 33.3 %",
	    tile(&figure, 0, 0)->tip);
	EXPECT_TRUE(strstr(tile(&figure, 4, 0)->tip,
			"bound to several cores of package 1 (PUs 2-3) when it "
			"first called MPI; no operations") != NULL);
	EXPECT_TRUE(strstr(tile(&figure, 3, 0)->tip,
			"t3: not bound by the map") != NULL);
	EXPECT_TRUE(
	    text(&figure,
		"3 threads are bound to one core; 2 threads are bound "
		"to several cores; 1 thread is not bound.") != &nowhere);
	esv_figure_fini(&figure);
	closed(model, run);
}

/* The bar of a thread has its waiting, other communication and computation. */
static void
bars_have_the_parts_of_the_time(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, PLACES);
	struct esv_figure figure;
	double whole;

	drawn(model, &usual, &figure);
	whole = tile(&figure, 1, 0)->width;
	EXPECT_EQ(ESV_ROLE_WAITING, tile(&figure, 1, 1)->role);
	EXPECT_TRUE(fabs(tile(&figure, 1, 1)->width - whole / 2) < 0.01);
	EXPECT_EQ(ESV_ROLE_COMMUNICATION, tile(&figure, 1, 2)->role);
	EXPECT_TRUE(fabs(tile(&figure, 1, 2)->width - whole / 4) < 0.01);
	EXPECT_TRUE(fabs(tile(&figure, 1, 3)->width - whole / 4) < 0.01);
	EXPECT_TRUE(fabs(tile(&figure, 1, 3)->x + tile(&figure, 1, 3)->width -
			tile(&figure, 1, 0)->x - whole) < 0.01);
	EXPECT_EQ(ESV_ROLE_MISSING, tile(&figure, 3, 1)->role);
	EXPECT_TRUE(text(&figure, "no operations") != &nowhere);
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
a_part_has_its_own_shares(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, PLACES);
	struct esv_chart_options o = usual;
	struct esv_figure figure;

	o.t0_ns = 150;
	o.t1_ns = 300;
	drawn(model, &o, &figure);
	EXPECT_TRUE(
	    strstr(tile(&figure, 0, 0)->tip,
		"other communication 33.3 %, computation 66.7 %") != NULL);
	EXPECT_EQ(ESV_ROLE_MISSING, tile(&figure, 1, 1)->role);
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
hidden_rows_have_no_tile(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run, PLACES);
	uint32_t row = fake_model_row(model, ESV_ROW_THREAD, "t0");
	struct esv_chart_options o = usual;
	struct esv_figure figure;

	o.rows = &row;
	o.row_count = 1;
	drawn(model, &o, &figure);
	EXPECT_TRUE(tile(&figure, 0, 0) != &nowhere);
	EXPECT_TRUE(tile(&figure, 2, 0) == &nowhere);
	esv_figure_fini(&figure);
	closed(model, run);
}

/* Without a topology, threads of a map are bound to cores that are not
   known. */
static void
unknown_cores_and_bindings_are_named(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run,
	    "DELETE FROM host_pu;"
	    "UPDATE binding SET state = NULL, source = NULL WHERE thread > 3");
	struct esv_figure figure;

	drawn(model, &usual, &figure);
	EXPECT_TRUE(text(&figure, "a: its cores are not known") != &nowhere);
	EXPECT_TRUE(text(&figure, "cores that are not known") != &nowhere);
	EXPECT_TRUE(is_below(tile(&figure, 4, 0),
	    caption(&figure, "binding not known"), 100));
	EXPECT_TRUE(strstr(tile(&figure, 5, 0)->tip,
			"t5: its binding is not known") != NULL);
	esv_figure_fini(&figure);
	closed(model, run);
}

static void
too_many_cores_are_bars_of_hosts(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run,
	    PLACES "WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 "
		   "FROM n WHERE i < 10000)"
		   " INSERT INTO host_pu SELECT 0, i, 2, i, 0, 2 FROM n");
	struct esv_figure figure;
	size_t n = 0;

	drawn(model, &usual, &figure);
	EXPECT_TRUE(text(&figure,
			"9995 cores and 6 threads are too many to draw: each "
			"host is one bar.") != &nowhere);
	EXPECT_TRUE(tile(&figure, 0, 0) == &nowhere);
	while (
	    n < figure.count && figure.shapes[n].thing.kind != ESV_THING_HOST)
		n++;
	EXPECT_TRUE(n < figure.count);
	EXPECT_STR_EQ("a: packages 3, cores 9995, threads 6; waiting 28.6 %, "
		      "other communication 42.9 %, computation 28.6 %",
	    figure.shapes[n].tip);
	esv_figure_fini(&figure);
	closed(model, run);
}

/* A view.db may come from anywhere. */
static void
wrong_ids_are_left_out(void)
{
	struct fake_run *run;
	struct esv_model *model = opened(&run,
	    PLACES "UPDATE binding SET host = 99 WHERE thread = 0;"
		   "UPDATE binding SET core = 77 WHERE thread = 1;"
		   "UPDATE binding SET thread = -5 WHERE thread = 2;"
		   "INSERT INTO host_pu VALUES (-1, 9, 9, 9, 9, 9);"
		   "INSERT INTO binding(thread, process, host) VALUES"
		   " (4000000, 0, 0)");
	struct esv_figure figure;

	drawn(model, &usual, &figure);
	EXPECT_TRUE(tile(&figure, 0, 0) == &nowhere);
	EXPECT_TRUE(tile(&figure, 4000000, 0) == &nowhere);
	EXPECT_TRUE(is_below(tile(&figure, 1, 0),
	    text(&figure, "bound to several packages"), 100));
	esv_figure_fini(&figure);
	closed(model, run);
}

TEST_MAIN(threads_are_in_the_smallest_part_that_has_them,
    bars_have_the_parts_of_the_time, a_part_has_its_own_shares,
    hidden_rows_have_no_tile, unknown_cores_and_bindings_are_named,
    too_many_cores_are_bars_of_hosts, wrong_ids_are_left_out)
