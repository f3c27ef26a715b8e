/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/waves_test.c - idle waves of a chain of ranks are found
 * with their origin, speed and end
 *
 * In each iteration a rank computes, posts receives and sends for its
 * neighbours, each in 1 ns, and waits for their messages, which takes 2 ns
 * more.
 */

#include "scopes/graph/mpi_private.h"
#include "scopes/graph/waves_private.h"

#include "libpaths/map.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 8u
#define ITERATIONS 40u
#define TYPICAL 1000
#define LEAST 100
/* Time from the begin of the send of a rank to that of the rank behind it,
   which waits for it: the end of its wait, the computation, two receives and
   the send to the other side. */
#define HOP_RIGHT (2 + TYPICAL + 3)

enum {
	SITE_FIRST = 1,
	SITE_RECEIVE,
	SITE_SEND,
	SITE_WAIT,
	SITE_BARRIER,
	SITES
};

struct chain {
	bool barriers;	     /* one ends each iteration */
	bool one_way;	     /* ranks receive only from the one before them */
	uint32_t jitter;     /* of computations, up to so many ns */
	int64_t more[RANKS]; /* that each computation of a rank takes */
	struct {
		uint32_t rank, iteration;
		int64_t ns;
	} delays[4];
};

/* A simulation, and what is found in it. */
struct sea {
	const struct chain *chain;
	struct fake_trace *fake;
	uint32_t random;
	uint32_t requests[RANKS];
	int64_t now[RANKS];
	int64_t sent[RANKS][2]; /* to the left, to the right */
	struct es__graph *graph;
	struct es__graph_waves waves;
	char text[4096];
};

/* ---- simulation */

static void
compute(struct sea *s, uint32_t rank, uint32_t iteration)
{
	const struct chain *c = s->chain;

	s->random = s->random * 1664525u + 1013904223u;
	s->now[rank] += TYPICAL + c->more[rank];
	if (c->jitter > 0)
		s->now[rank] += (s->random >> 8) % c->jitter;
	for (size_t k = 0; k < sizeof(c->delays) / sizeof(*c->delays); k++)
		if (c->delays[k].ns > 0 && c->delays[k].rank == rank &&
		    c->delays[k].iteration == iteration)
			s->now[rank] += c->delays[k].ns;
}

/* Returns whether a rank has a neighbour on a side that it receives from, or
   sends to.  side: 0 is left. */
static bool
has(const struct sea *s, uint32_t rank, uint32_t side, bool sends)
{
	if (s->chain->one_way && (side == 1) != sends)
		return false;
	return side == 0 ? rank > 0 : rank + 1 < RANKS;
}

static int32_t
other(uint32_t rank, uint32_t side)
{
	return side == 0 ? (int32_t)rank - 1 : (int32_t)rank + 1;
}

/* Messages to the left have the tag 1. */
static int32_t
tag(uint32_t side, bool sends)
{
	return (side == 0) == sends ? 1 : 2;
}

static void
post(struct sea *s, uint32_t rank)
{
	for (uint32_t n = 0; n < 4; n++) {
		uint32_t side = n % 2;
		bool sends = n >= 2;

		if (!has(s, rank, side, sends))
			continue;
		if (sends)
			s->sent[rank][side] = s->now[rank];
		fake_trace_call(s->fake, rank,
		    sends ? "MPI_Isend" : "MPI_Irecv",
		    (struct es_tuple_mpi){ .start = (uint64_t)s->now[rank],
			.stop = (uint64_t)s->now[rank] + 1,
			.peer = other(rank, side),
			.tag = tag(side, sends),
			.bytes = 8,
			.site = sends ? SITE_SEND : SITE_RECEIVE,
			.match = ++s->requests[rank] });
		s->now[rank]++;
	}
}

static void
wait_all(struct sea *s, uint32_t rank, uint32_t first)
{
	int64_t enter = s->now[rank];

	for (uint32_t side = 0; side < 2; side++) {
		int64_t sent;

		if (!has(s, rank, side, false))
			continue;
		sent = s->sent[other(rank, side)][1 - side];
		if (sent > s->now[rank])
			s->now[rank] = sent;
	}
	s->now[rank] += 2;
	FAKE_CALL(s->fake, rank, "Waitall", (uint64_t)enter,
	    (uint64_t)s->now[rank], .peer = -1, .site = SITE_WAIT);
	for (uint32_t n = 0; n < 4; n++)
		if (has(s, rank, n % 2, n >= 2))
			FAKE_COMPLETED(s->fake, rank,
			    .peer = other(rank, n % 2),
			    .tag = tag(n % 2, n >= 2), .bytes = 8,
			    .match = ++first);
}

/* All ranks wait for the last one, which is rank 2. */
static void
barrier(struct sea *s, uint32_t number)
{
	int64_t last = 0;

	s->now[2] += LEAST;

	for (uint32_t r = 0; r < RANKS; r++)
		last = s->now[r] > last ? s->now[r] : last;
	for (uint32_t r = 0; r < RANKS; r++) {
		FAKE_CALL(s->fake, r, "Barrier", (uint64_t)s->now[r],
		    (uint64_t)last + 2, .peer = -1, .match = number,
		    .site = SITE_BARRIER);
		s->now[r] = last + 2;
	}
}

static void
simulate(struct sea *s)
{
	/* A send that ends before its receive begins: small ones are eager. */
	FAKE_CALL(s->fake, 0, "Send", 1, 2, .peer = 1, .bytes = 8,
	    .site = SITE_FIRST);
	FAKE_CALL(s->fake, 1, "Recv", 5, 6, .peer = 0, .bytes = 8,
	    .site = SITE_FIRST);
	for (uint32_t r = 0; r < RANKS; r++)
		s->now[r] = 10;
	for (uint32_t n = 0; n < ITERATIONS; n++) {
		uint32_t first[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			first[r] = s->requests[r];
			compute(s, r, n);
			post(s, r);
		}
		for (uint32_t r = 0; r < RANKS; r++)
			wait_all(s, r, first[r]);
		if (s->chain->barriers)
			barrier(s, n + 1);
	}
}

/* ---- search */

static void
search(struct sea *s, uint64_t quota)
{
	const uint32_t hosts[RANKS] = { 0 };
	struct es__graph_classes classes = { .count = 2 * SITES * SITES };
	struct es__graph_typical_work *work;
	struct es__graph_typical typical;
	struct es__graph_pass passes[2];
	struct es__graph_find *find;
	struct es__spool waits;

	EXPECT_OK(
	    es__graph_mpi(&(struct es__graph_mpi){ .input = fake_trace_input(
						       s->fake),
			      .threads = 2,
			      .quota = quota },
		&s->graph));
	classes.of = calloc(s->graph->names.count + 1, sizeof(*classes.of));
	EXPECT_TRUE(classes.of != NULL);
	for (uint32_t n = 0; n < s->graph->names.count; n++) {
		const struct es__graph_activity *a = &s->graph->names.list[n];
		uint32_t from = a->from == PATHS_NONE ? 0 : a->from;

		classes.of[n] =
		    2 * (SITES * from + a->site) + (a->function != 0);
	}
	EXPECT_OK(es__spool_open(NULL, &waits));
	EXPECT_OK(es__graph_find_begin(s->graph, &classes, &waits, &find));
	EXPECT_OK(es__graph_typical_begin(s->graph, hosts, &typical, &work));
	passes[0] = es__graph_find_pass(find);
	passes[1] = es__graph_typical_pass(work);
	EXPECT_OK(es__graph_pass(s->graph, passes, 2));
	EXPECT_OK(es__spool_finish(&waits));
	es__graph_find_end(find);
	es__graph_typical_end(work);
	EXPECT_OK(
	    es__graph_waves(&(struct es__graph_wave_search){ .graph = s->graph,
				.classes = &classes,
				.waits = &waits,
				.typical = &typical,
				.least_ns = LEAST },
		&s->waves));
	es__graph_typical_fini(&typical);
	es__spool_close(&waits);
	free(classes.of);
}

/* Adds a line "RANK late DELAY: RANK[HOPS] ...; END RANK" for a wave. */
static size_t
describe_wave(char *text, size_t room, const struct es__graph_wave *w)
{
	static const char *const ends[] = { "ends", "slack", "meets", "fills" };
	size_t used = (size_t)snprintf(text, room, "%u late %lld:", w->thread,
	    (long long)w->delay_ns);

	for (uint32_t hops = 1; hops <= w->hops; hops++)
		for (uint32_t r = 0; r < RANKS; r++)
			for (size_t k = 0; k < w->count; k++)
				if (w->crossings[k].hops == hops &&
				    w->crossings[k].thread == r)
					used += (size_t)snprintf(text + used,
					    room - used, " %u[%u]", r, hops);
	return used +
	    (size_t)snprintf(text + used, room - used, "; %s %d\n",
		ends[w->end], (int)w->end_at);
}

/* Describes the waves in the order of the ranks that were late. */
static void
describe(struct sea *s)
{
	size_t used = 0;

	s->text[0] = '\0';
	for (uint32_t r = 0; r < RANKS; r++)
		for (size_t n = 0; n < s->waves.count; n++)
			if (s->waves.list[n].thread == r)
				used += describe_wave(s->text + used,
				    sizeof(s->text) - used, &s->waves.list[n]);
}

static void
sink(struct sea *s)
{
	es__graph_waves_fini(&s->waves);
	es__graph_close(s->graph);
	s->waves = (struct es__graph_waves){ .list = NULL };
	s->graph = NULL;
}

/* Expects waves in a chain, for windows of a trace of two sizes. */
static struct sea *
expect_waves(const struct chain *chain, const char *text)
{
	struct sea *s = calloc(1, sizeof(*s));

	EXPECT_TRUE(s != NULL);
	s->chain = chain;
	s->random = 1;
	s->fake = fake_trace_create(RANKS);
	simulate(s);
	search(s, 1);
	describe(s);
	EXPECT_STR_EQ(text, s->text);
	sink(s);
	search(s, UINT64_MAX);
	describe(s);
	EXPECT_STR_EQ(text, s->text);
	return s;
}

static void
done(struct sea *s)
{
	sink(s);
	fake_trace_free(s->fake);
	free(s);
}

/* ---- cases */

static void
a_delay_goes_both_ways_through_a_chain(void)
{
	static const struct chain chain = { .delays = { { 3, 10, 5000 } } };
	struct sea *s = expect_waves(&chain,
	    "3 late 5000: 2[1] 4[1] 1[2] 5[2] 0[3] 6[3] 7[4]; fills -1\n");
	const struct es__graph_wave *w = &s->waves.list[0];
	const struct es__graph_crossing *first, *last;
	/* Rank 3 has spent ten iterations of two sides. */
	int64_t begin_ns = 10 + 10 * (TYPICAL + 4 + 2);

	EXPECT_EQ(1, s->waves.all);
	EXPECT_EQ(begin_ns, w->start_ns);
	EXPECT_EQ(begin_ns + TYPICAL + 5000, w->stop_ns);
	EXPECT_EQ(SITE_RECEIVE, s->graph->names.list[w->activity].site);
	EXPECT_TRUE(es__graph_wave_front(w, &first, &last));
	EXPECT_EQ(4, first->thread);
	EXPECT_EQ(7, last->thread);
	/* Each rank is crossed one computation after the one before. */
	EXPECT_EQ(3 * HOP_RIGHT, last->stop_ns - first->stop_ns);
	done(s);
}

/* Rank 5 computes for so long at first that messages are there before it. */
static void
slack_absorbs_a_wave(void)
{
	static const struct chain chain = { .one_way = true,
		.delays = { { 5, 2, 9000 }, { 1, 10, 5000 } } };
	struct sea *s = expect_waves(&chain,
	    "1 late 5000: 2[1] 3[2] 4[3]; slack 5\n"
	    "5 late 9000: 6[1] 7[2]; ends -1\n");

	done(s);
}

/* The remainder of a wave goes on. */
static void
slack_shortens_a_wave(void)
{
	static const struct chain chain = { .one_way = true,
		.delays = { { 5, 2, 2000 }, { 1, 10, 5000 } } };
	struct sea *s = expect_waves(&chain,
	    "1 late 5000: 2[1] 3[2] 4[3] 5[4] 6[5] 7[6]; ends -1\n"
	    "5 late 2000: 6[1] 7[2]; ends -1\n");
	const struct es__graph_wave *w = &s->waves.list[0];

	EXPECT_EQ(1, w->thread);
	for (size_t k = 0; k < w->count; k++) {
		const struct es__graph_crossing *c = &w->crossings[k];

		EXPECT_TRUE(llabs((c->thread < 5 ? 5000 : 3000) -
				(c->stop_ns - c->start_ns)) <= 60);
	}
	done(s);
}

static void
two_waves_that_meet_end_each_other(void)
{
	static const struct chain chain = { .delays = { { 1, 10, 5000 },
						{ 6, 10, 5000 } } };
	struct sea *s = expect_waves(&chain,
	    "1 late 5000: 0[1] 2[1] 3[2]; meets 4\n"
	    "6 late 5000: 5[1] 7[1] 4[2]; meets 3\n");

	EXPECT_EQ(2, s->waves.count);
	EXPECT_EQ(s->waves.list[0].met, s->waves.list[1].number);
	EXPECT_EQ(s->waves.list[1].met, s->waves.list[0].number);
	done(s);
}

/* The last rank is late while it would wait anyway. */
static void
a_delay_that_another_one_hides_makes_no_wave(void)
{
	static const struct chain chain = { .one_way = true,
		.delays = { { 1, 10, 5000 }, { 7, 15, 2000 } } };
	struct sea *s = expect_waves(&chain,
	    "1 late 5000: 2[1] 3[2] 4[3] 5[4] 6[5] 7[6]; ends -1\n");
	const struct es__graph_crossing *last =
	    &s->waves.list[0].crossings[s->waves.list[0].count - 1];

	EXPECT_EQ(7, last->thread);
	EXPECT_TRUE(llabs(3000 - (last->stop_ns - last->start_ns)) <= 60);
	done(s);
}

/* A delay on the way of a wave makes it longer, and is no wave of its own. */
static void
a_delay_in_a_wave_belongs_to_it(void)
{
	static const struct chain chain = { .one_way = true,
		.delays = { { 1, 10, 5000 }, { 4, 13, 2000 } } };
	struct sea *s = expect_waves(&chain,
	    "1 late 5000: 2[1] 3[2] 4[3] 5[4] 6[5] 7[6]; ends -1\n");

	done(s);
}

static void
a_balanced_program_has_no_wave(void)
{
	static const struct chain equal = { .one_way = false },
				  jitter = { .jitter = 200 };

	done(expect_waves(&equal, ""));
	done(expect_waves(&jitter, ""));
}

/* Others wait for it in each iteration.  Only the computation before
   its first operation can be compared with those of others alone. */
static void
a_slow_rank_makes_one_wave_at_most(void)
{
	static const struct chain chain = { .more = { [3] = 1500 } };

	done(expect_waves(&chain,
	    "3 late 1500: 2[1] 4[1] 1[2] 5[2] 0[3] 6[3] 7[4]; fills -1\n"));
}

/* Ranks 1 and 5 wait in it for ranks 2 and 4, which waited for rank 3, but they
   would wait there for rank 3 as well. */
static void
a_wait_for_all_ranks_is_no_wave(void)
{
	static const struct chain chain = { .barriers = true,
		.delays = { { 3, 10, 5000 } } };

	done(expect_waves(&chain, ""));
}

TEST_MAIN(a_delay_goes_both_ways_through_a_chain, slack_absorbs_a_wave,
    slack_shortens_a_wave, two_waves_that_meet_end_each_other,
    a_delay_that_another_one_hides_makes_no_wave,
    a_delay_in_a_wave_belongs_to_it, a_balanced_program_has_no_wave,
    a_slow_rank_makes_one_wave_at_most, a_wait_for_all_ranks_is_no_wave)
