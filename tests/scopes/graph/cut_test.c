/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/cut_test.c - windows that are cut out of a graph have
 * their part of it
 */

#include "scopes/graph/cut_private.h"
#include "scopes/graph/mpi_private.h"
#include "scopes/graph/typical_private.h"

#include "tests/scopes/graph/simulated.h"

#include "tests/test.h"

#include <stdlib.h>

static const uint64_t quotas[] = { UINT64_MAX, 1000, 1 };

#define WINDOWS_MAX 50u

/* The cuts of a sequence of windows, and of all of it. */
struct cuts {
	struct es__graph *graph;
	struct es__graph_window windows[WINDOWS_MAX];
	struct es__graph_lane lanes[2];
};

static struct es__graph *
graph_of(struct fake_trace *fake, uint64_t quota)
{
	struct es__graph *g = NULL;

	EXPECT_OK(
	    es__graph_mpi(&(struct es__graph_mpi){ .input =
						       fake_trace_input(fake),
			      .threads = 2,
			      .quota = quota },
		&g));
	return g;
}

/* Cuts windows between the given times; each rank has a host of its own.
   Several threads share the lanes, unless the trace is one window. */
static struct cuts *
cut(struct fake_trace *fake, uint64_t quota, const int64_t *times,
    uint32_t count)
{
	struct cuts *c = calloc(1, sizeof(*c));
	uint32_t ranks[SIMULATED_RANKS_MAX];

	EXPECT_TRUE(c != NULL && count - 1 <= WINDOWS_MAX);
	for (uint32_t n = 0; n < SIMULATED_RANKS_MAX; n++)
		ranks[n] = n;
	c->graph = graph_of(fake, quota);
	for (uint32_t n = 0; n + 1 < count; n++)
		c->windows[n] =
		    (struct es__graph_window){ times[n], times[n + 1] };
	for (unsigned whole = 0; whole < 2; whole++)
		c->lanes[whole] =
		    (struct es__graph_lane){ .windows = c->windows,
			    .window_count = count - 1,
			    .whole = whole == 1 };
	EXPECT_OK(es__graph_cut(&(struct es__graph_cutting){ .graph = c->graph,
	    .ranks = ranks,
	    .hosts = ranks,
	    .host_count = c->graph->thread_count,
	    .lanes = c->lanes,
	    .lane_count = 2,
	    .threads = quota == UINT64_MAX ? 1 : 2 }));
	return c;
}

static void
forget(struct cuts *c)
{
	for (unsigned n = 0; n < 2; n++) {
		free(c->lanes[n].cuts);
		free(c->lanes[n].host_ns);
	}
	es__graph_close(c->graph);
	free(c);
}

#define EXPECT_CUT(cuts, sum, most, ideal, uncoupled, count) \
	do { \
		EXPECT_EQ(sum, (cuts).useful_ns); \
		EXPECT_EQ(most, (cuts).useful_ns_max); \
		EXPECT_EQ(ideal, (cuts).ideal_ns); \
		EXPECT_EQ(uncoupled, (cuts).uncoupled_ns); \
		EXPECT_EQ(count, (cuts).operations); \
	} while (0)

/* Rank 1 computes what depends on what rank 0 has computed. */
static void
a_chain_is_as_long_as_its_computations(void)
{
	static const int64_t times[] = { 0, 300, 600, 1000 };
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send", 400, 410, .peer = 1);
	FAKE_CALL(f, 1, "Recv", 100, 420, .peer = 0);
	FAKE_CALL(f, 0, "Barrier", 910, 960, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Barrier", 950, 960, .peer = -1, .match = 1);
	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
		struct cuts *c = cut(f, quotas[q], times, 4);

		EXPECT_CUT(c->lanes[0].cuts[0], 300 + 100, 300, 300, 300, 0);
		/* 100 of rank 0, then 180 of rank 1; rank 0 goes on for 190. */
		EXPECT_CUT(c->lanes[0].cuts[1], 290 + 180, 290, 290, 290, 2);
		EXPECT_CUT(c->lanes[0].cuts[2], 310 + 350, 350, 350, 350, 2);
		EXPECT_CUT(c->lanes[1].cuts[0], 900 + 630, 900, 930, 930, 4);
		EXPECT_EQ(350, c->lanes[0].host_ns[2 * 2 + 1]);
		forget(c);
	}
	fake_trace_free(f);
}

/* A message that was sent before a window is there when the window begins. */
static void
a_window_knows_nothing_of_the_one_before(void)
{
	static const int64_t times[] = { 500, 1000, 1500 };
	struct fake_trace *f = fake_trace_create(2);
	struct cuts *c;

	FAKE_CALL(f, 0, "Send", 400, 410, .peer = 1);
	FAKE_CALL(f, 0, "Barrier", 900, 1510, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Recv", 600, 620, .peer = 0);
	FAKE_CALL(f, 1, "Barrier", 1500, 1510, .peer = -1, .match = 1);
	c = cut(f, UINT64_MAX, times, 3);
	EXPECT_CUT(c->lanes[0].cuts[0], 400 + 100 + 380, 480, 480, 480, 1);
	EXPECT_CUT(c->lanes[0].cuts[1], 500, 500, 500, 500, 0);
	EXPECT_CUT(c->lanes[1].cuts[0], 400 + 980, 980, 980, 980, 1);
	forget(c);
	fake_trace_free(f);
}

/* The time between the windows of a sequence has the length 0. */
static void
a_whole_is_without_the_time_between(void)
{
	struct fake_trace *f = fake_trace_create(2);
	uint32_t ranks[] = { 0, 1 };
	struct es__graph_window windows[] = { { 0, 200 }, { 500, 700 } };
	struct es__graph_lane lane = { .windows = windows,
		.window_count = 2,
		.whole = true };
	struct es__graph *g;

	FAKE_CALL(f, 0, "Send", 600, 610, .peer = 1);
	FAKE_CALL(f, 1, "Recv", 100, 620, .peer = 0);
	FAKE_CALL(f, 1, "Barrier", 800, 900, .peer = -1, .match = 1);
	FAKE_CALL(f, 0, "Barrier", 890, 900, .peer = -1, .match = 1);
	g = graph_of(f, UINT64_MAX);
	EXPECT_OK(es__graph_cut(&(struct es__graph_cutting){ .graph = g,
	    .ranks = ranks,
	    .hosts = ranks,
	    .host_count = 2,
	    .lanes = &lane,
	    .lane_count = 1 }));
	EXPECT_EQ(400, lane.cuts->elapsed_ns);
	/* Rank 0: 200, 100, then 90 behind the send; rank 1: 100, then 80
	   behind it. */
	EXPECT_CUT(*lane.cuts, 390 + 180, 390, 390, 390, 2);
	free(lane.cuts);
	free(lane.host_ns);
	es__graph_close(g);
	fake_trace_free(f);
}

/* A large send waits for its receive, and what follows is all that is left to
   do.  So both ideals differ by Late Receiver. */
static void
ideals_differ_by_late_receivers(void)
{
	struct fake_trace *f = fake_trace_create(2);
	int64_t late_ns = 0;
	uint64_t now = 0;
	int64_t times[2] = { 0 };
	struct cuts *c;

	for (uint64_t n = 1; n <= 30; n++) {
		uint64_t send = now + 100 * n, receive = send + 10 * n;
		uint64_t next = receive + 5 + 400 * n;

		FAKE_CALL(f, 0, "Send", send, receive + 5, .peer = 1,
		    .bytes = 100000);
		FAKE_CALL(f, 1, "Recv", receive, receive + 9, .peer = 0,
		    .bytes = 100000);
		FAKE_CALL(f, 0, "Send", next, next + 3, .peer = 1, .bytes = 8);
		FAKE_CALL(f, 1, "Recv", receive + 20, next + 3, .peer = 0,
		    .bytes = 8);
		now = next + 3;
		late_ns += (int64_t)(10 * n);
	}
	/* An eager send, which ends before its receive begins. */
	FAKE_CALL(f, 0, "Send", now + 10, now + 20, .peer = 1, .bytes = 8);
	FAKE_CALL(f, 1, "Recv", now + 30, now + 40, .peer = 0, .bytes = 8);
	times[1] = (int64_t)now;
	c = cut(f, UINT64_MAX, times, 2);
	EXPECT_EQ(8, c->graph->eager_bytes);
	EXPECT_EQ(late_ns,
	    c->lanes[0].cuts->ideal_ns - c->lanes[0].cuts->uncoupled_ns);
	EXPECT_EQ(times[1] - 30 * (5 + 3), c->lanes[0].cuts->ideal_ns);
	forget(c);
	fake_trace_free(f);
}

/* Simulates a program with an ideal network; returns its length. */
static int64_t
ideal(const struct simulated *program, bool uncoupled)
{
	struct simulated other = *program;
	int64_t last_ns = 0;

	other.ideal = true;
	other.eager_bytes = uncoupled ? UINT64_MAX : 0;
	simulate(&other);
	fake_trace_free(other.fake);
	for (uint32_t r = 0; r < program->ranks; r++)
		if (other.end_ns[r] > last_ns)
			last_ns = other.end_ns[r];
	return last_ns;
}

static void
expect_sums(const struct cuts *c, const struct simulated *program)
{
	const struct es__graph_cut *whole = c->lanes[1].cuts;
	int64_t useful = 0, computed = 0, most = 0, hosts = 0;
	uint64_t operations = 0;

	for (uint32_t r = 0; r < program->ranks; r++) {
		int64_t ns = 0;

		for (uint32_t n = 0; n < program->epochs; n++)
			ns += program->computed_ns[n][r];
		computed += ns;
		most = ns > most ? ns : most;
	}
	for (uint32_t n = 0; n < c->lanes[0].window_count; n++) {
		const struct es__graph_cut *w = &c->lanes[0].cuts[n];

		EXPECT_TRUE(w->useful_ns_max <= w->uncoupled_ns);
		EXPECT_TRUE(w->uncoupled_ns <= w->ideal_ns);
		EXPECT_TRUE(w->ideal_ns <= w->elapsed_ns);
		useful += w->useful_ns;
		operations += w->operations;
		for (uint32_t h = 0; h < program->ranks; h++)
			hosts += c->lanes[0].host_ns[n * program->ranks + h];
	}
	EXPECT_EQ(computed, useful);
	EXPECT_EQ(computed, hosts);
	EXPECT_EQ(computed, whole->useful_ns);
	EXPECT_EQ(most, whole->useful_ns_max);
	EXPECT_EQ(whole->operations, operations);
	EXPECT_EQ(c->graph->account.operations, operations);
}

/* The whole of a run is a simulation without operations; windows have what it
   computes. */
static void
windows_are_parts_of_a_simulated_run(void)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct simulated program = { .ranks = 2 + seed % 7,
			.rounds = 60,
			.seed = seed };
		int64_t times[WINDOWS_MAX + 1] = { 0 }, last_ns = 0;

		simulate(&program);
		for (uint32_t r = 0; r < program.ranks; r++)
			if (program.end_ns[r] > last_ns)
				last_ns = program.end_ns[r];
		for (int64_t n = 1; n <= WINDOWS_MAX; n++)
			times[n] = (last_ns + 1) * n / WINDOWS_MAX;
		for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
			struct cuts *c = cut(program.fake, quotas[q], times,
			    WINDOWS_MAX + 1);

			expect_sums(c, &program);
			EXPECT_EQ(ideal(&program, false),
			    c->lanes[1].cuts->ideal_ns);
			EXPECT_EQ(ideal(&program, true),
			    c->lanes[1].cuts->uncoupled_ns);
			forget(c);
		}
		fake_trace_free(program.fake);
	}
}

/* Messages of 100 bytes take 12 ns, and those of 1000 bytes 20 to 24. */
static void
messages_have_their_median_time(void)
{
	static const uint32_t hosts[] = { 0, 0, 1 };
	struct fake_trace *f = fake_trace_create(3);
	struct es__graph_typical_work *work;
	struct es__graph_typical typical;
	struct es__graph_pass pass;
	struct es__graph_message message;
	struct es__graph *g;

	for (uint64_t n = 0; n < 5; n++) {
		uint64_t at = 1000 * n;

		FAKE_CALL(f, 0, "Send", at + 50, at + 55, .peer = 1,
		    .bytes = 100);
		FAKE_CALL(f, 1, "Recv", at + 20, at + 62, .peer = 0,
		    .bytes = 100);
		FAKE_CALL(f, 0, "Send", at + 100, at + 105, .peer = 1,
		    .bytes = 1000);
		FAKE_CALL(f, 1, "Recv", at + 90, at + 120 + n, .peer = 0,
		    .bytes = 1000);
		/* The receive is late: its time tells nothing. */
		FAKE_CALL(f, 0, "Send", at + 200, at + 205, .peer = 2,
		    .bytes = 100);
		FAKE_CALL(f, 2, "Recv", at + 300, at + 301, .peer = 0,
		    .bytes = 100);
	}
	g = graph_of(f, UINT64_MAX);
	EXPECT_OK(es__graph_typical_begin(g, hosts, &typical, &work));
	pass = es__graph_typical_pass(work);
	EXPECT_OK(es__graph_pass(g, &pass, 1));
	es__graph_typical_end(work);
	EXPECT_TRUE(es__graph_typical_message(&typical, 100, false, &message));
	EXPECT_EQ(12, message.ns);
	EXPECT_EQ(128, message.bytes);
	EXPECT_EQ(5, message.count);
	EXPECT_TRUE(es__graph_typical_message(&typical, 1024, false, &message));
	EXPECT_EQ(22, message.ns);
	EXPECT_EQ(1024, message.bytes);
	EXPECT_TRUE(es__graph_typical_message(&typical, 0, false, &message));
	EXPECT_EQ(12, message.ns);
	EXPECT_TRUE(
	    !es__graph_typical_message(&typical, 100000, false, &message));
	EXPECT_TRUE(!es__graph_typical_message(&typical, 100, true, &message));
	es__graph_typical_fini(&typical);
	es__graph_close(g);
	fake_trace_free(f);
}

TEST_MAIN(a_chain_is_as_long_as_its_computations,
    a_window_knows_nothing_of_the_one_before,
    a_whole_is_without_the_time_between, ideals_differ_by_late_receivers,
    windows_are_parts_of_a_simulated_run, messages_have_their_median_time)
