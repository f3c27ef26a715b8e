/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi_views_test.c - views of paths, over tuples of MPI calls
 *
 * Two threads that call MPI; some calls complete several requests, of which
 * each has a tuple that is no call.
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "collectors/mpi_function.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static const char map_text[] =
    FAKE_MAP "thread t -process p\n"
	     "thread u -process p\n"
	     "element mpi -process p -type u8 -keep 1\n"
	     "path t mpi {{collector} {element mpi}}\n"
	     "path u mpi {{collector} {element mpi}}\n";

static void
call(struct fake_run *run, uint32_t thread, uint16_t op, uint64_t start,
    uint64_t stop)
{
	/* comm lies where operations on paths have their status. */
	struct es_tuple_mpi tuple = { .start = start,
		.stop = stop,
		.op = op,
		.comm = 1,
		.peer = -1 };

	fake_run_add_raw(run, thread, &tuple);
}

static struct fake_run *
recorded(void)
{
	struct fake_run *run =
	    fake_run_create_of(map_text, 16, es_tuple_type_find("mpi"));

	call(run, 0, 5, 1000, 3000);
	call(run, 0, 6, 4000, 5000);
	call(run, 0, ES_MPI_COMPLETED, 4000, 5000);
	call(run, 0, ES_MPI_COMPLETED, 4000, 5000);
	call(run, 0, 5, 9000, 11000);
	call(run, 1, 7, 2000, 4000);
	call(run, 1, 8, 6000, 0);
	fake_run_end(run, FAKE_RUN_KILLED);
	return run;
}

static void
text_is(const char *table, const char *want)
{
	struct fake_run *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 1);

	EXPECT_STR_EQ(want, memory_sink_text(sink, table));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* One that has not come back takes no time. */
static void
time_in_calls_is_communication(void)
{
	text_is("load_balance",
	    "0|3|5000|5000|0|0.500\n"
	    "1|1|2000|0|0|1.000\n");
}

static void
the_first_collector_of_a_thread_is_its_head(void)
{
	struct fake_run *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), "base", 1);

	EXPECT_EQ(2, memory_sink_sum(sink, "collector", "head"));
	EXPECT_EQ(1000, memory_sink_int(sink, "collector", 0, "first_ns"));
	EXPECT_EQ(11000, memory_sink_int(sink, "collector", 0, "last_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Each thread, and both together as process and host. */
static void
the_timeline_has_a_row_for_each_thread(void)
{
	struct fake_run *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), "timeline", 1);

	EXPECT_EQ(4, memory_sink_rows(sink, "timeline_row"));
	EXPECT_EQ(6, memory_sink_sum(sink, "timeline_row", "threads"));
	EXPECT_TRUE(memory_sink_rows(sink, "timeline_level") >= 4);
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* And it is said why. */
static void
views_of_stages_are_empty(void)
{
	static const char *const views[] = { "arrival", "departure",
		"wrapper_latency", "breakdown", "profile" };
	struct fake_run *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 1);
	const char *said = memory_sink_text(sink, "diagnostic");

	for (size_t n = 0; n < sizeof(views) / sizeof(views[0]); n++) {
		char want[64];

		EXPECT_EQ(0, memory_sink_rows(sink, views[n]));
		snprintf(want, sizeof(want), "note|view %s|", views[n]);
		EXPECT_TRUE(strstr(said, want) != NULL);
	}
	EXPECT_TRUE(strstr(said, "an operation had not come back") != NULL);
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(time_in_calls_is_communication,
    the_first_collector_of_a_thread_is_its_head,
    the_timeline_has_a_row_for_each_thread, views_of_stages_are_empty)
