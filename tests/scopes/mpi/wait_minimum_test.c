/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/wait_minimum_test.c - proves scopes/mpi/wait_minimum.c
 *
 * Rows are made of single calls with known durations, so every estimate is
 * known too.
 */

#include "scopes/mpi/wait_minimum_private.h"

#include "tests/test.h"

#include <math.h>
#include <string.h>

#define ROWS 8

static struct es_mpi_profile cells[ROWS];
static struct es__wait_minimum rows[ROWS];
static double ns_per_tick[ROWS];
static size_t row_count;
static bool computed; /* the next row begins another case */

/* Adds a row without calls. */
static struct es_mpi_profile *
row_of(uint32_t rank, uint32_t site, enum es__wait_pattern pattern,
    uint8_t flags)
{
	struct es_mpi_profile *cell;

	row_count = computed ? 0 : row_count;
	computed = false;
	cell = &cells[row_count];
	memset(cell, 0, sizeof(*cell));
	rows[row_count] = (struct es__wait_minimum){ .rank = rank,
		.site = site,
		.pattern = pattern,
		.function = 7,
		.size_class = 4,
		.flags = flags };
	ns_per_tick[row_count++] = 1.0;
	return cell;
}

static void
took(struct es_mpi_profile *cell, uint64_t calls, uint64_t ticks)
{
	if (cell->calls == 0 || ticks < cell->min_ticks)
		cell->min_ticks = ticks;
	if (ticks > cell->max_ticks)
		cell->max_ticks = ticks;
	cell->calls += calls;
	cell->sum_ticks += calls * ticks;
	cell->bins[es_mpi_bin(ticks)] += (uint32_t)calls;
}

/* Computes the estimates of each rank, then those over all ranks. */
static void
compute(void)
{
	size_t end;

	for (size_t n = 0; n < row_count; n++) {
		rows[n].calls = cells[n].calls;
		rows[n].time_ns = (double)cells[n].sum_ticks * ns_per_tick[n];
	}
	for (size_t n = 0; n < row_count; n = end) {
		for (end = n; end < row_count && rows[end].rank == rows[n].rank;
		     end++)
			;
		EXPECT_OK(es__wait_minimum_local(&rows[n], &cells[n], end - n,
		    ns_per_tick[n]));
	}
	EXPECT_OK(es__wait_minimum_global(rows, row_count));
	computed = true;
}

static void
waits(double want, size_t row, enum es__wait_minimum_method method)
{
	EXPECT_NEAR(want, rows[row].wait_ns[method], 1e-6 * want + 1e-9);
}

/* A rank has two sites; its minimum is at the second. */
static void
a_receive_is_compared_with_the_shortest_of_its_rank(void)
{
	struct es_mpi_profile *cell;

	cell = row_of(0, 1, ES__WAIT_LATE_SENDER, 0);
	took(cell, 10, 1000);
	took(cell, 90, 2001000);
	took(row_of(0, 2, ES__WAIT_LATE_SENDER, 0), 1, 500);
	took(row_of(1, 1, ES__WAIT_LATE_SENDER, 0), 4, 100);
	compute();
	waits(10 * 500 + 90 * 2000500.0, 0, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 1, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 2, ES__WAIT_MINIMUM_PLAIN);
}

static void
an_all_to_all_is_compared_with_the_shortest_of_all_ranks(void)
{
	took(row_of(0, 1, ES__WAIT_N_TO_N, 0), 90, 1005000);
	took(row_of(1, 1, ES__WAIT_N_TO_N, 0), 90, 5000);
	compute();
	for (int m = 0; m < ES__WAIT_MINIMUM_METHODS; m++) {
		waits(0.09e9, 0, (enum es__wait_minimum_method)m);
		waits(0, 1, (enum es__wait_minimum_method)m);
	}
}

/* The second rank never waits less than 700 ns. */
static void
local_global_sees_a_rank_that_always_waits(void)
{
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, 0), 5, 300);
	took(row_of(1, 1, ES__WAIT_LATE_SENDER, 0), 5, 1000);
	compute();
	waits(0, 1, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 1, ES__WAIT_MINIMUM_QUANTILE);
	waits(0, 1, ES__WAIT_MINIMUM_READY);
	waits(3500, 1, ES__WAIT_MINIMUM_LOCAL_GLOBAL);
	waits(0, 0, ES__WAIT_MINIMUM_LOCAL_GLOBAL);
}

static void
ready_leaves_out_calls_that_found_their_data(void)
{
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, ES_MPI_READY), 6, 100);
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, 0), 10, 900);
	took(row_of(0, 2, ES__WAIT_LATE_SENDER, 0), 10, 1900);
	compute();
	waits(8000, 1, ES__WAIT_MINIMUM_PLAIN);
	waits(18000, 2, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 0, ES__WAIT_MINIMUM_READY);
	waits(0, 1, ES__WAIT_MINIMUM_READY);
	waits(10000, 2, ES__WAIT_MINIMUM_READY);
}

static void
no_call_waits_when_all_found_their_data(void)
{
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, ES_MPI_READY), 6, 100);
	took(&cells[0], 1, 900);
	compute();
	waits(800, 0, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 0, ES__WAIT_MINIMUM_READY);
}

/* 1 of 200 calls is far too short; the 4th shortest is not. */
static void
quantile_is_not_spoiled_by_one_short_call(void)
{
	struct es_mpi_profile *cell = row_of(0, 1, ES__WAIT_LATE_SENDER, 0);

	took(cell, 1, 40);
	took(cell, 199, 8192);
	compute();
	waits(199 * 8152.0, 0, ES__WAIT_MINIMUM_PLAIN);
	/* The 3rd of 199 calls in the bin from 8192, which is also the longest
	   duration. */
	EXPECT_NEAR(8192, rows[0].base_ns[ES__WAIT_MINIMUM_QUANTILE], 1e-6);
	waits(0, 0, ES__WAIT_MINIMUM_QUANTILE);
}

static void
root_and_others_are_compared_separately(void)
{
	took(row_of(0, 1, ES__WAIT_NONE, ES_MPI_ROOT), 9, 10);
	took(row_of(1, 1, ES__WAIT_LATE_BROADCAST, 0), 9, 200);
	took(row_of(2, 1, ES__WAIT_LATE_BROADCAST, 0), 9, 300);
	compute();
	waits(0, 0, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 1, ES__WAIT_MINIMUM_PLAIN);
	waits(900, 2, ES__WAIT_MINIMUM_PLAIN);
}

static void
completed_sends_and_receives_are_compared_separately(void)
{
	took(row_of(0, 1, ES__WAIT_LATE_RECEIVER, ES_MPI_SENT), 9, 10);
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, 0), 9, 200);
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, ES_MPI_MANY), 9, 20);
	compute();
	for (size_t n = 0; n < 3; n++)
		waits(0, n, ES__WAIT_MINIMUM_PLAIN);
}

static void
sizes_and_functions_are_compared_separately(void)
{
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, 0), 9, 10);
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, 0), 9, 200);
	took(row_of(0, 1, ES__WAIT_LATE_SENDER, 0), 9, 3000);
	rows[1].size_class = 5;
	rows[2].function = 8;
	compute();
	for (size_t n = 0; n < 3; n++)
		waits(0, n, ES__WAIT_MINIMUM_LOCAL_GLOBAL);
}

/* Each rank has the ticks of its host. */
static void
ranks_may_have_other_clocks(void)
{
	took(row_of(0, 1, ES__WAIT_BARRIER, 0), 3, 1000);
	took(row_of(1, 1, ES__WAIT_BARRIER, 0), 3, 1000);
	ns_per_tick[1] = 0.25;
	compute();
	waits(2250, 0, ES__WAIT_MINIMUM_PLAIN);
	waits(0, 1, ES__WAIT_MINIMUM_PLAIN);
}

static void
quantiles_lie_between_the_shortest_and_the_longest(void)
{
	uint64_t bins[ES_MPI_BINS] = { 0 };

	bins[es_mpi_bin(3)] = 50;
	EXPECT_NEAR(3, es__wait_minimum_quantile(bins, 3, 7, 0.02), 1e-9);
	EXPECT_NEAR(7, es__wait_minimum_quantile(bins, 3, 7, 1), 1e-9);
	memset(bins, 0, sizeof(bins));
	bins[ES_MPI_BINS - 1] = 100;
	EXPECT_NEAR(ldexp(1, 62),
	    es__wait_minimum_quantile(bins, UINT64_C(1) << 61,
		UINT64_C(1) << 62, 1),
	    1);
	/* 100 calls, equally far apart in [1024, 1280). */
	memset(bins, 0, sizeof(bins));
	bins[es_mpi_bin(1024)] = 100;
	EXPECT_NEAR(1024 + 256 * 0.5,
	    es__wait_minimum_quantile(bins, 1024, 1290, 0.5), 1e-6);
}

/* Any duration is within the limits of its bin. */
static void
bins_enclose_their_durations(void)
{
	for (uint64_t ticks = 40; ticks < UINT64_C(1) << 36;
	     ticks += ticks / 7 + 1) {
		uint64_t bins[ES_MPI_BINS] = { 0 };
		double got;

		bins[es_mpi_bin(ticks)] = 1000;
		got = es__wait_minimum_quantile(bins, 0, UINT64_MAX, 0.5);
		EXPECT_TRUE(got > 0.8 * (double)ticks);
		EXPECT_TRUE(got < 1.25 * (double)ticks);
	}
}

static enum es__wait_pattern
pattern(enum es_mpi_role role, uint32_t flags, uint32_t row_flags)
{
	struct es_mpi_function function = { "MPI_Some", role, flags };

	return es__wait_pattern_of(&function, row_flags);
}

static void
a_pattern_follows_from_role_and_flags(void)
{
	struct es_mpi_function bsend = { "MPI_Bsend", ES_MPI_ROLE_SEND, 0 };

	EXPECT_EQ(ES__WAIT_LATE_SENDER, pattern(ES_MPI_ROLE_RECV, 0, 0));
	EXPECT_EQ(ES__WAIT_LATE_SENDER, pattern(ES_MPI_ROLE_WAIT, 0, 0));
	EXPECT_EQ(ES__WAIT_LATE_RECEIVER,
	    pattern(ES_MPI_ROLE_WAIT, 0, ES_MPI_SENT));
	EXPECT_EQ(ES__WAIT_NONE, pattern(ES_MPI_ROLE_WAIT, 0, ES_MPI_ELSE));
	EXPECT_EQ(ES__WAIT_LATE_RECEIVER, pattern(ES_MPI_ROLE_SEND, 0, 0));
	EXPECT_EQ(ES__WAIT_NONE, es__wait_pattern_of(&bsend, 0));
	EXPECT_EQ(ES__WAIT_NONE, es__wait_pattern_of(NULL, 0));
	EXPECT_EQ(ES__WAIT_N_TO_N, pattern(ES_MPI_ROLE_N_TO_N, 0, 0));
	EXPECT_EQ(ES__WAIT_NONE,
	    pattern(ES_MPI_ROLE_N_TO_N, ES_MPI_NONBLOCKING, 0));
	EXPECT_EQ(ES__WAIT_BARRIER, pattern(ES_MPI_ROLE_BARRIER, 0, 0));
	EXPECT_EQ(ES__WAIT_LATE_BROADCAST, pattern(ES_MPI_ROLE_ONE_TO_N, 0, 0));
	EXPECT_EQ(ES__WAIT_NONE, pattern(ES_MPI_ROLE_ONE_TO_N, 0, ES_MPI_ROOT));
	EXPECT_EQ(ES__WAIT_EARLY_REDUCE,
	    pattern(ES_MPI_ROLE_N_TO_ONE, 0, ES_MPI_ROOT));
	EXPECT_EQ(ES__WAIT_NONE, pattern(ES_MPI_ROLE_N_TO_ONE, 0, 0));
	EXPECT_EQ(ES__WAIT_NONE, pattern(ES_MPI_ROLE_TEST, 0, 0));
}

TEST_MAIN(a_receive_is_compared_with_the_shortest_of_its_rank,
    an_all_to_all_is_compared_with_the_shortest_of_all_ranks,
    local_global_sees_a_rank_that_always_waits,
    ready_leaves_out_calls_that_found_their_data,
    no_call_waits_when_all_found_their_data,
    quantile_is_not_spoiled_by_one_short_call,
    root_and_others_are_compared_separately,
    completed_sends_and_receives_are_compared_separately,
    sizes_and_functions_are_compared_separately, ranks_may_have_other_clocks,
    quantiles_lie_between_the_shortest_and_the_longest,
    bins_enclose_their_durations, a_pattern_follows_from_role_and_flags)
