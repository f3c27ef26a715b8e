/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/graph_test.c - the graph of a simulated program has its
 * dependences, and no others
 */

#include "scopes/graph/critical_private.h"
#include "scopes/graph/mpi_private.h"
#include "scopes/graph/replay_private.h"
#include "scopes/mpi/waits_private.h"

#include "libpaths/map.h"

#include "tests/scopes/graph/factors.h"
#include "tests/scopes/graph/simulated.h"

#include "tests/test.h"

#include <stdlib.h>

/* The number of a window and of a lock in tuples. */
#define WINDOW(n) .tag = (n), .peer = ES_MPI_PEER_NONE
#define TARGET(n, rank) .tag = (n), .peer = (rank)

static const uint64_t quotas[] = { UINT64_MAX, 1000, 1 };

static struct es__graph *
graph_of(const struct simulated *program, uint64_t quota)
{
	struct es__graph *g = NULL;

	EXPECT_OK(
	    es__graph_mpi(&(struct es__graph_mpi){ .input = fake_trace_input(
						       program->fake),
			      .threads = 2,
			      .quota = quota },
		&g));
	return g;
}

/* Compares the ends of ranks in a replay with those of a program. */
static void
expect_replay(const struct es__graph *g,
    const struct es__graph_changes *changes, const struct simulated *program)
{
	struct es__graph_replayed replayed;

	EXPECT_OK(es__graph_replay(g, changes, &replayed));
	for (uint32_t r = 0; r < program->ranks; r++)
		EXPECT_EQ(program->end_ns[r], replayed.end_ns[r]);
	free(replayed.end_ns);
}

static void
a_replay_without_changes_is_the_run(void)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct simulated program = { .ranks = 2 + seed % 7,
			.rounds = 60,
			.seed = seed,
			.windows = seed % 2 };

		simulate(&program);
		for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
			struct es__graph *g = graph_of(&program, quotas[q]);

			expect_replay(g, NULL, &program);
			EXPECT_EQ(0, g->account.cycles);
			EXPECT_EQ(0, g->account.contradictions);
			es__graph_close(g);
		}
		fake_trace_free(program.fake);
	}
}

static void
a_changed_replay_is_the_changed_run(void)
{
	static const double factors[] = { 0, 0.3, 0.9, 1.5, 4 };

	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct simulated program = { .ranks = 3 + seed % 5,
			.rounds = 60,
			.seed = seed,
			.windows = seed % 2 };
		uint32_t rank = seed % program.ranks;
		struct es__graph *g;

		simulate(&program);
		g = graph_of(&program, 500);
		for (size_t n = 0; n < sizeof(factors) / sizeof(*factors);
		     n++) {
			struct simulated changed = program;
			struct es__graph_changes changes = {
				.factors =
				    factors_of_thread(g, rank, factors[n]),
				.eager_bytes = g->eager_bytes
			};

			changed.factors[rank] =
			    factors[n] == 0 ? 1e-12 : factors[n];
			simulate(&changed);
			expect_replay(g, &changes, &changed);
			fake_trace_free(changed.fake);
			free((double *)changes.factors);
		}
		es__graph_close(g);
		fake_trace_free(program.fake);
	}
}

struct path_sums {
	const struct es__graph *graph;
	int64_t path_ns[SIMULATED_RANKS_MAX][2];
	int64_t length_ns;
	int64_t until_ns; /* begin of the segment before */
};

static bool
path_take(void *to, const struct es__graph_segment *segment)
{
	struct path_sums *sums = to;
	const struct es__graph_activity *a =
	    &sums->graph->names.list[segment->activity];
	int64_t ns = segment->stop_ns - segment->start_ns;

	if (sums->until_ns != -1)
		EXPECT_EQ(sums->until_ns, segment->stop_ns);
	sums->until_ns = segment->start_ns;
	sums->path_ns[a->thread][a->function != 0] += ns;
	sums->length_ns += ns;
	return true;
}

static void
the_critical_path_has_no_waits(void)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct simulated program = { .ranks = 2 + seed % 7,
			.rounds = 60,
			.seed = seed,
			.windows = seed % 2 };
		struct path_sums sums = { .until_ns = -1 };
		int64_t last_ns = 0;

		simulate(&program);
		sums.graph = graph_of(&program, 700);
		EXPECT_OK(es__graph_critical(sums.graph, path_take, &sums));
		for (uint32_t r = 0; r < program.ranks; r++) {
			if (program.end_ns[r] > last_ns)
				last_ns = program.end_ns[r];
			EXPECT_EQ(program.path_ns[r][0], sums.path_ns[r][0]);
			EXPECT_EQ(program.path_ns[r][1], sums.path_ns[r][1]);
		}
		EXPECT_EQ(last_ns, sums.length_ns);
		EXPECT_EQ(0, sums.until_ns);
		es__graph_close((struct es__graph *)sums.graph);
		fake_trace_free(program.fake);
	}
}

/* Rank 0 waits for a message that rank 1 sends after a Bcast, which rank 0 has
   not called yet. */
static void
a_member_waits_only_for_those_that_it_needs(void)
{
	struct simulated program = { .ranks = 3 };
	struct es__graph *g;

	program.fake = fake_trace_create(3);
	FAKE_CALL(program.fake, 0, "Recv", 100, 1210, .peer = 1);
	FAKE_CALL(program.fake, 0, "Bcast", 1220, 1230, .peer = 2, .bytes = 8,
	    .match = 1);
	FAKE_CALL(program.fake, 1, "Bcast", 200, 1110, .peer = 2, .bytes = 8,
	    .match = 1);
	FAKE_CALL(program.fake, 1, "Send", 1200, 1205, .peer = 0);
	FAKE_CALL(program.fake, 2, "Bcast", 1100, 1105, .peer = 2, .bytes = 8,
	    .match = 1);
	program.end_ns[0] = 1230;
	program.end_ns[1] = 1205;
	program.end_ns[2] = 1105;
	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
		g = graph_of(&program, quotas[q]);
		expect_replay(g, NULL, &program);
		EXPECT_EQ(0, g->account.cycles);
		EXPECT_EQ(1, g->account.messages);
		es__graph_close(g);
	}
	fake_trace_free(program.fake);
}

/* Rank 0 sends 1000 bytes, which is eager if that send says so, then 500 bytes
   by a call that the receive begins in. */
static struct simulated
two_sends(const char *first, const char *second)
{
	struct simulated program = { .ranks = 2, .end_ns = { 1100, 1050 } };

	program.fake = fake_trace_create(2);
	fake_trace_call(program.fake, 0, first,
	    (struct es_tuple_mpi){ .start = 10,
		.stop = 20,
		.peer = 1,
		.bytes = 1000 });
	FAKE_CALL(program.fake, 1, "Recv", 50, 60, .peer = 0, .bytes = 1000);
	fake_trace_call(program.fake, 0, second,
	    (struct es_tuple_mpi){ .start = 100,
		.stop = 1100,
		.peer = 1,
		.bytes = 500 });
	FAKE_CALL(program.fake, 1, "Recv", 1000, 1050, .peer = 0, .bytes = 500);
	return program;
}

/* Expects the part of the critical path that is computing of rank 1: it ends
   where rank 0 waits for it. */
static void
expect_two_sends(const char *first, const char *second, uint64_t eager_bytes,
    int64_t other_ns)
{
	struct simulated program = two_sends(first, second);

	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
		struct es__graph *g = graph_of(&program, quotas[q]);
		struct path_sums sums = { .graph = g, .until_ns = -1 };

		EXPECT_EQ(eager_bytes, g->eager_bytes);
		expect_replay(g, NULL, &program);
		EXPECT_OK(es__graph_critical(g, path_take, &sums));
		EXPECT_EQ(1100, sums.length_ns);
		EXPECT_EQ(other_ns, sums.path_ns[1][0]);
		es__graph_close(g);
	}
	fake_trace_free(program.fake);
}

static void
an_eager_send_does_not_wait(void)
{
	expect_two_sends("MPI_Send", "MPI_Send", 1000, 0);
}

static void
a_buffered_send_tells_nothing_of_others(void)
{
	expect_two_sends("MPI_Bsend", "MPI_Send", 0, 990);
	expect_two_sends("MPI_Send", "MPI_Bsend", 1000, 0);
}

static void
a_synchronous_send_waits_whatever_its_size(void)
{
	expect_two_sends("MPI_Send", "MPI_Ssend", 1000, 990);
}

/* The function that began the send counts, not the one that ends it. */
static void
a_synchronous_request_waits_whatever_its_size(void)
{
	struct simulated program = { .ranks = 2, .end_ns = { 1100, 1050 } };
	struct es__graph *g;

	program.fake = fake_trace_create(2);
	FAKE_CALL(program.fake, 0, "Send", 10, 20, .peer = 1, .bytes = 1000);
	FAKE_CALL(program.fake, 1, "Recv", 50, 60, .peer = 0, .bytes = 1000);
	FAKE_CALL(program.fake, 0, "Issend", 90, 100, .peer = 1, .bytes = 500,
	    .match = 1);
	FAKE_CALL(program.fake, 0, "Wait", 100, 1100, .peer = 1, .bytes = 500,
	    .match = 1);
	FAKE_CALL(program.fake, 1, "Recv", 1000, 1050, .peer = 0, .bytes = 500);
	g = graph_of(&program, UINT64_MAX);
	expect_replay(g, NULL, &program);
	EXPECT_EQ(1000, g->eager_bytes);
	EXPECT_EQ(UINT64_MAX, g->coupled_bytes);
	es__graph_close(g);
	fake_trace_free(program.fake);
}

/* Expects the ends of two ranks, and those if rank 1 computes for half of the
   time, and the number of calls that depend on what comes first. */
static void
expect_half(struct simulated *program, const int64_t half_ns[2],
    uint64_t choices)
{
	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
		struct simulated half = { .ranks = 2,
			.end_ns = { half_ns[0], half_ns[1] } };
		struct es__graph *g = graph_of(program, quotas[q]);
		struct es__graph_changes changes = {
			.factors = factors_of_thread(g, 1, 0.5),
			.eager_bytes = g->eager_bytes
		};

		expect_replay(g, NULL, program);
		expect_replay(g, &changes, &half);
		EXPECT_EQ(0, g->account.cycles);
		EXPECT_EQ(choices, g->account.choices);
		free((double *)changes.factors);
		es__graph_close(g);
	}
	fake_trace_free(program->fake);
}

/* Rank 0 sends until rank 1, which has posted the receive, calls MPI again;
   then it receives until rank 1, which has begun the send, does so. */
static void
a_message_waits_for_the_progress_of_a_peer(void)
{
	struct simulated program = { .ranks = 2, .end_ns = { 903500, 903001 } };
	int64_t half_ns[2] = { 464500, 463201 };

	program.fake = fake_trace_create(2);
	FAKE_CALL(program.fake, 1, "Irecv", 10000, 11000, .peer = 0,
	    .match = 1);
	FAKE_CALL(program.fake, 0, "Send", 100000, 505000, .peer = 1);
	FAKE_CALL(program.fake, 1, "Wait", 500000, 520000, .peer = 0,
	    .match = 1);
	FAKE_CALL(program.fake, 0, "Recv", 600000, 903500, .peer = 1);
	FAKE_CALL(program.fake, 1, "Isend", 650000, 652000, .peer = 0,
	    .match = 2);
	FAKE_CALL(program.fake, 1, "Test", 901000, 901400, .peer = 0,
	    .match = 2);
	FAKE_CALL(program.fake, 1, "Comm_rank", 903000, 903001, .peer = -1);
	expect_half(&program, half_ns, 1);
}

/* A send of this size has ended before its receive, but another one ends soon
   after the begin of its receive. */
static void
an_eager_send_waits_if_its_end_tells(void)
{
	struct simulated program = { .ranks = 2, .end_ns = { 921000, 920100 } };
	int64_t half_ns[2] = { 461100, 460200 };

	program.fake = fake_trace_create(2);
	FAKE_CALL(program.fake, 0, "Send", 100, 200, .peer = 1, .bytes = 500);
	FAKE_CALL(program.fake, 1, "Recv", 5000, 5200, .peer = 0, .bytes = 500);
	FAKE_CALL(program.fake, 0, "Send", 20000, 921000, .peer = 1,
	    .bytes = 500);
	FAKE_CALL(program.fake, 1, "Recv", 920000, 920100, .peer = 0,
	    .bytes = 500);
	expect_half(&program, half_ns, 0);
}

/* Rank 0 waits for a Late Post, and rank 1 for a Late Complete; then rank 0 for
   the last access and a Late Complete. */
static void
an_epoch_waits_for_post_and_complete(void)
{
	struct simulated program = { .ranks = 2, .end_ns = { 1500, 1410 } };
	int64_t half_ns[2] = { 1195, 1105 };
	int32_t zero, one;

	program.fake = fake_trace_create(2);
	zero = fake_trace_group(program.fake, (const int32_t[]){ 0 }, 1);
	one = fake_trace_group(program.fake, (const int32_t[]){ 1 }, 1);
	FAKE_CALL(program.fake, 0, "Win_start", 100, 500, .tag = 1,
	    .peer = one);
	FAKE_CALL(program.fake, 1, "Win_post", 400, 410, .tag = 1,
	    .peer = zero);
	FAKE_CALL(program.fake, 0, "Win_complete", 600, 610, WINDOW(1));
	FAKE_CALL(program.fake, 1, "Win_wait", 415, 620, WINDOW(1));
	FAKE_CALL(program.fake, 0, "Win_post", 650, 660, .tag = 1, .peer = one);
	FAKE_CALL(program.fake, 1, "Win_start", 720, 730, .tag = 1,
	    .peer = zero);
	FAKE_CALL(program.fake, 1, "Put", 740, 1300, TARGET(1, 0));
	FAKE_CALL(program.fake, 1, "Win_complete", 1400, 1410, WINDOW(1));
	FAKE_CALL(program.fake, 0, "Win_wait", 800, 1500, WINDOW(1));
	expect_half(&program, half_ns, 0);
}

/* Expects the ends of three ranks, and those if a rank computes for `factor` of
   the time. */
static void
expect_changed(const struct simulated *program, uint32_t rank, double factor,
    const int64_t changed_ns[3])
{
	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
		struct simulated changed = { .ranks = 3,
			.end_ns = { changed_ns[0], changed_ns[1],
			    changed_ns[2] } };
		struct es__graph *g = graph_of(program, quotas[q]);
		struct es__graph_changes changes = {
			.factors = factors_of_thread(g, rank, factor),
			.eager_bytes = g->eager_bytes
		};

		expect_replay(g, NULL, program);
		expect_replay(g, &changes, &changed);
		EXPECT_EQ(0, g->account.cycles);
		free((double *)changes.factors);
		es__graph_close(g);
	}
}

/* Rank 0 accesses windows of the others between calls that do not wait: it
   starts after both posts, and they wait after it has completed. */
static struct simulated
slack_epoch(uint64_t start_ns)
{
	struct simulated program = { .ranks = 3, .end_ns = { 610, 820, 920 } };
	int32_t zero, others;

	program.fake = fake_trace_create(3);
	zero = fake_trace_group(program.fake, (const int32_t[]){ 0 }, 1);
	others = fake_trace_group(program.fake, (const int32_t[]){ 1, 2 }, 2);
	FAKE_CALL(program.fake, 1, "Win_post", 100, 110, .tag = 1,
	    .peer = zero);
	FAKE_CALL(program.fake, 2, "Win_post", 200, 210, .tag = 1,
	    .peer = zero);
	FAKE_CALL(program.fake, 0, "Win_start", start_ns, start_ns + 10,
	    .tag = 1, .peer = others);
	FAKE_CALL(program.fake, 0, "Win_complete", 600, 610, WINDOW(1));
	FAKE_CALL(program.fake, 1, "Win_wait", 810, 820, WINDOW(1));
	FAKE_CALL(program.fake, 2, "Win_wait", 910, 920, WINDOW(1));
	return program;
}

/* An edge is there before it is needed: to the last post of the run, to one
   that becomes the last, and to the complete. */
static void
an_epoch_does_not_begin_before_its_posts(void)
{
	struct simulated program = slack_epoch(300);

	/* The later post is at 400, 800 and 1000. */
	expect_changed(&program, 2, 2, (const int64_t[]){ 710, 820, 1820 });
	expect_changed(&program, 1, 8, (const int64_t[]){ 1110, 6420, 1110 });
	expect_changed(&program, 2, 5, (const int64_t[]){ 1310, 1310, 4520 });
	/* The origin is quick: it waits for the post at 200. */
	expect_changed(&program, 0, 0, (const int64_t[]){ 220, 820, 920 });
	/* It is slow: the others wait for its complete at 1485. */
	expect_changed(&program, 0, 2.5, (const int64_t[]){ 1495, 1495, 1495 });
	fake_trace_free(program.fake);
}

/* A test that ends an exposure does not do so before the complete; one that
   finds the exposure open waits for nothing. */
static void
an_exposure_ends_in_a_test(void)
{
	struct simulated program = { .ranks = 3, .end_ns = { 610, 820, 0 } };
	int32_t zero, one;
	struct es__graph *g;

	program.fake = fake_trace_create(3);
	zero = fake_trace_group(program.fake, (const int32_t[]){ 0 }, 1);
	one = fake_trace_group(program.fake, (const int32_t[]){ 1 }, 1);
	FAKE_CALL(program.fake, 1, "Win_post", 100, 110, .tag = 1,
	    .peer = zero);
	FAKE_CALL(program.fake, 0, "Win_start", 200, 210, .tag = 1,
	    .peer = one);
	FAKE_CALL(program.fake, 1, "Win_test", 300, 310, WINDOW(1));
	FAKE_CALL(program.fake, 0, "Win_complete", 600, 610, WINDOW(1));
	FAKE_CALL(program.fake, 1, "Win_test", 810, 820, WINDOW(1), .match = 1);
	expect_changed(&program, 0, 3, (const int64_t[]){ 1790, 1790, 0 });
	g = graph_of(&program, UINT64_MAX);
	EXPECT_EQ(2, g->account.choices);
	es__graph_close(g);
	fake_trace_free(program.fake);
}

/* A start ends at 20, its complete at 70 and the post of its target comes
   first_ns after the begin.  In a second epoch the post is there before both.
   Expects the end of the origin if the target computes for four times as
   long. */
static void
expect_slow_target(uint64_t first_ns, int64_t end_ns)
{
	struct simulated program = { .ranks = 3, .end_ns = { 610, 810, 0 } };
	int32_t zero, one;

	program.fake = fake_trace_create(3);
	zero = fake_trace_group(program.fake, (const int32_t[]){ 0 }, 1);
	one = fake_trace_group(program.fake, (const int32_t[]){ 1 }, 1);
	FAKE_CALL(program.fake, 0, "Win_start", 10, 20, .tag = 1, .peer = one);
	FAKE_CALL(program.fake, 0, "Win_complete", 60, 70, WINDOW(1));
	FAKE_CALL(program.fake, 0, "Win_start", 300, 310, .tag = 1,
	    .peer = one);
	FAKE_CALL(program.fake, 0, "Win_complete", 600, 610, WINDOW(1));
	FAKE_CALL(program.fake, 1, "Win_post", first_ns, first_ns + 10,
	    .tag = 1, .peer = zero);
	FAKE_CALL(program.fake, 1, "Win_wait", 100, 110, WINDOW(1));
	FAKE_CALL(program.fake, 1, "Win_post", 200, 210, .tag = 1,
	    .peer = zero);
	FAKE_CALL(program.fake, 1, "Win_wait", 800, 810, WINDOW(1));
	expect_changed(&program, 1, 4, (const int64_t[]){ end_ns, 3120, 0 });
	fake_trace_free(program.fake);
}

/* A start that ended before its post shows that starts do not wait; a complete
   likewise. */
static void
calls_that_do_not_wait_for_posts_are_known(void)
{
	expect_slow_target(30, 750);
	expect_slow_target(75, 610);
}

/* A post stays only until no call can wait for it any more. */
static void
posts_of_epochs_are_dropped(void)
{
	struct simulated program = { .ranks = 2 };
	int32_t zero, one;
	struct es__graph *g;

	program.fake = fake_trace_create(2);
	zero = fake_trace_group(program.fake, (const int32_t[]){ 0 }, 1);
	one = fake_trace_group(program.fake, (const int32_t[]){ 1 }, 1);
	for (uint64_t ns = 0; ns < 1000000; ns += 1000) {
		FAKE_CALL(program.fake, 1, "Win_post", ns + 100, ns + 110,
		    .tag = 1, .peer = zero);
		FAKE_CALL(program.fake, 0, "Win_start", ns + 300, ns + 310,
		    .tag = 1, .peer = one);
		FAKE_CALL(program.fake, 0, "Win_complete", ns + 400, ns + 410,
		    WINDOW(1));
		FAKE_CALL(program.fake, 1, "Win_wait", ns + 800, ns + 810,
		    WINDOW(1));
	}
	g = graph_of(&program, 100);
	EXPECT_EQ(4000, g->account.operations);
	EXPECT_TRUE(g->slot_count <= 100);
	es__graph_close(g);
	fake_trace_free(program.fake);
}

/* Rank 0 waits until rank 1 has unlocked its own window, and then until it
   calls MPI again. */
static void
a_lock_waits_for_unlock_and_progress(void)
{
	struct simulated program = { .ranks = 2, .end_ns = { 710, 656 } };
	int64_t half_ns[2] = { 413, 359 };

	program.fake = fake_trace_create(2);
	FAKE_CALL(program.fake, 1, "Win_lock", 100, 110, TARGET(1, 1),
	    .match = ES_MPI_LOCK_EXCLUSIVE);
	FAKE_CALL(program.fake, 1, "Win_unlock", 600, 650, TARGET(1, 1));
	FAKE_CALL(program.fake, 1, "Comm_rank", 655, 656, .peer = -1);
	FAKE_CALL(program.fake, 0, "Win_lock", 200, 660, TARGET(1, 1),
	    .match = ES_MPI_LOCK_EXCLUSIVE);
	FAKE_CALL(program.fake, 0, "Win_unlock", 700, 710, TARGET(1, 1));
	expect_half(&program, half_ns, 1);
}

/* An ideal network does not make up for clocks that put effects first. */
static void
negative_lengths_stay(void)
{
	struct simulated program = { .ranks = 2, .end_ns = { 110, 150 } };
	struct es__graph_changes changes = { .eager_bytes = 0 };
	double *factors;
	struct es__graph *g;

	program.fake = fake_trace_create(2);
	FAKE_CALL(program.fake, 0, "Send", 100, 110, .peer = 1);
	FAKE_CALL(program.fake, 1, "Recv", 20, 50, .peer = 0);
	FAKE_CALL(program.fake, 1, "Barrier", 150, 150, .peer = -1);
	g = graph_of(&program, UINT64_MAX);
	EXPECT_EQ(1, g->account.contradictions);
	factors = calloc(g->names.count + 1, sizeof(*factors));
	EXPECT_TRUE(factors != NULL);
	for (uint32_t n = 0; n < g->names.count; n++)
		factors[n] = g->names.list[n].function == 0;
	changes.factors = factors;
	program.end_ns[0] = 100;
	expect_replay(g, &changes, &program);
	free(factors);
	es__graph_close(g);
	fake_trace_free(program.fake);
}

static void
what_was_discarded_is_not_measured(void)
{
	struct simulated program = { .ranks = 2 };

	program.fake = fake_trace_create(2);
	for (uint32_t r = 0; r < 2; r++)
		for (uint32_t n = 1; n <= 4; n++)
			FAKE_CALL(program.fake, r, "Barrier", 1000 * n + 10 * r,
			    1000 * n + 20, .peer = -1, .match = n);
	fake_trace_discard(program.fake, 0, 2);
	fake_trace_discard(program.fake, 1, 1);
	for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
		struct es__graph *g = graph_of(&program, quotas[q]);
		struct es__graph_replayed replayed;

		EXPECT_EQ(3000, g->from_ns);
		EXPECT_EQ(4020, g->to_ns);
		EXPECT_OK(es__graph_replay(g, NULL, &replayed));
		EXPECT_EQ(3000, replayed.from_ns);
		EXPECT_EQ(4020, replayed.to_ns);
		free(replayed.end_ns);
		es__graph_close(g);
	}
	fake_trace_free(program.fake);
}

/* A graph that is made while waits are computed. */
struct along {
	struct es__mpi_also also;
	struct es__graph_mpi of;
	struct es__graph_mpi_work *work;
	struct es__graph *graph;
};

static paths_status
along_begin(struct es__mpi_also *also, const struct es_mpi_trace *trace)
{
	struct along *along = (void *)also;

	return es__graph_mpi_begin(&along->of, trace, &along->work);
}

static paths_status
along_window(struct es__mpi_also *also)
{
	return es__graph_mpi_window(((struct along *)(void *)also)->work);
}

static uint64_t
along_kept(const struct es__mpi_also *also, uint32_t rank)
{
	return es__graph_mpi_kept(
	    ((const struct along *)(const void *)also)->work, rank);
}

static void
along_end(struct es__mpi_also *also, paths_status st)
{
	struct along *along = (void *)also;

	EXPECT_OK(st);
	EXPECT_OK(es__graph_mpi_end(along->work, &along->graph));
}

static struct es__graph *
graph_along(const struct simulated *program, uint64_t quota)
{
	const struct es_mpi_trace_input *input =
	    fake_trace_input(program->fake);
	const struct es__mpi_lost lost = { .curves = NULL };
	struct es__mpi_waits waits = { .ranks = NULL };
	struct along along = { .also = { along_begin, along_window, along_kept,
				   along_end },
		.of = { .input = input } };

	EXPECT_OK(es__mpi_waits_lost(input, &lost,
	    &(struct es__mpi_waits_how){ .threads = 2,
		.quota = quota,
		.also = &along.also },
	    &waits));
	es__mpi_waits_fini(&waits);
	EXPECT_TRUE(along.graph != NULL);
	return along.graph;
}

static void
expect_same_steps(const struct es__graph *one, const struct es__graph *other)
{
	struct es__graph_reader a = es__graph_read(one, false);
	struct es__graph_reader b = es__graph_read(other, false);
	uint32_t count = 1, same;

	EXPECT_EQ(one->count, other->count);
	while (count > 0) {
		const struct es__graph_step *left =
		    es__graph_read_block(&a, &count);
		const struct es__graph_step *right =
		    es__graph_read_block(&b, &same);

		EXPECT_EQ(count, same);
		EXPECT_TRUE(memcmp(left, right, count * sizeof(*left)) == 0);
	}
}

static void
a_graph_along_waits_is_that_made_alone(void)
{
	for (uint32_t seed = 1; seed <= 10; seed++) {
		struct simulated program = { .ranks = 2 + seed % 7,
			.rounds = 60,
			.seed = seed,
			.windows = seed % 2 };

		simulate(&program);
		for (size_t q = 0; q < sizeof(quotas) / sizeof(*quotas); q++) {
			struct es__graph *alone = graph_of(&program, quotas[q]);
			struct es__graph *along =
			    graph_along(&program, quotas[q]);

			expect_same_steps(alone, along);
			es__graph_close(alone);
			es__graph_close(along);
		}
		fake_trace_free(program.fake);
	}
}

TEST_MAIN(a_replay_without_changes_is_the_run,
    a_graph_along_waits_is_that_made_alone, a_changed_replay_is_the_changed_run,
    a_member_waits_only_for_those_that_it_needs, the_critical_path_has_no_waits,
    an_eager_send_does_not_wait, a_buffered_send_tells_nothing_of_others,
    a_synchronous_send_waits_whatever_its_size,
    a_synchronous_request_waits_whatever_its_size,
    a_message_waits_for_the_progress_of_a_peer,
    an_eager_send_waits_if_its_end_tells, an_epoch_waits_for_post_and_complete,
    an_epoch_does_not_begin_before_its_posts, an_exposure_ends_in_a_test,
    calls_that_do_not_wait_for_posts_are_known, posts_of_epochs_are_dropped,
    a_lock_waits_for_unlock_and_progress, negative_lengths_stay,
    what_was_discarded_is_not_measured)
