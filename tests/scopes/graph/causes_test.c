/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/causes_test.c - all waiting has its causes
 */

#include "scopes/graph/causes_private.h"
#include "scopes/graph/mpi_private.h"

#include "libpaths/map.h"

#include "tests/scopes/graph/simulated.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The causes in a trace, with a class for the computing and for the operations
   of each site. */
struct found {
	struct es__graph *graph;
	struct es__graph_causes causes;
	char text[4096];
};

#define SITES 64u

static struct found *
find(struct fake_trace *fake, uint64_t quota)
{
	struct found *f = calloc(1, sizeof(*f));
	uint32_t *of;

	EXPECT_TRUE(f != NULL);
	EXPECT_OK(
	    es__graph_mpi(&(struct es__graph_mpi){ .input =
						       fake_trace_input(fake),
			      .threads = 2,
			      .quota = quota },
		&f->graph));
	of = calloc(f->graph->names.count + 1, sizeof(*of));
	EXPECT_TRUE(of != NULL);
	for (uint32_t n = 0; n < f->graph->names.count; n++) {
		const struct es__graph_activity *a = &f->graph->names.list[n];

		EXPECT_TRUE(a->site < SITES);
		of[n] = 2 * a->site + (a->function != 0);
	}
	EXPECT_OK(es__graph_causes(f->graph,
	    &(struct es__graph_classes){ .of = of, .count = 2 * SITES }, NULL,
	    &f->causes));
	free(of);
	return f;
}

static void
forget(struct found *f)
{
	free(f->causes.list);
	es__graph_close(f->graph);
	free(f);
}

/* Returns lines "thread computing-before|in @site short long" of causes and
   "thread waits @site direct indirect propagating". */
static const char *
text_of(struct found *f)
{
	size_t used = 0;

	f->text[0] = '\0';
	for (uint32_t n = 0; n < f->causes.thread_count * 2 * SITES; n++) {
		const struct es__graph_cause *c = &f->causes.list[n];
		uint32_t thread = n / (2 * SITES), class = n % (2 * SITES);

		if (c->short_term + c->long_term > 0)
			used += (size_t)snprintf(f->text + used,
			    sizeof(f->text) - used, "%u %s @%u %g %g\n", thread,
			    class % 2 ? "in" : "before", class / 2,
			    c->short_term, c->long_term);
		if (c->direct + c->indirect > 0)
			used += (size_t)snprintf(f->text + used,
			    sizeof(f->text) - used, "%u waits @%u %g %g %g\n",
			    thread, class / 2, c->direct, c->indirect,
			    c->propagating);
	}
	return f->text;
}

#define EXPECT_CAUSES(text, fake) \
	do { \
		struct found *found_ = find(fake, UINT64_MAX); \
		EXPECT_STR_EQ(text, text_of(found_)); \
		forget(found_); \
		found_ = find(fake, 1); \
		EXPECT_STR_EQ(text, text_of(found_)); \
		forget(found_); \
	} while (0)

static void
a_late_sender_is_the_cause(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send", 1100, 1110, .peer = 1, .site = 1);
	FAKE_CALL(f, 1, "Recv", 100, 1120, .peer = 0, .site = 2);
	EXPECT_CAUSES("0 before @1 1000 0\n"
		      "1 waits @2 1000 0 0\n",
	    f);
	fake_trace_free(f);
}

/* Each rank of a chain passes the delay of the first one on. */
static void
a_delay_goes_along_a_chain(void)
{
	struct fake_trace *f = fake_trace_create(4);

	FAKE_CALL(f, 0, "Send", 1100, 1110, .peer = 1, .site = 1);
	FAKE_CALL(f, 1, "Recv", 100, 1120, .peer = 0, .site = 2);
	FAKE_CALL(f, 1, "Send", 1120, 1130, .peer = 2, .site = 3);
	FAKE_CALL(f, 2, "Recv", 100, 1140, .peer = 1, .site = 2);
	FAKE_CALL(f, 2, "Send", 1140, 1150, .peer = 3, .site = 3);
	FAKE_CALL(f, 3, "Recv", 100, 1160, .peer = 2, .site = 2);
	/* The receives take 20 ns more than the wait, which are delays of the
	   operations, too. */
	EXPECT_CAUSES("0 before @1 1000 2000\n"
		      "1 in @2 20 20\n"
		      "1 waits @2 1000 0 1000\n"
		      "2 in @2 20 0\n"
		      "2 waits @2 20 1000 1020\n"
		      "3 waits @2 20 1020 0\n",
	    f);
	fake_trace_free(f);
}

/* Both compute, and the one that does so for longer is late. */
static void
only_the_excess_is_a_delay(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Barrier", 1000, 1010, .peer = -1, .site = 1,
	    .match = 1);
	FAKE_CALL(f, 1, "Barrier", 400, 1010, .peer = -1, .site = 1,
	    .match = 1);
	FAKE_CALL(f, 0, "Barrier", 1310, 2010, .peer = -1, .site = 2,
	    .match = 2);
	FAKE_CALL(f, 1, "Barrier", 1910, 2010, .peer = -1, .site = 2,
	    .match = 2);
	EXPECT_CAUSES("0 before @1 600 0\n"
		      "0 waits @2 600 0 0\n"
		      "1 waits @1 600 0 0\n"
		      "1 before @2 600 0\n",
	    f);
	fake_trace_free(f);
}

/* Ranks 0 and 1 compute before a Send that does not wait, and then before a
   Barrier.  Rank 0 takes 400 ns more before the Send, and rank 1 more before
   the Barrier, which it enters at `second`. */
static struct fake_trace *
two_delays(uint64_t second)
{
	static const uint32_t members[] = { 0, 1 };
	struct fake_trace *f = fake_trace_create(3);
	uint16_t comm = fake_trace_comm(f, members, 2, 2);

	for (uint32_t r = 0; r < 2; r++) {
		uint64_t first = r == 0 ? 600 : 200;

		FAKE_CALL(f, r, "Send", first, first + 10, .peer = 2,
		    .site = 1);
		FAKE_CALL(f, r, "Barrier", r == 0 ? 1000 : second, 1010,
		    .peer = -1, .site = 2, .comm = comm, .match = 1);
	}
	FAKE_CALL(f, 2, "Recv", 2000, 2010, .peer = 0, .site = 3);
	FAKE_CALL(f, 2, "Recv", 2020, 2030, .peer = 1, .site = 3);
	return f;
}

/* Delays that cancel have no cost.  Otherwise the wait is as long as the
   difference, and only the delay of the rank that is late is its cause. */
static void
a_delay_costs_what_another_one_leaves(void)
{
	struct fake_trace *f = two_delays(1000);

	EXPECT_CAUSES("", f);
	fake_trace_free(f);
	f = two_delays(900);
	EXPECT_CAUSES("0 before @1 100 0\n"
		      "1 waits @2 100 0 0\n",
	    f);
	fake_trace_free(f);
}

/* Delays before a barrier of both groups do not matter. */
static void
groups_of_an_intercommunicator_are_synchronised(void)
{
	static const uint32_t members[] = { 0, 1, 2, 3, 4, 5 };
	struct fake_trace *f = fake_trace_create(6);
	uint16_t comm = fake_trace_comm(f, members, 6, 3);

	for (uint32_t r = 0; r < 6; r++) {
		FAKE_CALL(f, r, "Barrier", r < 3 ? 990 : 1000, 1000, .peer = -1,
		    .site = r < 3 ? 2 : 1, .comm = comm, .match = 1);
		FAKE_CALL(f, r, "Barrier", r < 5 ? 1100 : 1500, 1500,
		    .peer = -1, .site = 3, .comm = comm, .match = 2);
	}
	EXPECT_CAUSES("0 waits @2 10 0 0\n"
		      "0 waits @3 400 0 0\n"
		      "1 waits @2 10 0 0\n"
		      "1 waits @3 400 0 0\n"
		      "2 waits @2 10 0 0\n"
		      "2 waits @3 400 0 0\n"
		      "3 before @1 30 0\n"
		      "5 before @3 1200 0\n",
	    f);
	fake_trace_free(f);
}

static void
all_waiting_has_causes(void)
{
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct simulated program = { .ranks = 2 + seed % 7,
			.rounds = 60,
			.seed = seed };
		double caused = 0, waited = 0, indirect = 0, later = 0;
		struct found *f;

		simulate(&program);
		f = find(program.fake, seed % 2 ? 700 : UINT64_MAX);
		for (size_t n = 0;
		     n < (size_t)f->causes.thread_count * f->causes.class_count;
		     n++) {
			const struct es__graph_cause *c = &f->causes.list[n];

			caused += c->short_term + c->long_term;
			waited += c->direct + c->indirect;
			indirect += c->indirect;
			later += c->long_term;
		}
		EXPECT_EQ(program.waited_ns, llround(f->causes.waited));
		EXPECT_EQ(program.waited_ns, llround(waited));
		EXPECT_EQ(program.waited_ns, llround(caused));
		EXPECT_EQ(llround(indirect), llround(later));
		forget(f);
		fake_trace_free(program.fake);
	}
}

TEST_MAIN(a_late_sender_is_the_cause, a_delay_goes_along_a_chain,
    only_the_excess_is_a_delay, a_delay_costs_what_another_one_leaves,
    groups_of_an_intercommunicator_are_synchronised, all_waiting_has_causes)
