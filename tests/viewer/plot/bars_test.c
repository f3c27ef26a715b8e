/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/plot/bars_test.c - proves viewer/plot/bars.c: bars that do not
 * fit are folded
 */

#include "viewer/chart/chart.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <stdio.h>
#include <string.h>

/* Returns true if a shape of the chart load_balance has a tip that begins with
   a text. */
static bool
has_tip(struct esv_model *model, double height, const char *begin)
{
	struct esv_chart_options options = { .width = 800, .height = height };
	struct esv_figure figure;
	bool found = false;

	esv_figure_init(&figure, options.width, options.height);
	EXPECT_OK(esv_chart_draw(model, esv_chart_find("load_balance"),
	    &options, &figure));
	for (size_t n = 0; n < figure.count; n++)
		found |= figure.shapes[n].tip != NULL &&
		    strncmp(figure.shapes[n].tip, begin, strlen(begin)) == 0;
	esv_figure_fini(&figure);
	return found;
}

/* Returns true if the chart load_balance has a text. */
static bool
has_text(struct esv_model *model, const char *text)
{
	struct esv_chart_options options = { .width = 800, .height = 200 };
	struct esv_figure figure;
	bool found = false;

	esv_figure_init(&figure, options.width, options.height);
	EXPECT_OK(esv_chart_draw(model, esv_chart_find("load_balance"),
	    &options, &figure));
	for (size_t n = 0; n < figure.count; n++)
		found |= figure.shapes[n].text != NULL &&
		    strstr(figure.shapes[n].text, text) != NULL;
	esv_figure_fini(&figure);
	return found;
}

/* 64 bars at heights where some fit: the last group has several threads at
   some of these heights, and t63 alone at others. */
static void
a_group_of_one_bar_has_its_name(void)
{
	struct fake_run *run =
	    fake_run_create(FAKE_MAP "thread t0 -process p\n"
				     "element e -process p -type f64\n"
				     "path t0 e {{collector} {element e}} "
				     "-use write\n",
		4);
	struct esv_model *model;
	char file[4096];
	unsigned alone = 0, together = 0;

	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	snprintf(file, sizeof(file), "%s", model->file);
	esv_model_close(model);
	fake_model_sql(file,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
	    " WHERE i < 63) INSERT INTO thread"
	    " SELECT i, 0, 't' || i, NULL FROM n;"
	    "DELETE FROM load_balance; INSERT INTO load_balance"
	    " SELECT thread, 9, 1000, 10, 500, 0.5 FROM thread");
	EXPECT_OK(esv_model_open(file, &model));
	for (double height = 150; height < 350; height += 5) {
		EXPECT_TRUE(!has_tip(model, height, "t63 ..."));
		alone += has_tip(model, height, "t63, ");
		together += has_tip(model, height, "t0 ... ");
	}
	EXPECT_TRUE(alone > 0);
	EXPECT_TRUE(together > alone);
	EXPECT_TRUE(has_text(model, "of them, without numbers after it."));
	EXPECT_TRUE(!has_text(model, "unlike"));
	esv_model_close(model);
	/* One thread computes 64 times as long: 128 in the mean. */
	fake_model_sql(file,
	    "UPDATE load_balance SET computation_ns = 64 WHERE 1;"
	    "UPDATE load_balance SET computation_ns = 4160 WHERE thread = 9");
	EXPECT_OK(esv_model_open(file, &model));
	EXPECT_TRUE(has_text(model,
	    "t9 is the most unlike the others: computation 4.16 us, and 128 ns "
	    "in the mean of all."));
	esv_model_close(model);
	fake_run_remove(run);
}

TEST_MAIN(a_group_of_one_bar_has_its_name)
