/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/model_test.c - a run as the viewer has it open
 */

#include "viewer/model.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char map_text[] =
    FAKE_MAP "process silent -host b\n"
	     "thread t0 -process p\n"
	     "thread u -process q\n"
	     "thread t1 -process p\n"
	     "element e -process p -type f64 -keep 16\n"
	     "path t0 e {{collector} {element e}}\n"
	     "path u e {{collector} {proxy p} {element e}}\n"
	     "path t1 e {{element e}}\n";

static struct fake_run *
recorded(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);

	for (uint32_t n = 0; n < 10; n++) {
		FAKE_OP(run, 0, WRITE, n, 100 * n, 100 * n + 50);
		FAKE_OP(run, 1, WRITE, n, 100 * n + 10, 100 * n + 90);
	}
	return run;
}

static char *
rows_text(const struct es_model *model)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (uint32_t n = 0; n < model->row_count; n++) {
		const struct es_row *row = &model->rows[n];

		fprintf(to, "%*s%s %u parent %d threads %u %s\n",
		    2 * (int)row->depth, "", row->name, row->id,
		    (int)row->parent, row->threads,
		    row->pyramid == PATHS_NONE ? "nothing" : "drawn");
	}
	EXPECT_EQ(0, fclose(to));
	return text;
}

static void
rows_are_a_tree_of_all_that_is_in_the_map(void)
{
	struct fake_run *run = recorded();
	struct es_model *model;
	char *text;

	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	text = rows_text(model);
	EXPECT_STR_EQ("run 0 parent -1 threads 3 drawn\n"
		      "  a 0 parent 0 threads 2 drawn\n"
		      "    p 0 parent 1 threads 2 drawn\n"
		      "      t0 0 parent 2 threads 1 drawn\n"
		      "      t1 2 parent 2 threads 1 nothing\n"
		      "  b 1 parent 0 threads 1 drawn\n"
		      "    q 1 parent 5 threads 1 drawn\n"
		      "      u 1 parent 6 threads 1 drawn\n"
		      "    silent 2 parent 5 threads 0 nothing\n",
	    text);
	EXPECT_EQ(3, model->thread_count);
	EXPECT_EQ(3, model->thread_rows[0]);
	EXPECT_EQ(7, model->thread_rows[1]);
	EXPECT_EQ(4, model->thread_rows[2]);
	EXPECT_EQ(990, model->span_ns);
	EXPECT_TRUE(model->raw_missing == NULL);
	EXPECT_TRUE(model->stale == NULL);
	EXPECT_TRUE(!model->mpi);
	EXPECT_EQ(0, model->heads[model->head_of[0]]);
	EXPECT_EQ(1, model->heads[model->head_of[1]]);
	EXPECT_EQ(model->head_of[2], model->head_of[3]);
	free(text);
	es_model_close(model);
	fake_run_remove(run);
}

TEST_MAIN(rows_are_a_tree_of_all_that_is_in_the_map)
