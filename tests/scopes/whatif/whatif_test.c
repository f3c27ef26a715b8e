/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/whatif_test.c - a prediction is the simulated program
 * with that change, to the ns
 */

#include "scopes/whatif/sense_private.h"
#include "scopes/whatif/whatif_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include "tests/scopes/whatif/evened.h"
#include "tests/scopes/whatif/fixture.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 20u

static int64_t
last_end(const struct simulated *program)
{
	int64_t last_ns = 0;

	for (uint32_t r = 0; r < program->ranks; r++)
		if (program->end_ns[r] > last_ns)
			last_ns = program->end_ns[r];
	return last_ns;
}

/* Compares the answer with a program that has the changes. */
static void
expect_answer(struct es_whatif *whatif, struct simulated *changed)
{
	struct es_whatif_answer answer;

	simulate(changed);
	EXPECT_OK(es_whatif_predict(whatif, &answer));
	EXPECT_EQ(changed->ranks, answer.thread_count);
	for (uint32_t r = 0; r < changed->ranks; r++)
		EXPECT_EQ(changed->end_ns[r], (int64_t)answer.after[r].end_ns);
	EXPECT_EQ(last_end(changed), (int64_t)answer.after_ns);
	fake_trace_free(changed->fake);
}

static void
without_a_change_it_is_the_run(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		struct simulated same;
		const struct es_whatif_account *a;

		fixture_simulate(&f, 3 + seed % 6, seed);
		same = f.program;
		a = es_whatif_account(f.whatif);
		EXPECT_TRUE(a->drift == 0);
		EXPECT_EQ(last_end(&f.program), (int64_t)a->replayed_ns);
		EXPECT_TRUE(a->epochs_agree);
		EXPECT_EQ(f.program.epochs, a->epochs);
		expect_answer(f.whatif, &same);
		fixture_close(&f);
	}
}

/* Waiting, computing and operations are the whole time of each rank. */
static void
the_composition_is_the_time_of_each_rank(void)
{
	struct fixture f;
	struct es_whatif_answer answer;
	double waited_ns = 0;

	fixture_simulate(&f, 5, 3);
	EXPECT_OK(es_whatif_change(f.whatif, "rank=1:x2"));
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	for (uint32_t r = 0; r < 5; r++) {
		const struct es_whatif_thread *both[] = { &answer.before[r],
			&answer.after[r] };

		for (size_t n = 0; n < 2; n++)
			EXPECT_EQ((int64_t)both[n]->end_ns,
			    (int64_t)(both[n]->computing_ns +
				both[n]->waiting_ns + both[n]->operating_ns));
		waited_ns += answer.before[r].waiting_ns;
	}
	EXPECT_EQ(f.program.waited_ns, (int64_t)waited_ns);
	fixture_close(&f);
}

static void
ranks_that_are_quicker(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		struct simulated changed;

		fixture_simulate(&f, 3 + seed % 5, seed);
		changed = f.program;
		changed.factors[1] = 0.3;
		changed.factors[0] = changed.factors[2] = 1.7;
		EXPECT_OK(es_whatif_change(f.whatif, "rank=1:x0.3"));
		EXPECT_OK(es_whatif_change(f.whatif,
		    seed % 2 ? "rank=0,2:x1.7" : "thread=0,2:x1.7"));
		expect_answer(f.whatif, &changed);
		fixture_close(&f);
	}
}

/* The interaction is T(1,1) - T(1,0) - T(0,1) + T(0,0), as a gain. */
static void
gains_that_do_not_add(void)
{
	struct fixture f;
	struct es_whatif_answer answer;
	int64_t ends[4];

	fixture_simulate(&f, 4, 9);
	for (uint32_t n = 0; n < 4; n++) {
		struct simulated changed = f.program;

		changed.factors[1] = n & 1 ? 0.5 : 1;
		changed.factors[2] = n & 2 ? 0.5 : 1;
		simulate(&changed);
		ends[n] = last_end(&changed);
		fake_trace_free(changed.fake);
	}
	EXPECT_OK(es_whatif_change(f.whatif, "rank=1:x0.5"));
	EXPECT_OK(es_whatif_change(f.whatif, "rank=2:x0.5"));
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	EXPECT_EQ(2, answer.change_count);
	EXPECT_EQ(ends[1], (int64_t)answer.alone_ns[0]);
	EXPECT_EQ(ends[2], (int64_t)answer.alone_ns[1]);
	EXPECT_EQ(ends[1] + ends[2] - ends[3] - ends[0],
	    (int64_t)answer.interaction_ns);
	EXPECT_TRUE(answer.interaction_ns != 0);
	fixture_close(&f);
}

static void
slower_messages(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		struct simulated changed;

		fixture_simulate(&f, 2 + seed % 7, seed);
		changed = f.program;
		changed.latency_ns = 300000;
		EXPECT_OK(es_whatif_change(f.whatif, "latency=+0.3ms"));
		expect_answer(f.whatif, &changed);
		fixture_close(&f);
	}
}

/* Rank 1 receives three messages that travel for 512 ns: it waits for the first
   one; the second one has come long before, and the third one is under way.  If
   rank 1 computes for a tenth of the time, it waits for all of them. */
static void
messages_that_nobody_waited_for_travel_too(void)
{
	struct fixture f = { .program = { .ranks = 2 } };
	struct es__histogram times = { .count = 0 };
	struct es__graph_typical typical = { .messages = { { &times } } };
	struct es_whatif_answer answer;

	es__histogram_add(&times, 512);
	f.program.fake = fake_trace_create(2);
	FAKE_CALL(f.program.fake, 0, "Send", 100, 110, .peer = 1);
	FAKE_CALL(f.program.fake, 0, "Send", 1000, 1010, .peer = 1);
	FAKE_CALL(f.program.fake, 0, "Send", 3000, 3010, .peer = 1);
	FAKE_CALL(f.program.fake, 1, "Recv", 50, 612, .peer = 0);
	FAKE_CALL(f.program.fake, 1, "Recv", 2612, 2620, .peer = 0);
	FAKE_CALL(f.program.fake, 1, "Recv", 3200, 3512, .peer = 0);
	fixture_open(&f);
	f.whatif->run.model.typical = &typical;
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	EXPECT_EQ(3512, (int64_t)answer.after_ns);
	EXPECT_OK(es_whatif_change(f.whatif, "rank=1:x0.1"));
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	/* After 612 + 200 it waits until 1000 + 512, after 1520 + 58 until 3000
	   + 200; the rest is in the time of the call. */
	EXPECT_EQ(1000 + 512 - 812 + 3200 - 1578 + 95,
	    (int64_t)answer.after[1].waiting_ns);
	EXPECT_EQ(3512, (int64_t)answer.after_ns);
	EXPECT_OK(es_whatif_change(f.whatif, "rank=0:x0.5"));
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	EXPECT_EQ(1510 + 200 + 312, (int64_t)answer.after_ns);
	fixture_close(&f);
}

static void
an_ideal_network(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		struct simulated changed;

		fixture_simulate(&f, 2 + seed % 7, seed);
		changed = f.program;
		changed.ideal = true;
		EXPECT_OK(es_whatif_change(f.whatif, "ideal"));
		expect_answer(f.whatif, &changed);
		fixture_close(&f);
	}
}

static void
collectives_that_do_not_wait(void)
{
	static const char *const names[] = { "MPI_Barrier", "MPI_Allreduce" };

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		struct simulated changed;
		char text[64];

		fixture_simulate(&f, 2 + seed % 7, seed);
		changed = f.program;
		changed.nowait = names[seed % 2];
		snprintf(text, sizeof(text), "nowait=%s", names[seed % 2]);
		EXPECT_OK(es_whatif_change(f.whatif, text));
		expect_answer(f.whatif, &changed);
		fixture_close(&f);
	}
}

static void
sends_that_do_not_wait(void)
{
	static const char *const texts[] = { "eager=all", "eager=100K" };

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		struct simulated changed;

		fixture_simulate(&f, 2 + seed % 7, seed);
		changed = f.program;
		changed.eager_bytes = SIMULATED_EAGER * 100;
		EXPECT_OK(es_whatif_change(f.whatif, texts[seed % 2]));
		expect_answer(f.whatif, &changed);
		fixture_close(&f);
	}
}

/* Each rank takes the mean of those that compute, in each epoch, and work stays
   the same code. */
static void
computations_that_are_evened_out(void)
{
	static struct simulated_work work[SIMULATED_WORK_MAX];
	static double factors[SIMULATED_WORK_MAX];
	uint32_t spread = 0;

	for (uint32_t seed = 1; seed <= SEEDS / 2; seed++) {
		struct fixture f = { .program = { .ranks = 3 + seed % 6,
					 .rounds = 20,
					 .seed = seed,
					 .sites = true,
					 .work = work } };
		struct simulated changed;

		simulate(&f.program);
		fixture_open(&f);
		EXPECT_TRUE(evened_factors(&f.program, factors, &spread) > 20);
		changed = f.program;
		changed.evens = factors;
		changed.work = NULL;
		EXPECT_OK(es_whatif_change(f.whatif, "even"));
		expect_answer(f.whatif, &changed);
		fixture_close(&f);
	}
	EXPECT_TRUE(spread > 50);
}

/* Rank 2 does not run the code before site 5. */
static void
ranks_without_the_code_do_not_count(void)
{
	struct fixture f = { .program = { .ranks = 3 } };
	struct es_whatif_answer answer;

	f.program.fake = fake_trace_create(3);
	for (uint32_t r = 0; r < 3; r++) {
		uint64_t at = r == 0 ? 100 : 300;

		if (r < 2)
			FAKE_CALL(f.program.fake, r, "Iprobe", at, at,
			    .peer = 0, .site = 5);
		FAKE_CALL(f.program.fake, r, "Barrier", at, 310, .peer = -1,
		    .match = 1, .site = 7);
	}
	fixture_open(&f);
	EXPECT_OK(es_whatif_change(f.whatif, "before=halo.c:5:even"));
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	EXPECT_EQ(200, (int64_t)answer.after[0].computing_ns);
	EXPECT_EQ(200, (int64_t)answer.after[1].computing_ns);
	EXPECT_EQ(300, (int64_t)answer.after[2].computing_ns);
	fixture_close(&f);
}

/* ---- sensitivity */

/* The length of a run with a latency, of the replay. */
static double
length_with(const struct fixture *f, const struct es__whatif_parameter *p,
    double value_ns, double *slope)
{
	struct es__whatif_setting setting =
	    es__whatif_unchanged(&f->whatif->run.model);
	struct es__whatif_point point = { .value_ns = value_ns };

	EXPECT_OK(es__whatif_slope(&f->whatif->run.model, &setting, p, &point));
	*slope = point.slope;
	return point.length_ns;
}

static const struct es__whatif_parameter latency = { .links = { true, true } };
static const struct es__whatif_parameter byte_time = { .bytes = true,
	.links = { true, true } };

/* All times are multiples of 1000 ns, and paths differ by less than 1000
   latencies, so that the length is straight from 0 to 1 ns. */
static void
the_slope_is_what_one_ns_costs(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f = { .program = { .ranks = 2 + seed % 7,
					 .rounds = 60,
					 .seed = seed,
					 .scale = 1000 } };
		struct simulated slower;
		double slope, other;
		double length_ns;

		simulate(&f.program);
		fixture_open(&f);
		length_ns = length_with(&f, &latency, 0, &slope);
		slower = f.program;
		slower.latency_ns = 1;
		simulate(&slower);
		EXPECT_EQ(last_end(&slower) - last_end(&f.program),
		    (int64_t)slope);
		EXPECT_EQ((int64_t)slope,
		    (int64_t)(length_with(&f, &latency, 1, &other) -
			length_ns));
		fake_trace_free(slower.fake);
		fixture_close(&f);
	}
}

/* The receive begins with the send: a later message delays its end. */
static void
of_equal_times_the_steeper_counts(void)
{
	struct fixture f = { .program = { .ranks = 2 } };
	double slope;

	f.program.fake = fake_trace_create(2);
	FAKE_CALL(f.program.fake, 0, "Send", 100, 110, .peer = 1);
	FAKE_CALL(f.program.fake, 1, "Recv", 100, 120, .peer = 0);
	fixture_open(&f);
	EXPECT_EQ(120, (int64_t)length_with(&f, &latency, 0, &slope));
	EXPECT_EQ(1, (int)slope);
	EXPECT_EQ(121, (int64_t)length_with(&f, &latency, 1, &slope));
	fixture_close(&f);
}

/* For each parameter the slope never falls, and the length stays over each
   tangent. */
static void
the_length_is_convex(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		bool bytes = seed % 2 == 0;
		const struct es__whatif_parameter *p =
		    bytes ? &byte_time : &latency;
		double step = bytes ? 3 : 50000, slopes[20], lengths[20];

		fixture_simulate(&f, 2 + seed % 7, seed);
		for (unsigned n = 0; n < 20; n++)
			lengths[n] = length_with(&f, p, n * step, &slopes[n]);
		for (unsigned n = 0; n < 20; n++)
			for (unsigned k = 0; k < 20; k++)
				EXPECT_TRUE(lengths[k] + 1e-3 >= lengths[n] +
					slopes[n] * step *
					    ((double)k - (double)n));
		for (unsigned n = 1; n < 20; n++)
			EXPECT_TRUE(slopes[n] >= slopes[n - 1]);
		fixture_close(&f);
	}
}

/* The largest latency, found by bisection. */
static double
bisect(const struct fixture *f, double most_ns)
{
	double low = 0, high = 1e12, slope;

	for (unsigned n = 0; n < 100; n++) {
		double middle = (low + high) / 2;

		if (length_with(f, &latency, middle, &slope) > most_ns)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/* The simulated program with the whole ns below the tolerance is short enough,
   and with those above it, it is not. */
static void
the_tolerance_is_exact(void)
{
	static const double shares[] = { 0.01, 0.02, 0.05, 3 };
	struct es__whatif_setting setting;

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct fixture f;
		double share = shares[seed % 4], value_ns;
		struct es__whatif_tolerance of = { .share = 0 };
		double most_ns, other;
		struct simulated slower;

		fixture_simulate(&f, 2 + seed % 7, seed);
		setting = es__whatif_unchanged(&f.whatif->run.model);
		most_ns = (double)last_end(&f.program) * (1 + share);
		of.share = share;
		EXPECT_OK(es__whatif_slope(&f.whatif->run.model, &setting,
		    &latency, &of.base));
		EXPECT_OK(es__whatif_tolerance(&f.whatif->run.model, &setting,
		    &latency, &of, &value_ns));
		other = bisect(&f, most_ns);
		EXPECT_TRUE(fabs(value_ns - other) <= 1e-6 * other);
		slower = f.program;
		slower.latency_ns = (int64_t)floor(value_ns);
		simulate(&slower);
		EXPECT_TRUE((double)last_end(&slower) <= most_ns);
		fake_trace_free(slower.fake);
		slower.latency_ns++;
		simulate(&slower);
		EXPECT_TRUE((double)last_end(&slower) >= most_ns - 1e-3);
		fake_trace_free(slower.fake);
		fixture_close(&f);
	}
}

/* Messages inside a host and between two hosts. */
static void
links_have_slopes_of_their_own(void)
{
	struct fixture f = { .program = { .ranks = 3 } };
	uint32_t hosts[] = { 0, 0, 1 };
	struct es_whatif_sense senses[ES_WHATIF_SENSES];
	size_t count;

	f.program.fake = fake_trace_create(3);
	FAKE_CALL(f.program.fake, 0, "Send", 100, 110, .peer = 1, .bytes = 8);
	FAKE_CALL(f.program.fake, 1, "Recv", 10, 120, .peer = 0, .bytes = 8);
	FAKE_CALL(f.program.fake, 1, "Send", 200, 210, .peer = 2, .bytes = 16);
	FAKE_CALL(f.program.fake, 2, "Recv", 10, 1000, .peer = 1, .bytes = 16);
	fixture_open(&f);
	f.whatif->run.model.hosts = hosts;
	EXPECT_OK(es_whatif_senses(f.whatif, senses, &count));
	EXPECT_EQ(6, count);
	EXPECT_EQ(2, (int)senses[0].slope);
	EXPECT_EQ(1, (int)senses[1].slope);
	EXPECT_EQ(1, (int)senses[2].slope);
	EXPECT_EQ(24, (int)senses[3].slope);
	EXPECT_EQ(8, (int)senses[4].slope);
	EXPECT_EQ(16, (int)senses[5].slope);
	EXPECT_NEAR(10.0, senses[2].tolerated[0], 1e-6);
	fixture_close(&f);
}

/* ---- input */

static void
expect_refused(struct es_whatif *whatif, const char *text, const char *reason)
{
	EXPECT_EQ(PATHS_EINVAL, es_whatif_change(whatif, text));
	if (strstr(paths_log_last(), reason) == NULL)
		EXPECT_STR_EQ(reason, paths_log_last());
}

static void
wrong_changes_are_refused_with_the_reason(void)
{
	struct fixture f;

	fixture_simulate(&f, 4, 5);
	expect_refused(f.whatif, "idael", "did you mean ideal?");
	expect_refused(f.whatif, "rnk=1:x0.5", "did you mean rank?");
	expect_refused(f.whatif, "rank=4:x0.5", "ranks 0 to 3");
	expect_refused(f.whatif, "rank=2-1:x0.5", "no list of ranks");
	expect_refused(f.whatif, "rank=18446744073709551615:x0.5",
	    "there is no rank");
	expect_refused(f.whatif, "thread=r1:x0.5", "no such thread");
	expect_refused(f.whatif, "thread=1,:x0.5", "no such thread");
	expect_refused(f.whatif, "rank=1", "no such change");
	expect_refused(f.whatif, "rank=1:", "no such change");
	expect_refused(f.whatif, "x0.5", "no such change");
	expect_refused(f.whatif, "rank=1:x", "no factor");
	expect_refused(f.whatif, "rank=1:x-1", "no factor");
	expect_refused(f.whatif, "rank=1:xnan", "no factor");
	expect_refused(f.whatif, "rank=1:x0.5s", "no factor");
	expect_refused(f.whatif, "nowait=MPI_Barier", "mean MPI_Barrier?");
	expect_refused(f.whatif, "nowait=MPI_Recv", "no collective waits");
	expect_refused(f.whatif, "after=halo.c:9999:even", "no such place");
	expect_refused(f.whatif, "call=MPI_Recv:even", "only computations");
	expect_refused(f.whatif, "latency=2", "a duration");
	expect_refused(f.whatif, "latency=-1s", "the least latency");
	expect_refused(f.whatif, "eager=999", "cannot be replayed");
	expect_refused(f.whatif, "eager=much", "nor all");
	expect_refused(f.whatif, "phase=0:x0.5", "no phases");
	expect_refused(f.whatif, "", "no such change");
	EXPECT_EQ(0, f.whatif->change_count);
	fixture_close(&f);
}

/* Two computations before a Barrier and a Reduce, named in several ways. */
static void
places_are_named_in_several_ways(void)
{
	static const struct {
		const char *text;
		int64_t end_ns;
	} cases[] = {
		{ "before=halo.c:7:x0", 90 + 400 + 10 },
		{ "before=main@halo.c:7:x0", 90 + 400 + 10 },
		{ "before=MPI_Barrier:x0", 90 + 400 + 10 },
		{ "after=halo.c:7,before=halo.c:8:x0", 100 + 90 + 10 },
		{ "site=halo.c:7:x0", 90 + 10 },
		{ "before=main:x0", 90 + 10 },
		{ "after=MPI_Barrier:x0.5", 100 + 90 + 200 + 10 },
		{ "call=MPI_Barrier:x0", 100 + 400 + 10 },
		{ "call=halo.c:x0", 100 + 400 },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
		struct fixture f = { .program = { .ranks = 2 } };
		struct es_whatif_answer answer;

		f.program.fake = fake_trace_create(2);
		for (uint32_t r = 0; r < 2; r++) {
			FAKE_CALL(f.program.fake, r, "Barrier", 100, 190,
			    .peer = -1, .match = 1, .site = 7);
			FAKE_CALL(f.program.fake, r, "Allreduce", 590, 600,
			    .peer = -1, .match = 2, .site = 8);
		}
		fixture_open(&f);
		EXPECT_OK(es_whatif_change(f.whatif, cases[n].text));
		EXPECT_OK(es_whatif_predict(f.whatif, &answer));
		EXPECT_EQ(cases[n].end_ns, (int64_t)answer.after_ns);
		fixture_close(&f);
	}
}

/* A message that is received before it is sent. */
static void
contradictions_are_drift(void)
{
	struct fixture f = { .program = { .ranks = 2 } };
	const struct es_whatif_account *a;

	f.program.fake = fake_trace_create(2);
	FAKE_CALL(f.program.fake, 0, "Send", 100, 110, .peer = 1);
	FAKE_CALL(f.program.fake, 1, "Recv", 20, 50, .peer = 0);
	FAKE_CALL(f.program.fake, 1, "Send", 1050, 1060, .peer = 0);
	FAKE_CALL(f.program.fake, 0, "Recv", 200, 1070, .peer = 1);
	fixture_open(&f);
	a = es_whatif_account(f.whatif);
	EXPECT_EQ(1, a->contradictions);
	EXPECT_EQ(1070, (int64_t)a->measured_ns);
	/* The receive ends at 100 instead of 50. */
	EXPECT_EQ(1120, (int64_t)a->replayed_ns);
	EXPECT_NEAR(50.0 / 1070, a->drift, 1e-9);
	EXPECT_TRUE(a->drift > ES_WHATIF_DRIFT);
	fixture_close(&f);
}

static void
free_choices_are_counted(void)
{
	struct fixture f = { .program = { .ranks = 2 } };
	const struct es_whatif_account *a;

	f.program.fake = fake_trace_create(2);
	FAKE_CALL(f.program.fake, 0, "Send", 100, 110, .peer = 1);
	FAKE_CALL(f.program.fake, 1, "Irecv", 20, 50, .peer = ES_MPI_PEER_NONE,
	    .tag = -1, .match = 1);
	FAKE_CALL(f.program.fake, 1, "Waitany", 60, 150, .peer = 0, .match = 1,
	    .site = 5);
	fixture_open(&f);
	a = es_whatif_account(f.whatif);
	EXPECT_EQ(1, a->sources_unknown);
	EXPECT_EQ(0, a->choices.any);
	EXPECT_EQ(1, a->choices.first);
	EXPECT_EQ(1, a->frozen_count);
	EXPECT_STR_EQ("MPI_Waitany at main@halo.c:5", a->frozen[0].name);
	fixture_close(&f);
}

/* Rank 1 receives from any source: at site 5 with a message that it waits for,
   by a request that ends at site 6, and at site 7 a message that nothing waits
   for; rank 2 receives at site 7, too.  The path is on rank 0 until 1000, then
   on rank 1.  Rank 2 ends early. */
static void
receives_of_any_source_on_the_path_are_named(void)
{
	struct fixture f = { .program = { .ranks = 3 } };
	const struct es_whatif_account *a;

	f.program.fake = fake_trace_create(3);
	fake_trace_sources_known(f.program.fake);
	FAKE_CALL(f.program.fake, 0, "Recv", 10, 20, .peer = 2, .site = 8);
	FAKE_CALL(f.program.fake, 0, "Send", 1000, 1010, .peer = 1);
	FAKE_CALL(f.program.fake, 0, "Send", 1100, 1110, .peer = 1);
	FAKE_CALL(f.program.fake, 0, "Send", 1120, 1130, .peer = 1);
	FAKE_CALL(f.program.fake, 0, "Send", 1140, 1150, .peer = 2);
	FAKE_CALL(f.program.fake, 1, "Recv", 500, 1050, .peer = 0, .site = 5,
	    .match = ES_MPI_MATCH_ANY);
	FAKE_CALL(f.program.fake, 1, "Irecv", 1060, 1070,
	    .peer = ES_MPI_PEER_NONE, .tag = -1, .match = ES_MPI_MATCH_ANY | 1);
	FAKE_CALL(f.program.fake, 1, "Wait", 1200, 1210, .peer = 0,
	    .match = ES_MPI_MATCH_ANY | 1, .site = 6);
	FAKE_CALL(f.program.fake, 1, "Test", 1300, 1310, .peer = -1, .site = 9);
	FAKE_CALL(f.program.fake, 1, "Recv", 1400, 1500, .peer = 0, .site = 7,
	    .match = ES_MPI_MATCH_ANY);
	FAKE_CALL(f.program.fake, 2, "Send", 5, 6, .peer = 0);
	FAKE_CALL(f.program.fake, 2, "Recv", 30, 1160, .peer = 0, .site = 7,
	    .match = ES_MPI_MATCH_ANY);
	fixture_open(&f);
	a = es_whatif_account(f.whatif);
	EXPECT_EQ(0, a->sources_unknown);
	EXPECT_EQ(4, a->choices.any);
	EXPECT_EQ(1, a->choices.first);
	EXPECT_EQ(5, a->choices.either);
	EXPECT_EQ(3, a->path_choices.any);
	EXPECT_EQ(1, a->path_choices.first);
	EXPECT_EQ(4, a->frozen_count);
	EXPECT_STR_EQ("MPI_Recv at main@halo.c:7", a->frozen[0].name);
	EXPECT_EQ(2, a->frozen[0].all.any);
	EXPECT_EQ(1, a->frozen[0].path.any);
	EXPECT_STR_EQ("MPI_Recv at main@halo.c:5", a->frozen[1].name);
	EXPECT_EQ(1, a->frozen[1].path.any);
	EXPECT_STR_EQ("MPI_Test at main@halo.c:9", a->frozen[2].name);
	EXPECT_EQ(1, a->frozen[2].path.first);
	EXPECT_EQ(0, a->frozen[2].path.any);
	EXPECT_STR_EQ("MPI_Wait at main@halo.c:6", a->frozen[3].name);
	fixture_close(&f);
}

TEST_MAIN(without_a_change_it_is_the_run,
    the_composition_is_the_time_of_each_rank, ranks_that_are_quicker,
    gains_that_do_not_add, slower_messages,
    messages_that_nobody_waited_for_travel_too, an_ideal_network,
    collectives_that_do_not_wait, sends_that_do_not_wait,
    computations_that_are_evened_out, ranks_without_the_code_do_not_count,
    of_equal_times_the_steeper_counts, the_slope_is_what_one_ns_costs,
    the_length_is_convex, the_tolerance_is_exact,
    links_have_slopes_of_their_own, wrong_changes_are_refused_with_the_reason,
    places_are_named_in_several_ways, contradictions_are_drift,
    free_choices_are_counted, receives_of_any_source_on_the_path_are_named)
