/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/chart/flame_test.c - proves viewer/chart/flame.c: the flame
 * graph of call paths
 */

#include "viewer/chart/chart.h"
#include "viewer/figure/draw.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct esv_chart_options usual = { .width = 800, .height = 500 };

/* Two call paths of 300 and 100 ns, of which half of the first waits. */
static struct esv_model *
with_calls(struct fake_run **run)
{
	struct esv_model *model;
	char file[4096];

	*run = fake_run_create(FAKE_MAP "thread t0 -process p\n"
					"element e -process p -type f64\n"
					"path t0 e {{collector} {element e}} "
					"-use write\n",
	    4);
	fake_run_end(*run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(*run));
	snprintf(file, sizeof(file), "%s", model->file);
	esv_model_close(model);
	fake_model_sql(file,
	    "INSERT INTO call_tree(node, parent, depth, time_ns, wait_ns,"
	    " time_share, calls, ranks, most_rank, most_ns, mpi, function,"
	    " file, line) VALUES"
	    " (1, NULL, 0, 400, 150, 1.0, 4, 2, 0, 300, 0, 'main', NULL, NULL),"
	    " (2, 1, 1, 300, 150, 0.75, 3, 1, 0, 300, 0, 'halo', '/a/m.c', 5),"
	    " (3, 2, 2, 300, 150, 0.75, 3, 1, 0, 300, 1, 'MPI_Recv',"
	    " '/a/h.c', 9),"
	    " (4, 1, 1, 100, 0, 0.25, 1, 2, 1, 60, 1, 'MPI_Bcast', '/a/m.c', 7);"
	    "INSERT INTO caller_tree(node, parent, depth, time_ns, wait_ns,"
	    " time_share, calls, ranks, most_rank, most_ns, mpi, function,"
	    " file, line) VALUES"
	    " (1, NULL, 0, 300, 150, 0.75, 3, 1, 0, 300, 1, 'MPI_Recv', NULL,"
	    " NULL),"
	    " (2, 1, 1, 300, 150, 0.75, 3, 1, 0, 300, 0, 'halo', '/a/h.c', 9)");
	EXPECT_OK(esv_model_open(file, &model));
	return model;
}

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
	    esv_chart_draw(model, esv_chart_find("flame"), options, figure));
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

/* Returns the rectangle of a call whose tip contains a text, or NULL. */
static const struct esv_shape *
call(const struct esv_figure *figure, int64_t id, const char *tip)
{
	for (size_t n = 0; n < figure->count; n++) {
		const struct esv_shape *s = &figure->shapes[n];

		if (s->kind == ESV_SHAPE_RECT && s->tip != NULL &&
		    s->thing.kind == ESV_THING_CALL && s->thing.id == id &&
		    strstr(s->tip, tip) != NULL)
			return s;
	}
	return NULL;
}

static void
calls_are_as_wide_as_their_time(void)
{
	struct fake_run *run;
	struct esv_model *model = with_calls(&run);
	const struct esv_shape *root, *halo, *recv, *bcast, *wait;
	struct esv_figure figure;

	drawn(model, &usual, &figure);
	root = call(&figure, 1, "main: 400 ns, 100 % of the time in MPI");
	halo = call(&figure, 2, "halo, called at m.c:5: 300 ns, 75 %");
	recv = call(&figure, 3, "MPI_Recv, called at h.c:9: 300 ns");
	bcast = call(&figure, 4, "2 ranks; most in q: 60 ns");
	EXPECT_TRUE(
	    root != NULL && halo != NULL && recv != NULL && bcast != NULL);
	EXPECT_TRUE(fabs((halo->width + 1) / (root->width + 1) - 0.75) < 0.001);
	EXPECT_TRUE(fabs(halo->x - root->x) < 0.01);
	EXPECT_TRUE(
	    fabs(bcast->x + bcast->width - root->x - root->width) < 0.01);
	EXPECT_TRUE(root->y < halo->y && halo->y < recv->y);
	EXPECT_TRUE(fabs(bcast->y - halo->y) < 0.01);
	/* The line of waiting is the last shape of a node. */
	wait = recv + 1;
	while (wait->role != ESV_ROLE_WAITING)
		wait++;
	EXPECT_EQ(3, wait->thing.id);
	EXPECT_TRUE(fabs(wait->width - recv->width / 2) < 0.01);
	EXPECT_TRUE(wait->y + wait->height <= recv->y + recv->height + 0.01);
	EXPECT_TRUE(says(&figure, "The width is 400 ns in MPI calls"));
	esv_figure_fini(&figure);
	closed(model, run);
}

/* A view.db may come from anywhere: parents that lie behind their nodes, or
   outside of the tree, are refused. */
static void
damaged_trees_are_refused(void)
{
	static const char *const damage[] = {
		"UPDATE call_tree SET parent = 4 WHERE node = 2",
		"UPDATE call_tree SET parent = 2 WHERE node = 2",
		"UPDATE call_tree SET parent = 1000000 WHERE node = 3",
		"UPDATE call_tree SET parent = -5 WHERE node = 3",
		"UPDATE call_tree SET node = 9 WHERE node = 4"
	};
	struct esv_chart_options o = usual;

	o.highlight = ESV_THING(ESV_THING_CALL, 4);
	for (size_t n = 0; n < sizeof(damage) / sizeof(damage[0]); n++) {
		struct fake_run *run;
		struct esv_model *model = with_calls(&run);
		struct esv_figure figure;
		char file[4096];

		snprintf(file, sizeof(file), "%s", model->file);
		esv_model_close(model);
		fake_model_sql(file, damage[n]);
		EXPECT_OK(esv_model_open(file, &model));
		esv_figure_init(&figure, o.width, o.height);
		EXPECT_EQ(PATHS_EDAMAGED,
		    esv_chart_draw(model, esv_chart_find("flame"), &o,
			&figure));
		esv_figure_fini(&figure);
		closed(model, run);
	}
}

/* The callers have negative ids, so that a call of the other tree is not taken
   for one of them. */
static void
a_chosen_call_has_the_whole_width(void)
{
	struct fake_run *run;
	struct esv_model *model = with_calls(&run);
	struct esv_chart_options o = usual;
	struct esv_figure figure;
	double whole;

	drawn(model, &usual, &figure);
	whole = call(&figure, 1, "main")->width;
	esv_figure_fini(&figure);
	o.highlight = ESV_THING(ESV_THING_CALL, 4);
	drawn(model, &o, &figure);
	EXPECT_TRUE(fabs(call(&figure, 4, "MPI_Bcast")->width - whole) < 0.01);
	EXPECT_TRUE(fabs(call(&figure, 1, "main")->width - whole) < 0.01);
	EXPECT_TRUE(call(&figure, 2, "") == NULL);
	EXPECT_TRUE(says(&figure, "The width is 100 ns of the call"));
	esv_figure_fini(&figure);
	o.measure = "callers";
	o.highlight.id = 2;
	drawn(model, &o, &figure);
	EXPECT_TRUE(says(&figure, "in MPI calls, of all ranks"));
	EXPECT_TRUE(call(&figure, -2, "halo, calls at h.c:9") != NULL);
	esv_figure_fini(&figure);
	o.highlight.id = 12345;
	drawn(model, &o, &figure);
	EXPECT_TRUE(call(&figure, -1, "MPI_Recv") != NULL);
	esv_figure_fini(&figure);
	closed(model, run);
}

TEST_MAIN(calls_are_as_wide_as_their_time, damaged_trees_are_refused,
    a_chosen_call_has_the_whole_width)
