/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/service_test.c - service times of threads that share
 * tuples
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

/* Collectors: m task 0, a task 1, b task 2, m result 3, a result 4, b result 5,
   b other 6. */
static const char map_text[] =
    FAKE_MAP "thread m -process p\n"
	     "thread a -process p\n"
	     "thread b -process p\n"
	     "element task -process p -type f64 -keep 16 -take one\n"
	     "element result -process p -type f64 -keep 16 -take one\n"
	     "element other -process p -type f64 -keep 16\n"
	     "path m task {{collector} {element task}} -use write\n"
	     "path a task {{collector} {element task}} -use read\n"
	     "path b task {{collector} {element task}} -use read\n"
	     "path m result {{collector} {element result}} -use read\n"
	     "path a result {{collector} {element result}} -use write\n"
	     "path b result {{collector} {element result}} -use write\n"
	     "path b other {{collector} {element other}} -use write\n";

enum { M_TASK, A_TASK, B_TASK, M_RESULT, A_RESULT, B_RESULT, B_OTHER };

static struct memory_sink *
computed(struct fake_run *run)
{
	struct memory_sink *sink;

	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "service", 1);
	fake_run_remove(run);
	return sink;
}

static void
service_is_the_time_between_reads_without_operations(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	FAKE_OP(run, M_TASK, WRITE, 0, 1, 2);
	FAKE_OP(run, A_TASK, READ, 0, 5, 10);
	FAKE_OP(run, A_RESULT, WRITE, 0, 40, 45);
	FAKE_OP(run, A_TASK, READ, 1, 47, 50); /* served for 30 + 2 */
	FAKE_OP(run, B_TASK, READ, 0, 5, 10);
	/* Two operations of b overlap from 60 to 70. */
	FAKE_OP(run, B_OTHER, WRITE, 0, 50, 70);
	FAKE_OP(run, B_RESULT, WRITE, 0, 60, 80);
	FAKE_OP(run, B_TASK, READ, 1, 80, 90);	 /* for 40 */
	FAKE_OP(run, B_TASK, READ, 2, 190, 195); /* for 100 */
	FAKE_OP(run, M_RESULT, READ, 0, 20, 46);
	sink = computed(run);
	/* Only m reads result, so nobody shares it. */
	EXPECT_STR_EQ("0|1|2|1|32|32|3\n"
		      "0|2|3|2|140|100|15\n",
	    memory_sink_text(sink, "service"));
	memory_sink_free(sink);
}

static void
intervals_with_missing_operations_do_not_count(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	FAKE_OP(run, A_TASK, READ, 0, 5, 10);
	FAKE_OP(run, A_TASK, READ, 2, 1000, 1010); /* read 1 is missing */
	FAKE_OP(run, A_TASK, READ, 3, 1030, 1031);
	FAKE_OP(run, B_TASK, READ, 0, 5, 10);
	sink = computed(run);
	EXPECT_STR_EQ("0|1|3|1|20|20|1\n"
		      "0|2|1|0|0|0|0\n",
	    memory_sink_text(sink, "service"));
	memory_sink_free(sink);
}

TEST_MAIN(service_is_the_time_between_reads_without_operations,
    intervals_with_missing_operations_do_not_count)
