/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/memory_test.c - views and runs when an allocation fails
 *
 * The n-th allocation fails, for every n.  The computation then returns
 * PATHS_ENOMEM, or PATHS_OK if only a diagnostic was lost, and frees its
 * memory.  The linker puts the functions below in place of those of the C
 * library.
 */

#include "scopes/analysis.h"

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"

#include "tests/test.h"

#include <stdlib.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static int64_t left = INT64_MAX; /* allocations until one fails */

static bool
fails(void)
{
	return left-- == 0;
}

void *
__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *
__wrap_calloc(size_t count, size_t bytes)
{
	return fails() ? NULL : __real_calloc(count, bytes);
}

void *
__wrap_realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __real_realloc(old, bytes);
}

/* The stage is linked to the test, so no plugin is loaded. */
extern const struct paths_stage_ops es__stage_collector;

static const char map_text[] =
    "pathmap 1\n"
    "host a\n"
    "host b\n"
    "process p -host a\n"
    "process q -host b -listen tcp:0\n"
    "thread t0 -process p\n"
    "thread t1 -process p\n"
    "element total -process q -type f64 -keep 16\n"
    "element e -process p -type f64 -keep 16\n"
    "stage sum reduce -process p -op sum -type f64 -inputs 2 "
    "-next {{collector} {proxy q} {collector} {element total}}\n"
    "path t0 total {{collector} {sum}}\n"
    "path t1 total {{collector} {sum}}\n"
    "path t0 e {{collector} {element e}} -use write\n"
    "path t1 e {{collector} {element e}} -use read\n";

static struct fake_run *
recorded(enum fake_run_state state)
{
	struct fake_run *run;

	EXPECT_OK(paths_stage_register(&es__stage_collector));
	run = fake_run_create(map_text, 16);
	for (uint32_t seq = 0; seq < 10; seq++) {
		uint64_t at = 1000 * (uint64_t)seq;

		FAKE_OP(run, 2, EXCHANGE, seq, at + 10, at + 110);
		FAKE_OP(run, 3, EXCHANGE, seq, at + 20, at + 110);
		FAKE_OP(run, 0, EXCHANGE, seq, at + 30, at + 100);
		FAKE_OP(run, 1, EXCHANGE, seq, at + 50, at + 80);
		FAKE_OP(run, 4, WRITE, seq, at + 120, at + 130);
		FAKE_OP(run, 5, READ, seq, at + 120, at + 140);
	}
	fake_run_end(run, state);
	return run;
}

static paths_status
row_to_nowhere(struct es_sink *sink, const struct es_table *table,
    const struct es_value *values)
{
	(void)sink;
	(void)table;
	(void)values;
	return PATHS_OK;
}

static paths_status
compute_all(struct es_run *run)
{
	struct es_sink sink = { row_to_nowhere };
	struct es_analysis *analysis;
	const struct es_view *view;
	paths_status st = es_analysis_open(run, 1, NULL, &analysis);

	if (st != PATHS_OK)
		return st;
	for (size_t n = 0; st == PATHS_OK && (view = es_view_get(n)) != NULL;
	     n++) {
		if (view->compute != NULL)
			st = view->compute(analysis, &sink);
	}
	es_analysis_close(analysis);
	return st;
}

/* Computes the views of a run until no allocation fails. */
static void
fail_each_allocation(const char *dir)
{
	struct es_run *run;
	int64_t n = 0;
	bool failed = true;

	EXPECT_OK(es_run_open(dir, &run));
	for (; failed; n++) {
		paths_status st;

		left = n;
		st = compute_all(run);
		failed = left < 0;
		left = INT64_MAX;
		/* A lost diagnostic does not fail the computation. */
		EXPECT_TRUE(st == PATHS_OK || (failed && st == PATHS_ENOMEM));
	}
	EXPECT_TRUE(n > 50);
	es_run_close(run);
}

static void
views_are_computed_or_report_a_lack_of_memory(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_ENDED);

	fail_each_allocation(fake_run_dir(fake));
	fake_run_remove(fake);
}

/* Adds a call with its profile row and site.  One rank begins 300 ns later. */
static void
mpi_calls(struct fake_mpi *fake, uint32_t rank, const char *function,
    uint32_t seq)
{
	uint16_t op = (uint16_t)es_mpi_function_find(function);
	uint64_t at = seq * 1000 + (seq + rank) % 2 * 300;
	struct es_mpi_profile row = { .site = seq,
		.function = op,
		.size_class = 4,
		.comm = ES_MPI_COMM_WORLD,
		.calls = 1,
		.sum_ticks = 500,
		.min_ticks = 500,
		.max_ticks = 500 };

	row.bins[es_mpi_bin(500)] = 1;
	fake_mpi_profile(fake, rank, 0, &row);
	fake_mpi_site(fake, rank, seq,
	    (struct es_mpi_frame[]){ { .module = 1, .offset = 16 * seq },
		{ .module = FAKE_MPI_NO_FRAME } });
	fake_mpi_add(fake, rank, 0,
	    &(struct es_tuple_mpi){ .start = at,
		.stop = at + 500,
		.seq = seq,
		.op = op,
		.comm = ES_MPI_COMM_WORLD,
		.peer = 1 - (int32_t)rank,
		.bytes = 8,
		.site = seq,
		.match = 1 });
}

static struct fake_mpi *
mpi_recorded(enum fake_run_state state)
{
	struct fake_mpi *fake = fake_mpi_create(2, 16);

	EXPECT_OK(paths_stage_register(&es__stage_collector));
	for (uint32_t rank = 0; rank < 2; rank++) {
		struct es_mpi_matrix matrix = { .peer = 1 - (int32_t)rank,
			.messages = 1,
			.bytes = 8 };
		struct es_mpi_collective sum = { .comm = ES_MPI_COMM_WORLD,
			.function =
			    (uint16_t)es_mpi_function_find("MPI_Allreduce"),
			.root = -1,
			.calls = 1,
			.bytes = 8 };

		fake_mpi_process(fake, rank, "Fake MPI 1.0", "./app");
		fake_mpi_module(fake, rank, 1, "", "/nowhere/app");
		fake_mpi_matrix(fake, rank, 0, &matrix);
		fake_mpi_collective(fake, rank, 0, &sum);
		mpi_calls(fake, rank, rank == 0 ? "MPI_Send" : "MPI_Recv", 1);
		mpi_calls(fake, rank, "MPI_Allreduce", 2);
	}
	fake_mpi_end(fake, state);
	return fake;
}

static void
views_of_mpi_are_computed_or_report_a_lack_of_memory(void)
{
	struct fake_mpi *fake = mpi_recorded(FAKE_RUN_ENDED);

	fail_each_allocation(fake_mpi_dir(fake));
	fake_mpi_remove(fake);
}

/* Opens a run until no allocation fails. */
static void
open_each_allocation(const char *dir)
{
	struct es_run *run;
	int64_t n = 0;
	bool failed = true;

	for (; failed; n++) {
		paths_status st;

		left = n;
		st = es_run_open(dir, &run);
		failed = left < 0;
		left = INT64_MAX;
		EXPECT_TRUE(st == PATHS_OK || (failed && st == PATHS_ENOMEM));
		if (st == PATHS_OK)
			es_run_close(run);
	}
	EXPECT_TRUE(n > 20);
}

/* A live run is copied when it is opened. */
static void
a_run_is_opened_or_a_lack_of_memory_is_reported(void)
{
	struct fake_run *fake = recorded(FAKE_RUN_LIVE);

	open_each_allocation(fake_run_dir(fake));
	fake_run_remove(fake);
}

static void
a_run_of_mpi_is_opened_or_a_lack_of_memory_is_reported(void)
{
	struct fake_mpi *fake = mpi_recorded(FAKE_RUN_LIVE);

	open_each_allocation(fake_mpi_dir(fake));
	fake_mpi_remove(fake);
}

TEST_MAIN(views_are_computed_or_report_a_lack_of_memory,
    views_of_mpi_are_computed_or_report_a_lack_of_memory,
    a_run_is_opened_or_a_lack_of_memory_is_reported,
    a_run_of_mpi_is_opened_or_a_lack_of_memory_is_reported)
