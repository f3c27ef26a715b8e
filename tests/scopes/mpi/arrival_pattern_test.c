/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/arrival_pattern_test.c - arrivals at collectives of known
 * programs
 */

#include "scopes/mpi/waits_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

#define RANKS 4u

static struct es__mpi_waits
waits_of(struct fake_trace *fake)
{
	struct es__mpi_waits waits = { 0 };

	EXPECT_OK(es__mpi_waits_compute(fake_trace_input(fake), NULL, 2, 100,
	    &waits));
	return waits;
}

/* Lets each rank arrive at a sum, at the begin of the call plus some time, and
   leave it 20 + rank after the last one. */
static void
sum(struct fake_trace *f, uint32_t number, uint32_t site,
    const uint64_t late[RANKS])
{
	uint64_t begin = 10000 * (uint64_t)number, last = 0;

	for (uint32_t r = 0; r < RANKS; r++)
		last = late[r] > last ? late[r] : last;
	for (uint32_t r = 0; r < RANKS; r++)
		FAKE_CALL(f, r, "Allreduce", begin + late[r],
		    begin + last + 20 + r, .peer = -1, .bytes = 8, .site = site,
		    .match = number);
}

static void
times_have_their_quantiles(void)
{
	struct fake_trace *f = fake_trace_create(RANKS);
	struct es__mpi_waits waits;
	const struct es__arrival_pattern *p;

	/* Spreads from 1 to 100; site 2 has one call. */
	for (uint32_t n = 1; n <= 100; n++)
		sum(f, n, 1, (uint64_t[]){ 0, n / 3, n / 2, n });
	sum(f, 101, 2, (uint64_t[]){ 0, 0, 0, 0 });
	waits = waits_of(f);
	EXPECT_EQ(2, waits.arrivals.count);
	p = &waits.arrivals.list[0];
	EXPECT_EQ(1, p->site);
	EXPECT_EQ(100, p->calls);
	EXPECT_EQ(8, p->bytes);
	EXPECT_EQ(50, p->ns[ES__ARRIVAL_SPREAD][ES__ARRIVAL_P50]);
	EXPECT_EQ(90, p->ns[ES__ARRIVAL_SPREAD][ES__ARRIVAL_P90]);
	EXPECT_EQ(99, p->ns[ES__ARRIVAL_SPREAD][ES__ARRIVAL_P99]);
	EXPECT_EQ(100, p->ns[ES__ARRIVAL_SPREAD][ES__ARRIVAL_MAX]);
	EXPECT_EQ(3, p->ns[ES__ARRIVAL_EXITS][ES__ARRIVAL_P50]);
	EXPECT_EQ(3, p->ns[ES__ARRIVAL_EXITS][ES__ARRIVAL_MAX]);
	EXPECT_EQ(23, p->ns[ES__ARRIVAL_COST][ES__ARRIVAL_P50]);
	EXPECT_EQ(23, p->ns[ES__ARRIVAL_COST][ES__ARRIVAL_MAX]);
	EXPECT_EQ(5050, llround(p->members[3].late_ns));
	EXPECT_EQ(100, p->members[3].last);
	EXPECT_EQ(0, p->members[2].last);
	p = &waits.arrivals.list[1];
	EXPECT_EQ(2, p->site);
	EXPECT_EQ(1, p->calls);
	/* All arrive at once: nobody is the last one. */
	EXPECT_EQ(1, p->undecided);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

static void
the_same_order_correlates(void)
{
	struct fake_trace *f = fake_trace_create(RANKS);
	struct es__mpi_waits waits;

	for (uint32_t n = 1; n <= 30; n++)
		sum(f, n, 1, (uint64_t[]){ 2 * n, 0, 30 * n, n });
	waits = waits_of(f);
	EXPECT_EQ(29, waits.arrivals.list[0].order_count);
	EXPECT_TRUE(fabs(waits.arrivals.list[0].order_sum - 29) < 1e-9);
	EXPECT_EQ(30, waits.arrivals.list[0].members[2].last);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

static void
the_reverse_order_correlates_negatively(void)
{
	struct fake_trace *f = fake_trace_create(RANKS);
	struct es__mpi_waits waits;

	for (uint32_t n = 1; n <= 31; n++)
		sum(f, n, 1,
		    n % 2 ? (uint64_t[]){ 0, 10, 20, 30 } :
			    (uint64_t[]){ 30, 20, 10, 0 });
	waits = waits_of(f);
	EXPECT_EQ(30, waits.arrivals.list[0].order_count);
	EXPECT_TRUE(fabs(waits.arrivals.list[0].order_sum + 30) < 1e-9);
	EXPECT_EQ(16, waits.arrivals.list[0].members[3].last);
	EXPECT_EQ(15, waits.arrivals.list[0].members[0].last);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

/* Spearman's correlation of (0, 1, 2, 3) and of (0, 1.5, 1.5, 3), in which two
   arrive at once, is 4.5 / sqrt(5 * 4.5). */
static void
those_that_arrive_at_once_share_a_rank(void)
{
	struct fake_trace *f = fake_trace_create(RANKS);
	struct es__mpi_waits waits;

	sum(f, 1, 1, (uint64_t[]){ 0, 10, 20, 30 });
	sum(f, 2, 1, (uint64_t[]){ 0, 10, 10, 30 });
	waits = waits_of(f);
	EXPECT_EQ(1, waits.arrivals.list[0].order_count);
	EXPECT_TRUE(fabs(waits.arrivals.list[0].order_sum -
			4.5 / sqrt(5 * 4.5)) < 1e-9);
	EXPECT_EQ(0, waits.arrivals.list[0].undecided);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

/* The begin of a nonblocking call is an arrival; its end is of another call. */
static void
nonblocking_calls_have_no_cost(void)
{
	struct fake_trace *f = fake_trace_create(RANKS);
	struct es__mpi_waits waits;
	const struct es__arrival_pattern *p;

	for (uint32_t r = 0; r < RANKS; r++) {
		FAKE_CALL(f, r, "Iallreduce", 100 + 10 * r, 101 + 10 * r,
		    .peer = -1, .bytes = 8, .tag = 1, .match = 1);
		FAKE_CALL(f, r, "Wait", 200, 210, .peer = -1, .match = 1);
	}
	waits = waits_of(f);
	EXPECT_EQ(1, waits.arrivals.count);
	p = &waits.arrivals.list[0];
	EXPECT_TRUE(!p->blocking);
	EXPECT_EQ(30, p->ns[ES__ARRIVAL_SPREAD][ES__ARRIVAL_MAX]);
	EXPECT_EQ(0, p->ns[ES__ARRIVAL_COST][ES__ARRIVAL_MAX]);
	EXPECT_EQ(1, p->members[3].last);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

/* Calls that a member has not left do not count. */
static void
open_calls_do_not_count(void)
{
	struct fake_trace *f = fake_trace_create(2);
	struct es__mpi_waits waits;

	FAKE_CALL(f, 0, "Barrier", 100, 200, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Barrier", 150, 200, .peer = -1, .match = 1);
	FAKE_CALL(f, 0, "Barrier", 300, 0, .peer = -1, .match = 2);
	FAKE_CALL(f, 1, "Barrier", 350, 0, .peer = -1, .match = 2);
	waits = waits_of(f);
	EXPECT_EQ(1, waits.arrivals.count);
	EXPECT_EQ(1, waits.arrivals.list[0].calls);
	EXPECT_EQ(50,
	    waits.arrivals.list[0].ns[ES__ARRIVAL_SPREAD][ES__ARRIVAL_MAX]);
	es__mpi_waits_fini(&waits);
	fake_trace_free(f);
}

TEST_MAIN(times_have_their_quantiles, the_same_order_correlates,
    the_reverse_order_correlates_negatively,
    those_that_arrive_at_once_share_a_rank, nonblocking_calls_have_no_cost,
    open_calls_do_not_count)
