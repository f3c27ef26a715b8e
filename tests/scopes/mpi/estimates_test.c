/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/estimates_test.c - proves scopes/mpi/estimates.c by the
 * views that show estimates
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <string.h>

/* The calls of one row: some of one duration, some of another. */
struct calls {
	const char *function;
	uint32_t site;
	uint8_t flags;
	uint32_t comm;
	uint32_t few, many;	  /* counts */
	uint64_t few_ns, many_ns; /* duration of each */
};

/* Returns the number that a rank gives to one of three call sites. */
static uint32_t
site_of(uint32_t rank, uint32_t site)
{
	return rank % 2 == 0 ? site : 4 - site;
}

static struct fake_mpi *
created(uint32_t ranks, uint64_t keep)
{
	struct fake_mpi *run = fake_mpi_create(ranks, keep);

	for (uint32_t rank = 0; rank < ranks; rank++)
		for (uint32_t site = 1; site <= 3; site++)
			fake_mpi_site(run, rank, site_of(rank, site),
			    (struct es_mpi_frame[]){
				{ .module = UINT32_MAX, .offset = 16 * site },
				{ .module = FAKE_MPI_NO_FRAME } });
	return run;
}

static void
profile(struct fake_mpi *run, uint32_t rank, uint32_t thread,
    const struct calls *c)
{
	struct es_mpi_profile row = { .site = site_of(rank, c->site),
		.function = (uint16_t)es_mpi_function_find(c->function),
		.size_class = 4,
		.flags = c->flags,
		.comm = c->comm,
		.calls = c->few + c->many,
		.sum_ticks = c->few * c->few_ns + c->many * c->many_ns,
		.min_ticks = c->few > 0 ? c->few_ns : c->many_ns,
		.max_ticks = c->many > 0 ? c->many_ns : c->few_ns };

	row.bins[es_mpi_bin(c->few_ns)] += c->few;
	row.bins[es_mpi_bin(c->many_ns)] += c->many;
	fake_mpi_profile(run, rank, thread, &row);
}

#define PROFILE(run, rank, thread, ...) \
	profile(run, rank, thread, &(struct calls){ __VA_ARGS__ })

/* Expects the rows of a table, and removes the run. */
static void
table_is(struct fake_mpi *run, const char *table, const char *want)
{
	struct memory_sink *sink;

	fake_mpi_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_mpi_dir(run), NULL, 1);
	EXPECT_STR_EQ(want, memory_sink_text(sink, table));
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

/* 10 calls do not wait, 90 wait 2 ms: 0.18 s. */
static void
late_senders_are_estimated(void)
{
	struct fake_mpi *run = created(2, 0);

	PROFILE(run, 1, 0, "MPI_Recv", .site = 3, .few = 10, .few_ns = 1000,
	    .many = 90, .many_ns = 2001000);
	PROFILE(run, 0, 0, "MPI_Send", .site = 2, .many = 100, .many_ns = 700);
	table_is(run, "wait_estimate",
	    "0|2|Late Receiver|plain|100|0|1|MPI_Send|1|\n"
	    "0|2|Late Receiver|quantile|100|0|1|MPI_Send|1|\n"
	    "0|2|Late Receiver|ready|100|0|1|MPI_Send|1|\n"
	    "0|2|Late Receiver|local_global|100|0|1|MPI_Send|1|\n"
	    "1|3|Late Sender|plain|100|180000000|1|MPI_Recv|1|\n"
	    /* The second of 10 calls in [1000, 1024), the bin from 896 cut at
	       the shortest call. */
	    "1|3|Late Sender|quantile|100|179999520|1|MPI_Recv|1|\n"
	    "1|3|Late Sender|ready|100|180000000|1|MPI_Recv|1|\n"
	    "1|3|Late Sender|local_global|100|180000000|1|MPI_Recv|1|\n");
}

/* The shortest call is in rank 1; rank 0 has two threads. */
static void
collectives_are_compared_over_ranks(void)
{
	struct fake_mpi *run = created(2, 0);

	fake_mpi_thread(run, 0);
	PROFILE(run, 0, 0, "MPI_Allreduce", .site = 1, .comm = 1, .many = 3,
	    .many_ns = 4096);
	PROFILE(run, 0, 1, "MPI_Allreduce", .site = 1, .comm = 1, .many = 1,
	    .many_ns = 5096);
	PROFILE(run, 1, 0, "MPI_Allreduce", .site = 1, .comm = 1, .many = 4,
	    .many_ns = 96);
	table_is(run, "wait_estimate",
	    "0|1|Wait at N x N|plain|4|17000|1|MPI_Allreduce|1|\n"
	    "0|1|Wait at N x N|quantile|4|17000|1|MPI_Allreduce|1|\n"
	    "0|1|Wait at N x N|ready|4|17000|1|MPI_Allreduce|1|\n"
	    "0|1|Wait at N x N|local_global|4|17000|1|MPI_Allreduce|1|\n"
	    "1|1|Wait at N x N|plain|4|0|1|MPI_Allreduce|1|\n"
	    "1|1|Wait at N x N|quantile|4|0|1|MPI_Allreduce|1|\n"
	    "1|1|Wait at N x N|ready|4|0|1|MPI_Allreduce|1|\n"
	    "1|1|Wait at N x N|local_global|4|0|1|MPI_Allreduce|1|\n");
}

static void
a_collective_of_one_does_not_wait(void)
{
	struct fake_mpi *run = created(1, 0);

	PROFILE(run, 0, 0, "MPI_Barrier", .site = 1, .comm = ES_MPI_COMM_SELF,
	    .few = 1, .few_ns = 100, .many = 1, .many_ns = 9000);
	PROFILE(run, 0, 0, "MPI_Barrier", .site = 2, .comm = ES_MPI_COMM_WORLD,
	    .few = 1, .few_ns = 100, .many = 1, .many_ns = 9000);
	table_is(run, "wait_estimate", "");
}

/* Calls that complete several requests are marked, and have their own row. */
static void
completing_many_is_marked_unreliable(void)
{
	struct fake_mpi *run = created(1, 0);

	PROFILE(run, 0, 0, "MPI_Waitall", .site = 1, .flags = ES_MPI_MANY,
	    .few = 1, .few_ns = 100, .many = 1, .many_ns = 8192);
	PROFILE(run, 0, 0, "MPI_Waitall", .site = 1, .many = 2,
	    .many_ns = 4096);
	table_is(run, "wait_estimate",
	    "0|1|Late Sender|plain|2|0|1|MPI_Waitall|1|\n"
	    "0|1|Late Sender|quantile|2|0|1|MPI_Waitall|1|\n"
	    "0|1|Late Sender|ready|2|0|1|MPI_Waitall|1|\n"
	    "0|1|Late Sender|local_global|2|0|1|MPI_Waitall|1|\n"
	    "0|1|Late Sender|plain|2|8092|0|MPI_Waitall|1|\n"
	    "0|1|Late Sender|quantile|2|8092|0|MPI_Waitall|1|\n"
	    "0|1|Late Sender|ready|2|8092|0|MPI_Waitall|1|\n"
	    "0|1|Late Sender|local_global|2|8092|0|MPI_Waitall|1|\n");
}

static void
rows_of_another_epoch_are_empty(void)
{
	struct fake_mpi *run = created(1, 0);

	PROFILE(run, 0, 0, "MPI_Recv", .site = 1, .many = 2, .many_ns = 4096);
	fake_mpi_control(run, 0)->epoch = 1;
	table_is(run, "wait_estimate", "");
}

/* The number of tuples that are retained does not matter. */
static void
load_balance_is_that_of_the_profile(void)
{
	struct fake_mpi *run = created(2, 4);

	/* The last known time of the run is 20000 ns. */
	fake_mpi_add(run, 0, 0,
	    &(struct es_tuple_mpi){ .start = 19000,
		.stop = 20000,
		.seq = 1,
		.op = (uint16_t)es_mpi_function_find("MPI_Recv"),
		.peer = -1 });
	PROFILE(run, 0, 0, "MPI_Recv", .site = 1, .few = 1, .few_ns = 1000,
	    .many = 2, .many_ns = 2000);
	PROFILE(run, 0, 0, "MPI_Isend", .site = 1, .many = 5, .many_ns = 400);
	PROFILE(run, 1, 0, "MPI_Isend", .site = 1, .many = 1, .many_ns = 30000);
	table_is(run, "load_balance",
	    "0|8|7000|13000|2000|0.350\n"
	    "1|1|30000|0|0|1.000\n");
}

/* Adds a send of rank 0 to rank 1 to the trace, or the receive of rank 1. */
static void
traced(struct fake_mpi *run, const char *function, uint64_t start,
    uint64_t stop)
{
	bool sends = strcmp(function, "MPI_Send") == 0;
	uint32_t rank = sends ? 0 : 1;

	fake_mpi_call(run, rank, function,
	    (struct es_tuple_mpi){ .start = start,
		.stop = stop,
		.peer = sends ? 1 : 0,
		.bytes = 8,
		.site = site_of(rank, sends ? 2 : 1) });
}

/* Makes a run with two receives.  The first waits 38000 ns for its sender and
   then takes 2000 ns; the message of the second is ready, and it takes 1000. */
static struct fake_mpi *
traced_and_profiled(uint64_t keep)
{
	struct fake_mpi *run = created(2, keep);

	fake_mpi_last(run, 1000000);
	traced(run, "MPI_Send", 48000, 48500);
	traced(run, "MPI_Send", 52000, 52500);
	traced(run, "MPI_Recv", 10000, 50000);
	traced(run, "MPI_Recv", 60000, 61000);
	PROFILE(run, 0, 0, "MPI_Send", .site = 2, .many = 2, .many_ns = 500);
	PROFILE(run, 1, 0, "MPI_Recv", .site = 1, .few = 1, .few_ns = 1000,
	    .many = 1, .many_ns = 40000);
	return run;
}

static void
estimates_are_compared_with_the_trace(void)
{
	table_is(traced_and_profiled(8), "wait_compare",
	    "1|Late Sender|plain|39000|38000|0.019|0.019|0.050|1\n"
	    "1|Late Sender|quantile|39000|38000|0.019|0.019|0.050|1\n"
	    "1|Late Sender|ready|39000|38000|0.019|0.019|0.050|1\n"
	    "1|Late Sender|local_global|39000|38000|0.019|0.019|0.050|1\n"
	    "2|Late Receiver|plain|0|0|0.000|0.000|0.000|1\n"
	    "2|Late Receiver|quantile|0|0|0.000|0.000|0.000|1\n"
	    "2|Late Receiver|ready|0|0|0.000|0.000|0.000|1\n"
	    "2|Late Receiver|local_global|0|0|0.000|0.000|0.000|1\n");
}

static void
nothing_is_compared_with_an_incomplete_trace(void)
{
	table_is(traced_and_profiled(1), "wait_compare", "");
}

static void
waiting_is_taken_from_a_complete_trace(void)
{
	table_is(traced_and_profiled(8), "load_balance",
	    "0|2|1000|999000|0|0.001\n"
	    "1|2|41000|959000|38000|0.041\n");
	table_is(traced_and_profiled(1), "load_balance",
	    "0|2|1000|999000|0|0.001\n"
	    "1|2|41000|959000|39000|0.041\n");
}

static void
a_trace_has_the_culprits_of_a_thread(void)
{
	table_is(traced_and_profiled(8), "waits_for", "1|0|1|38000|0|0\n");
}

TEST_MAIN(late_senders_are_estimated, collectives_are_compared_over_ranks,
    a_collective_of_one_does_not_wait, completing_many_is_marked_unreliable,
    rows_of_another_epoch_are_empty, load_balance_is_that_of_the_profile,
    estimates_are_compared_with_the_trace,
    nothing_is_compared_with_an_incomplete_trace,
    waiting_is_taken_from_a_complete_trace,
    a_trace_has_the_culprits_of_a_thread)
