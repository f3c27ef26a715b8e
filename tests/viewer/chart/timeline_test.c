/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/chart/timeline_test.c - proves viewer/chart/timeline.c: pictures
 * of a timeline
 */

#include "viewer/chart/timeline.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

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

static void
the_title_says_what_is_outside(void)
{
	struct fake_run *run = fake_run_create(FAKE_MAP
	    "thread t0 -process p\n"
	    "element e -process p -type f64 -keep 16\n"
	    "path t0 e {{collector} {element e}} -use write\n",
	    4);

	FAKE_OP(run, 0, WRITE, 0, 1000, 9000);
	fake_run_end(run, FAKE_RUN_ENDED);
	expect_title(run, "SELECT 1", "0 ns to 9 us");
	expect_title(run,
	    "INSERT INTO mpi_interval VALUES (0, 20, 70, 'MPI', 'MPI')",
	    "20 ns to 70 ns (measured interval; MPI_Init and the end of "
	    "MPI_Finalize are outside)");
	expect_title(run,
	    "INSERT INTO mpi_interval VALUES (0, 20, 70, 'MPI', 'recording')",
	    "20 ns to 9 us (to the end of the run; MPI_Init is outside)");
	fake_run_remove(run);
}

TEST_MAIN(the_title_says_what_is_outside)
