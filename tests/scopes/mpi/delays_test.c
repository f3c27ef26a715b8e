/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/delays_test.c - delays of ranks without a core are exact to
 * the ns
 */

#include "scopes/mpi/delays_private.h"

#include "scopes/mpi/wait_pattern_private.h"
#include "scopes/mpi/waits_part_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdlib.h>

#define RANKS_MOST 4u

/* A trace, and the lost time of its ranks. */
struct made {
	struct fake_trace *fake;
	uint32_t ranks;
	struct es__cpu_curve curves[RANKS_MOST + 1]; /* that of all behind */
	struct es_mpi_trace *trace;
	struct es__mpi_doubts doubts;
	struct es__mpi_delays delays;
	struct es__mpi_waits_part parts[RANKS_MOST];
};

static struct made
make(uint32_t ranks)
{
	return (
	    struct made){ .fake = fake_trace_create(ranks), .ranks = ranks };
}

/* Lets a rank have no core from one time to another. */
static void
lose(struct made *m, uint32_t rank, int64_t from, int64_t to)
{
	EXPECT_OK(es__cpu_curve_add(&m->curves[rank], from, to));
	EXPECT_OK(es__cpu_curve_add(&m->curves[m->ranks], from, to));
}

static void
follow(struct made *m)
{
	for (uint32_t r = 0; r <= m->ranks; r++)
		es__cpu_curve_end(&m->curves[r]);
	EXPECT_OK(es_mpi_trace_open(fake_trace_input(m->fake), 2, &m->trace));
	EXPECT_OK(es__mpi_delays_begin(m->trace, &m->doubts, m->curves, NULL,
	    &m->delays));
	EXPECT_OK(es__mpi_delays_window(&m->delays));
}

/* Returns the delay of a rank at the enter of its n-th call. */
static int64_t
delay(const struct made *m, uint32_t rank, uint32_t n)
{
	return es__mpi_delay(&m->delays, (struct es_mpi_at){ rank, n });
}

/* Finds the waits of the members of the n-th collective. */
static void
fill(struct made *m, uint64_t n)
{
	es__mpi_waits_part_fill(m->trace, &m->doubts, &m->delays,
	    es_mpi_trace_collective(m->trace, n), m->parts);
}

static void
forget(struct made *m)
{
	es__mpi_delays_fini(&m->delays);
	es_mpi_trace_close(m->trace);
	for (uint32_t r = 0; r <= m->ranks; r++)
		es__cpu_curve_fini(&m->curves[r]);
	fake_trace_free(m->fake);
}

static void
barrier(struct made *m, uint32_t rank, uint64_t enter, uint64_t leave,
    uint32_t number)
{
	FAKE_CALL(m->fake, rank, "Barrier", enter, leave, .peer = -1,
	    .match = number);
}

static void
a_curve_adds_up_threads_without_a_core(void)
{
	static const int64_t times[] = { 50, 99, 100, 101, 199, 200, 500, 160,
		120, 0, 450 };
	struct es__cpu_curve c = { .count = 0 };
	size_t near = 0;

	EXPECT_OK(es__cpu_curve_add(&c, 100, 200));
	EXPECT_OK(es__cpu_curve_add(&c, 150, 400));
	EXPECT_OK(es__cpu_curve_add(&c, 300, 300));
	es__cpu_curve_end(&c);
	EXPECT_EQ(0, es__cpu_curve_at(&c, 50));
	EXPECT_EQ(50, es__cpu_curve_at(&c, 150));
	EXPECT_EQ(150, es__cpu_curve_at(&c, 200));
	EXPECT_EQ(350, es__cpu_curve_at(&c, 500));
	EXPECT_EQ(100, es__cpu_curve_between(&c, 175, 250));
	EXPECT_EQ(0, es__cpu_curve_between(&c, 250, 175));
	/* Near the time before or not, forward and backward. */
	for (size_t n = 0; n < sizeof(times) / sizeof(times[0]); n++)
		EXPECT_EQ(es__cpu_curve_at(&c, times[n]),
		    es__cpu_curve_near(&c, times[n], &near));
	es__cpu_curve_fini(&c);
}

static void
a_wait_for_a_rank_without_a_core_is_lost(void)
{
	struct made m = make(2);

	barrier(&m, 0, 100, 210, 1);
	barrier(&m, 1, 200, 210, 1);
	barrier(&m, 0, 300, 310, 2);
	barrier(&m, 1, 305, 310, 2);
	lose(&m, 1, 120, 200);
	follow(&m);
	EXPECT_EQ(0, delay(&m, 0, 0));
	EXPECT_EQ(80, delay(&m, 1, 0));
	/* Both left the barrier 80 ns later than they would have. */
	EXPECT_EQ(80, delay(&m, 0, 1));
	EXPECT_EQ(80, delay(&m, 1, 1));
	fill(&m, 0);
	EXPECT_EQ(100, m.parts[0].wait_ns);
	EXPECT_EQ(80, m.parts[0].lost_ns);
	EXPECT_EQ(1, m.parts[0].culprit);
	fill(&m, 1);
	EXPECT_EQ(5, m.parts[0].wait_ns);
	EXPECT_EQ(0, m.parts[0].lost_ns);
	forget(&m);
}

/* Rank 1 arrives last, because it had no core; rank 2 computes longest. */
static void
the_rank_that_computes_longest_is_the_culprit(void)
{
	struct made m = make(3);

	barrier(&m, 0, 100, 210, 1);
	barrier(&m, 1, 200, 210, 1);
	barrier(&m, 2, 150, 210, 1);
	lose(&m, 1, 110, 200);
	follow(&m);
	fill(&m, 0);
	EXPECT_EQ(100, m.parts[0].wait_ns);
	EXPECT_EQ(50, m.parts[0].lost_ns);
	EXPECT_EQ(2, m.parts[0].culprit);
	/* Without lost cores it would not wait. */
	EXPECT_EQ(50, m.parts[2].wait_ns);
	EXPECT_EQ(50, m.parts[2].lost_ns);
	EXPECT_EQ(1, m.parts[2].culprit);
	forget(&m);
}

static void
messages_pass_a_delay_on(void)
{
	struct made m = make(3);

	lose(&m, 0, 100, 150);
	FAKE_CALL(m.fake, 0, "Send", 150, 155, .peer = 1);
	FAKE_CALL(m.fake, 1, "Recv", 60, 160, .peer = 0);
	FAKE_CALL(m.fake, 1, "Send", 200, 205, .peer = 2);
	FAKE_CALL(m.fake, 2, "Recv", 190, 210, .peer = 1);
	FAKE_CALL(m.fake, 2, "Send", 300, 301, .peer = 0);
	FAKE_CALL(m.fake, 0, "Recv", 302, 303, .peer = 2);
	follow(&m);
	EXPECT_EQ(50, delay(&m, 0, 0));
	EXPECT_EQ(0, delay(&m, 1, 0));
	EXPECT_EQ(50, delay(&m, 1, 1));
	EXPECT_EQ(0, delay(&m, 2, 0));
	/* It waited for 10 ns of the 50, and would not have waited. */
	EXPECT_EQ(10, delay(&m, 2, 1));
	forget(&m);
}

static void
a_message_that_was_there_delays_nobody(void)
{
	struct made m = make(2);

	lose(&m, 0, 100, 150);
	FAKE_CALL(m.fake, 0, "Send", 150, 155, .peer = 1);
	FAKE_CALL(m.fake, 1, "Recv", 400, 410, .peer = 0);
	FAKE_CALL(m.fake, 1, "Send", 500, 505, .peer = 0);
	FAKE_CALL(m.fake, 0, "Recv", 501, 510, .peer = 1);
	follow(&m);
	EXPECT_EQ(0, delay(&m, 1, 1));
	forget(&m);
}

/* Rank 0 starts an epoch, and waits for the post of rank 1. */
static void
a_late_post_passes_a_delay_on(void)
{
	struct made m = make(2);
	int32_t target = fake_trace_group(m.fake, (const int32_t[]){ 1 }, 1);
	int32_t origin = fake_trace_group(m.fake, (const int32_t[]){ 0 }, 1);

	FAKE_CALL(m.fake, 0, "Win_start", 100, 410, .tag = 1, .peer = target);
	FAKE_CALL(m.fake, 0, "Comm_rank", 500, 501, .peer = -1);
	FAKE_CALL(m.fake, 1, "Win_post", 400, 405, .tag = 1, .peer = origin);
	lose(&m, 1, 150, 300);
	follow(&m);
	EXPECT_EQ(150, delay(&m, 1, 0));
	EXPECT_EQ(150, delay(&m, 0, 1));
	forget(&m);
}

static void
a_fence_passes_a_delay_on(void)
{
	struct made m = make(2);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(m.fake, r, "Win_fence", 100 + 100 * r, 210, .tag = 1,
		    .peer = ES_MPI_PEER_NONE, .match = 2);
		FAKE_CALL(m.fake, r, "Comm_rank", 300, 301, .peer = -1);
	}
	lose(&m, 1, 120, 200);
	follow(&m);
	EXPECT_EQ(80, delay(&m, 0, 1));
	EXPECT_EQ(80, delay(&m, 1, 1));
	fill(&m, 0);
	EXPECT_EQ(100, m.parts[0].wait_ns);
	EXPECT_EQ(80, m.parts[0].lost_ns);
	EXPECT_EQ(ES__WAIT_FENCE, m.parts[0].pattern);
	forget(&m);
}

/* Rank 0 sends until rank 1, which has posted the receive, calls MPI again. */
static void
progress_passes_a_delay_on(void)
{
	struct made m = make(2);

	FAKE_CALL(m.fake, 1, "Irecv", 10000, 11000, .peer = 0, .match = 1);
	FAKE_CALL(m.fake, 0, "Send", 100000, 505000, .peer = 1);
	FAKE_CALL(m.fake, 0, "Comm_rank", 600000, 600001, .peer = -1);
	FAKE_CALL(m.fake, 1, "Wait", 500000, 520000, .peer = 0, .match = 1);
	lose(&m, 1, 300000, 400000);
	follow(&m);
	EXPECT_EQ(100000, delay(&m, 1, 1));
	EXPECT_EQ(100000, delay(&m, 0, 1));
	forget(&m);
}

static void
a_core_lost_after_the_last_arrival_delays(void)
{
	struct made m = make(2);

	FAKE_CALL(m.fake, 0, "Send", 100, 105, .peer = 1);
	FAKE_CALL(m.fake, 1, "Recv", 90, 300, .peer = 0);
	FAKE_CALL(m.fake, 1, "Send", 310, 311, .peer = 0);
	FAKE_CALL(m.fake, 0, "Recv", 320, 330, .peer = 1);
	/* The time in which the rank waited delays nothing. */
	lose(&m, 1, 92, 98);
	lose(&m, 1, 150, 300);
	follow(&m);
	EXPECT_EQ(150, delay(&m, 1, 1));
	forget(&m);
}

/* Rank 2 gets no core in the collective, which holds rank 1 up. */
static void
a_member_without_a_core_holds_up_others(void)
{
	struct made m = make(2);

	barrier(&m, 0, 100, 110, 1);
	barrier(&m, 1, 105, 200, 1);
	barrier(&m, 0, 300, 410, 2);
	barrier(&m, 1, 400, 410, 2);
	lose(&m, 0, 108, 190);
	follow(&m);
	EXPECT_EQ(2 + 80, delay(&m, 0, 1));
	EXPECT_EQ(82, delay(&m, 1, 1));
	forget(&m);
}

static void
a_call_that_has_not_returned_ends_the_rank(void)
{
	struct made m = make(2);

	fake_trace_break(m.fake, 0);
	fake_trace_break(m.fake, 1);
	lose(&m, 1, 10, 20);
	FAKE_CALL(m.fake, 0, "Recv", 100, 0, .peer = 1);
	FAKE_CALL(m.fake, 1, "Send", 200, 210, .peer = 0);
	FAKE_CALL(m.fake, 1, "Barrier", 220, 0, .peer = -1, .match = 1);
	follow(&m);
	EXPECT_EQ(0, delay(&m, 0, 0));
	EXPECT_EQ(10, delay(&m, 1, 1));
	forget(&m);
}

TEST_MAIN(a_curve_adds_up_threads_without_a_core,
    a_wait_for_a_rank_without_a_core_is_lost,
    the_rank_that_computes_longest_is_the_culprit, messages_pass_a_delay_on,
    a_message_that_was_there_delays_nobody, a_late_post_passes_a_delay_on,
    a_fence_passes_a_delay_on, progress_passes_a_delay_on,
    a_core_lost_after_the_last_arrival_delays,
    a_member_without_a_core_holds_up_others,
    a_call_that_has_not_returned_ends_the_rank)
