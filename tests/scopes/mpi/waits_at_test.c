/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/waits_at_test.c - proves scopes/mpi/waits_at.c and
 * scopes/path/waits_spans.c
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"

#include "scopes/analysis.h"
#include "scopes/waits_at.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Two sums: t0 and t1 meet in low; low and t2 meet in high.  Collectors: low's
 * tail 0, high's tail 1, t0 2, t1 3, t2 4.  Stages: total 0, low 1, high 2.
 */
static const char tree_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage low reduce -process p -op sum -type f64 -inputs 2 "
	     "-next {{collector} {high}}\n"
	     "stage high reduce -process p -op sum -type f64 -inputs 2 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {low}}\n"
	     "path t1 total {{collector} {low}}\n"
	     "path t2 total {{collector} {high}}\n";

enum { LOW_TAIL, HIGH_TAIL, T0, T1, T2 };

/* t1 comes to low last, and low comes to high last. */
static void
tree_operation(struct fake_run *run, uint32_t seq, uint64_t at)
{
	FAKE_OP(run, T0, EXCHANGE, seq, at + 0, at + 100);
	FAKE_OP(run, T2, EXCHANGE, seq, at + 5, at + 95);
	FAKE_OP(run, T1, EXCHANGE, seq, at + 30, at + 101);
	FAKE_OP(run, LOW_TAIL, EXCHANGE, seq, at + 40, at + 90);
	FAKE_OP(run, HIGH_TAIL, EXCHANGE, seq, at + 50, at + 70);
}

/* Writes spans as "waiter>culprit pattern stage start-stop op seq". */
static void
spans_write(struct es_analysis *a, int64_t from, int64_t to, FILE *out)
{
	struct es_waits *waits;
	struct es_waits_span s;
	paths_status st;

	EXPECT_EQ(PATHS_OK, es_waits_open(a, from, to, &waits));
	while ((st = es_waits_next(waits, &s)) == PATHS_OK)
		fprintf(out, "%u>%d %s %d %lld-%lld %s %llu\n", s.waiter,
		    (int)s.culprit, s.pattern, (int)s.stage,
		    (long long)s.start_ns,
		    (long long)(s.stop_ns < INT64_MAX ? s.stop_ns : -1), s.op,
		    (unsigned long long)s.seq);
	EXPECT_EQ(PATHS_ENOENT, st);
	EXPECT_EQ(PATHS_ENOENT, es_waits_next(waits, &s));
	es_waits_close(waits);
}

/* Compares the spans of a run in an interval with a text. */
static void
expect_spans(const char *want, const char *dir, int64_t from, int64_t to)
{
	struct es_run *run;
	struct es_analysis *a;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	EXPECT_EQ(PATHS_OK, es_run_open(dir, &run));
	EXPECT_EQ(PATHS_OK, es_analysis_open(run, 1, NULL, &a));
	spans_write(a, from, to, out);
	fclose(out);
	EXPECT_STR_EQ(want, text);
	free(text);
	es_analysis_close(a);
	es_run_close(run);
}

static void
spans_follow_an_operation_through_its_stages(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);

	tree_operation(run, 0, 1000);
	tree_operation(run, 1, 2000);
	fake_run_end(run, FAKE_RUN_ENDED);
	expect_spans("0>1 join 1 2000-2030 exchange 1\n"
		     "0>-1 unexplained 1 2030-2040 exchange 1\n"
		     "0>-1 unexplained 2 2040-2050 exchange 1\n"
		     "0>-1 unexplained 0 2050-2070 exchange 1\n"
		     "0>-1 unexplained 2 2070-2090 exchange 1\n"
		     "0>-1 unexplained 1 2090-2100 exchange 1\n"
		     "1>-1 unexplained 1 2030-2040 exchange 1\n"
		     "1>-1 unexplained 2 2040-2050 exchange 1\n"
		     "1>-1 unexplained 0 2050-2070 exchange 1\n"
		     "1>-1 unexplained 2 2070-2090 exchange 1\n"
		     "1>-1 unexplained 1 2090-2101 exchange 1\n"
		     "2>1 join 2 2005-2040 exchange 1\n"
		     "2>-1 unexplained 2 2040-2050 exchange 1\n"
		     "2>-1 unexplained 0 2050-2070 exchange 1\n"
		     "2>-1 unexplained 2 2070-2095 exchange 1\n",
	    fake_run_dir(run), 1500, 9000);
	fake_run_remove(run);
}

/* A span has its start, but not its end. */
static void
at_a_time_each_thread_has_at_most_one_span(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);
	const char *dir = fake_run_dir(run);

	tree_operation(run, 0, 1000);
	tree_operation(run, 1, 2000);
	fake_run_end(run, FAKE_RUN_ENDED);
	expect_spans("", dir, 999, 999);
	expect_spans("0>1 join 1 1000-1030 exchange 0\n", dir, 1000, 1000);
	expect_spans("0>1 join 1 1000-1030 exchange 0\n"
		     "2>1 join 2 1005-1040 exchange 0\n",
	    dir, 1029, 1029);
	expect_spans("0>-1 unexplained 1 1030-1040 exchange 0\n"
		     "1>-1 unexplained 1 1030-1040 exchange 0\n"
		     "2>1 join 2 1005-1040 exchange 0\n",
	    dir, 1030, 1030);
	expect_spans("1>-1 unexplained 1 1090-1101 exchange 0\n", dir, 1100,
	    1100);
	expect_spans("", dir, 1101, 1999);
	expect_spans("", dir, 5000, 5000);
	expect_spans("", dir, INT64_MIN, -1);
	fake_run_remove(run);
}

/* t0 has an operation that low's tail lost, one that failed, and one that is
   still inside; t2 is late for the first. */
static void
no_operation_is_left_out(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);
	struct es_tuple_path failed = { .start = 1200,
		.stop = 1250,
		.seq = 1,
		.op = PATHS_EXCHANGE,
		.status = 5 };

	FAKE_OP(run, T0, EXCHANGE, 0, 1000, 1100);
	FAKE_OP(run, T1, EXCHANGE, 0, 1010, 1100);
	FAKE_OP(run, T2, EXCHANGE, 0, 1020, 1100);
	FAKE_OP(run, HIGH_TAIL, EXCHANGE, 0, 1050, 1070);
	fake_run_add(run, T0, &failed);
	FAKE_OP(run, T0, EXCHANGE, 1, 2000, 2100);
	FAKE_OP(run, T1, EXCHANGE, 1, 2000, 2100);
	FAKE_OP(run, T2, EXCHANGE, 1, 2010, 2100);
	FAKE_OP(run, LOW_TAIL, EXCHANGE, 1, 2000, 2090);
	FAKE_OP(run, HIGH_TAIL, EXCHANGE, 1, 2010, 2090);
	FAKE_OP(run, T0, EXCHANGE, 2, 3000, 0);
	FAKE_OP(run, LOW_TAIL, EXCHANGE, 2, 3000, 0);
	fake_run_end(run, FAKE_RUN_KILLED);
	expect_spans("0>-1 unexplained 1 1000-1100 exchange 0\n"
		     "1>-1 unexplained 1 1010-1100 exchange 0\n"
		     "2>-1 unexplained 2 1020-1100 exchange 0\n"
		     "0>-1 unexplained 1 1200-1250 exchange 1\n",
	    fake_run_dir(run), INT64_MIN, 1999);
	expect_spans("0>-1 unfinished 2 3000--1 exchange 2\n",
	    fake_run_dir(run), 2500, INT64_MAX);
	fake_run_remove(run);
}

/* r1 waits in Recv for r0; then both sum, and r0 is last. */
static void
mpi_calls_are_divided_by_their_wait_states(void)
{
	struct fake_mpi *run = fake_mpi_create(2, 16);
	const char *dir = fake_mpi_dir(run);

	FAKE_MPI_CALL(run, 1, "Recv", 1000, 1900, .peer = 0, .tag = 7);
	FAKE_MPI_CALL(run, 0, "Send", 1500, 1800, .peer = 1, .tag = 7);
	FAKE_MPI_CALL(run, 1, "Allreduce", 2000, 2700, .peer = -1, .bytes = 8,
	    .match = 1);
	FAKE_MPI_CALL(run, 0, "Allreduce", 2500, 2600, .peer = -1, .bytes = 8,
	    .match = 1);
	FAKE_MPI_CALL(run, 0, "Recv", 3000, 0, .peer = 1, .tag = 8);
	fake_mpi_end(run, FAKE_RUN_KILLED);
	expect_spans("0>-1 unexplained -1 1500-1800 MPI_Send 0\n"
		     "0>-1 unexplained -1 2500-2600 MPI_Allreduce 1\n"
		     "0>-1 unfinished -1 3000--1 MPI_Recv 2\n"
		     "1>0 Late Sender -1 1000-1500 MPI_Recv 0\n"
		     "1>-1 unexplained -1 1500-1900 MPI_Recv 0\n"
		     "1>0 Wait at N x N -1 2000-2500 MPI_Allreduce 1\n"
		     "1>-1 unexplained -1 2500-2600 MPI_Allreduce 1\n"
		     "1>-1 N x N Completion -1 2600-2700 MPI_Allreduce 1\n",
	    dir, INT64_MIN, INT64_MAX);
	expect_spans("1>0 Late Sender -1 1000-1500 MPI_Recv 0\n", dir, 1499,
	    1499);
	expect_spans("0>-1 unexplained -1 1500-1800 MPI_Send 0\n"
		     "1>-1 unexplained -1 1500-1900 MPI_Recv 0\n",
	    dir, 1500, 1500);
	fake_mpi_remove(run);
}

TEST_MAIN(spans_follow_an_operation_through_its_stages,
    at_a_time_each_thread_has_at_most_one_span, no_operation_is_left_out,
    mpi_calls_are_divided_by_their_wait_states)
