/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/timeline/unreturned_test.c - waits in calls that did not return
 */

#include "viewer/timeline/strips.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <stdio.h>
#include <stdlib.h>

/* Compares the draw list of all threads: row, pixels, grey and class. */
static void
expect_strips(const char *want, struct esv_model *model,
    const struct esv_window *window)
{
	struct esv_strips strips = { 0 };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	EXPECT_OK(esv_strips_fill(model, window, model->thread_rows,
	    model->thread_count, &strips));
	for (size_t n = 0; n < strips.count; n++) {
		const struct esv_strip *s = &strips.strips[n];

		fprintf(to, "%u %u-%u %u %s\n", s->row, s->x0, s->x1, s->grey,
		    esv_class_name(s->class));
	}
	fclose(to);
	EXPECT_STR_EQ(want, text);
	free(text);
	esv_strips_fini(&strips);
}

/* Thread t waits at a join for u, which does not come until the run is killed;
   v goes on. */
static void
an_operation_that_did_not_return_waits_to_the_end(void)
{
	static const char text[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process p\n"
		     "thread v -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "element f -process p -type f64 -keep 16\n"
		     "stage sum reduce -process p -op sum -type f64 -inputs 2 "
		     "-next {{element e}}\n"
		     "path t e {{collector} {sum}}\n"
		     "path u e {{collector} {sum}}\n"
		     "path v f {{collector} {element f}}\n";
	struct esv_window window = { 0, 4000000, 400, ESV_BY_GROUP, 0 };
	struct esv_strips strips = { 0 };
	struct esv_model *model;
	struct fake_run *run;
	uint32_t process;

	run = fake_run_create(text, 16);
	FAKE_OP(run, 0, EXCHANGE, 0, 0, 10);
	FAKE_OP(run, 1, EXCHANGE, 0, 0, 10);
	FAKE_OP(run, 0, EXCHANGE, 1, 2000000, 0);
	FAKE_OP(run, 2, WRITE, 0, 0, 4000000);
	fake_run_end(run, FAKE_RUN_KILLED);
	model = fake_model_open(fake_run_dir(run));
	EXPECT_EQ(4000000, model->span_ns);
	expect_strips("0 0-1 3 exchange\n0 200-400 32 waiting\n"
		      "1 0-1 3 exchange\n2 0-400 32 write\n",
	    model, &window);
	/* A third of the threads waits, and two thirds communicate. */
	process = fake_model_row(model, ESV_ROW_PROCESS, "p");
	EXPECT_OK(esv_strips_fill(model, &window, &process, 1, &strips));
	EXPECT_TRUE(strips.count > 0);
	EXPECT_EQ(400, strips.strips[strips.count - 1].x1);
	EXPECT_EQ(21, strips.strips[strips.count - 1].level);
	EXPECT_EQ(11, strips.strips[strips.count - 1].wait);
	window.hidden = 1u << ESV_CLASS_WAIT;
	expect_strips("0 0-1 3 exchange\n0 200-400 32 exchange\n"
		      "1 0-1 3 exchange\n2 0-400 32 write\n",
	    model, &window);
	esv_strips_fini(&strips);
	esv_model_close(model);
	fake_run_remove(run);
}

TEST_MAIN(an_operation_that_did_not_return_waits_to_the_end)
