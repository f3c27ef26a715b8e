/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/mpi_views_test.c - views of operations on paths, computed
 * from tuples of MPI calls
 *
 * Two threads call MPI.  Some calls complete several requests; each request has
 * a tuple of its own, which is not a call.
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/rows.h"
#include "scopes/store.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

/* Adds a tuple; with the seq of the last call it belongs to that call. */
#define CALL(run, thread, its_seq, its_op, from, to) \
	fake_mpi_add(run, 0, thread, \
	    &(struct es_tuple_mpi){ .start = (from), \
		.stop = (to), \
		.seq = (its_seq), \
		.op = (its_op), \
		.comm = 1, /* at the place of the status of other tuples */ \
		.peer = -1 })

/* Records a receive, a Startall of two requests and a Waitall for both. */
static struct fake_mpi *
recorded(void)
{
	struct fake_mpi *run = fake_mpi_create(1, 16);

	fake_mpi_thread(run, 0);
	CALL(run, 0, 0, 5, 1000, 3000);
	CALL(run, 0, 1, 9, 3000, 3500);
	CALL(run, 0, 1, 8, 3000, 3500);
	CALL(run, 0, 1, 8, 3000, 3500);
	CALL(run, 0, 2, 6, 4000, 5000);
	CALL(run, 0, 2, ES_MPI_COMPLETED, 4000, 5000);
	CALL(run, 0, 2, ES_MPI_COMPLETED, 4000, 5000);
	CALL(run, 0, 3, 5, 9000, 10500);
	CALL(run, 1, 0, 7, 2000, 4000);
	CALL(run, 1, 1, 8, 6000, 0);
	fake_mpi_end(run, FAKE_RUN_KILLED);
	return run;
}

static void
text_is(const char *table, const char *want)
{
	struct fake_mpi *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_mpi_dir(run), NULL, 1);

	EXPECT_STR_EQ(want, memory_sink_text(sink, table));
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

/* A call that has not returned takes no time. */
static void
time_in_calls_is_communication(void)
{
	text_is("load_balance",
	    "0|4|5000|5500|0|0.476\n"
	    "1|1|2000|8500|0|0.190\n");
}

static void
the_first_collector_of_a_thread_is_its_head(void)
{
	struct fake_mpi *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_mpi_dir(run), "base", 1);

	EXPECT_EQ(2, memory_sink_sum(sink, "collector", "head"));
	EXPECT_EQ(1000, memory_sink_int(sink, "collector", 0, "first_ns"));
	EXPECT_EQ(10500, memory_sink_int(sink, "collector", 0, "last_ns"));
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

/* The process, the host and the run have rows too. */
static void
the_timeline_has_a_row_for_each_thread(void)
{
	struct fake_mpi *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_mpi_dir(run), "timeline", 1);

	EXPECT_EQ(5, memory_sink_rows(sink, "timeline_row"));
	EXPECT_EQ(8, memory_sink_sum(sink, "timeline_row", "threads"));
	EXPECT_TRUE(memory_sink_rows(sink, "timeline_level") >= 3);
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

/* Returns the number that a query of the run's view.db gives. */
static int64_t
number(struct fake_mpi *fake, const char *sql)
{
	const struct es_view *const views[] = { es_view_find("base"),
		es_view_find("interval") };
	struct es_analysis *analysis;
	struct es_value value;
	struct es_store *store;
	struct es_rows *rows;
	struct es_run *run;
	char file[300];

	snprintf(file, sizeof(file), "%s/view.db", fake_mpi_dir(fake));
	EXPECT_OK(es_run_open(fake_mpi_dir(fake), &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es_store_create(file, &store));
	EXPECT_OK(es_store_run(store, analysis));
	EXPECT_OK(es_store_view(store, views[0]));
	EXPECT_OK(views[0]->compute(analysis, es_store_sink(store)));
	EXPECT_OK(es_store_view(store, views[1]));
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
	es_analysis_close(analysis);
	es_run_close(run);
	EXPECT_OK(es_store_open(file, &store));
	EXPECT_OK(es_rows_open(store, sql, &rows, NULL));
	EXPECT_OK(es_rows_next(rows));
	es_rows_get(rows, 0, &value);
	es_rows_close(rows);
	es_store_close(store);
	return value.as.integer;
}

/* Requests that a call completes are parts of it, and no events. */
static void
events_and_intervals_are_calls(void)
{
	struct fake_mpi *run = recorded();

	EXPECT_EQ(6, number(run, "SELECT count(*) FROM event"));
	EXPECT_EQ(6, number(run, "SELECT event_count(NULL, NULL, NULL)"));
	EXPECT_EQ(4, number(run, "SELECT count(*) FROM event_part"));
	EXPECT_EQ(4,
	    number(run,
		"SELECT count(*) FROM event_part p JOIN event e"
		" USING (collector, seq) WHERE p.start_ns = e.start_ns"
		" AND p.site = e.site"));
	EXPECT_EQ(6, number(run, "SELECT count(*) FROM interval"));
	EXPECT_EQ(5000,
	    number(run,
		"SELECT sum(stop_ns - start_ns) FROM interval"
		" WHERE thread = 0"));
	fake_mpi_remove(run);
}

/* One diagnostic gives the reason for all of them. */
static void
views_of_stages_are_empty(void)
{
	static const char *const views[] = { "arrival", "departure",
		"wrapper_latency", "breakdown", "profile" };
	struct fake_mpi *run = recorded();
	struct memory_sink *sink =
	    memory_sink_compute(fake_mpi_dir(run), NULL, 1);
	const char *diagnostics = memory_sink_text(sink, "diagnostic");
	const char *found;

	for (size_t n = 0; n < sizeof(views) / sizeof(views[0]); n++)
		EXPECT_EQ(0, memory_sink_rows(sink, views[n]));
	found = strstr(diagnostics, "note|view ");
	EXPECT_TRUE(
	    found != NULL && strncmp(found, "note|view of paths|", 19) == 0);
	EXPECT_TRUE(found != NULL && strstr(found + 1, "note|view ") == NULL);
	EXPECT_TRUE(strstr(diagnostics, "an operation did not return") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

static paths_status
row_drop(struct es_sink *sink, const struct es_table *table,
    const struct es_value *values)
{
	(void)sink;
	(void)table;
	(void)values;
	return PATHS_OK;
}

/* Returns whether a view reads the whole trace of a run into memory. */
static bool
whole_trace(struct es_run *run, const struct es_view *view)
{
	struct es_sink sink = { .row = row_drop };
	struct es_analysis *analysis;
	bool whole;

	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es_view_plan(view, analysis));
	EXPECT_OK(es_view_fill(view, analysis, &sink));
	whole = analysis->matched != NULL && analysis->matched->trace != NULL;
	es_analysis_close(analysis);
	return whole;
}

/* Only calls that have not returned may need all tuples at once. */
static void
views_of_a_run_that_ended_take_windows(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);
	const struct es_view *view;
	struct es_run *run;

	CALL(fake, 0, 0, 5, 1000, 3000);
	CALL(fake, 0, 1, 9, 3000, 3500);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	EXPECT_OK(es_run_open(fake_mpi_dir(fake), &run));
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		EXPECT_STR_EQ("", whole_trace(run, view) ? view->name : "");
	es_run_close(run);
	fake_mpi_remove(fake);
}

TEST_MAIN(time_in_calls_is_communication,
    the_first_collector_of_a_thread_is_its_head,
    the_timeline_has_a_row_for_each_thread, events_and_intervals_are_calls,
    views_of_stages_are_empty, views_of_a_run_that_ended_take_windows)
