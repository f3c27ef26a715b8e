/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/advise_test.c - advice names what gains, and lost cores
 * are left out
 */

#include "scopes/whatif/whatif_private.h"

#include "tests/scopes/whatif/fixture.h"

#include "tests/test.h"

#include <string.h>

/* Rank 0 computes for 100 ns and sends; rank 1 receives, computes for 50 ns and
   sends an answer.  Times without a core come on top: in computing, in the call
   that waits, in the send that another rank waits for. */
static void
messages_are_replayed_without_lost_cores(void)
{
	static const struct {
		struct fixture_lost lost[2];
		int64_t sent, send_left, received, answered, again, end;
	} cases[] = {
		{ { { 0 }, { 0 } }, 100, 110, 130, 180, 115, 200 },
		{ { { 0, 60, 100 }, { 1, 160, 1160 } }, 140, 150, 1170, 1220,
		    155, 1240 },
		{ { { 0, 60, 100 }, { 0, 145, 1145 } }, 140, 1150, 1170, 1220,
		    1155, 1240 },
		/* Rank 1 would have waited meanwhile. */
		{ { { 1, 30, 90 }, { 0, 0, 0 } }, 100, 110, 130, 180, 115,
		    200 },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
		struct fixture f = { .program = { .ranks = 2 } };
		struct es__cpu_curve curves[3] = { { .count = 0 } };
		const struct es_whatif_account *a;
		struct es_whatif_answer answer;

		for (size_t k = 0; k < 2; k++)
			fixture_curves_add(curves, 2, &cases[n].lost[k]);
		fixture_curves_end(curves, 2);
		f.program.fake = fake_trace_create(2);
		FAKE_CALL(f.program.fake, 0, "Send", (uint64_t)cases[n].sent,
		    (uint64_t)cases[n].send_left, .peer = 1);
		FAKE_CALL(f.program.fake, 1, "Recv", 20,
		    (uint64_t)cases[n].received, .peer = 0);
		FAKE_CALL(f.program.fake, 1, "Send",
		    (uint64_t)cases[n].answered,
		    (uint64_t)cases[n].answered + 10, .peer = 0);
		FAKE_CALL(f.program.fake, 0, "Recv", (uint64_t)cases[n].again,
		    (uint64_t)cases[n].end, .peer = 1);
		fixture_open_lost(&f, curves);
		a = es_whatif_account(f.whatif);
		EXPECT_EQ(cases[n].end, (int64_t)a->measured_ns);
		EXPECT_TRUE(a->drift == 0);
		EXPECT_EQ(200, (int64_t)a->unchanged_ns);
		EXPECT_OK(es_whatif_change(f.whatif, "rank=0:x0.5"));
		EXPECT_OK(es_whatif_predict(f.whatif, &answer));
		EXPECT_EQ(200, (int64_t)answer.before_ns);
		EXPECT_EQ(150, (int64_t)answer.after_ns);
		fixture_close(&f);
		fixture_curves_free(curves, 2);
	}
}

/* Rank 0 loses its core in a Barrier that all are in, which holds up rank 1. */
static void
collectives_are_replayed_without_lost_cores(void)
{
	static const struct fixture_lost lost = { 0, 205, 705 };
	struct fixture f = { .program = { .ranks = 2 } };
	struct es__cpu_curve curves[3] = { { .count = 0 } };
	const struct es_whatif_account *a;

	fixture_curves_add(curves, 2, &lost);
	fixture_curves_end(curves, 2);
	f.program.fake = fake_trace_create(2);
	FAKE_CALL(f.program.fake, 0, "Barrier", 100, 710, .peer = -1,
	    .match = 1);
	FAKE_CALL(f.program.fake, 1, "Barrier", 200, 710, .peer = -1,
	    .match = 1);
	fixture_open_lost(&f, curves);
	a = es_whatif_account(f.whatif);
	EXPECT_EQ(710, (int64_t)a->measured_ns);
	EXPECT_EQ(210, (int64_t)a->unchanged_ns);
	EXPECT_EQ(1000, (int64_t)a->left_out_ns);
	fixture_close(&f);
	fixture_curves_free(curves, 2);
}

/* Rank 1 takes longest for want of a core, rank 2 has more work: the run, and
   its parts, are compared by the time on a core. */
static void
advice_is_about_the_time_on_a_core(void)
{
	static const int64_t computing_ns[] = { 1000, 3000, 2000, 1000 };
	static const int64_t lost_ns[] = { 0, 2000, 0, 0 };
	struct es__cpu_curve curves[5] = { { .count = 0 } };
	struct fixture f;
	const struct es_whatif_advice *advice;
	size_t count;

	fixture_stepped_lost(&f,
	    &(struct fixture_steps){ 4, 30, computing_ns, lost_ns }, curves);
	EXPECT_OK(es_whatif_advise(f.whatif, &advice, &count));
	EXPECT_TRUE(count > 0);
	EXPECT_STR_EQ("balance", advice[0].kind);
	EXPECT_NEAR(750. / 2030, advice[0].gain, 0.02);
	EXPECT_TRUE(strstr(advice[0].about,
			"from rank 2, which computes 1.99 times as long as the "
			"median of the ranks, without time in which they "
			"lacked a core") != NULL);
	EXPECT_TRUE(strstr(advice[0].sure,
			"rank 2 computes longest in 30 of 30 parts") != NULL);
	for (size_t n = 0; n < count; n++)
		EXPECT_TRUE(strstr(advice[n].about, "rank 1") == NULL &&
		    strcmp(advice[n].kind, "cores") != 0);
	fixture_close(&f);
	fixture_curves_free(curves, 4);
}

static void
a_slow_rank_is_named_and_not_its_neighbours(void)
{
	static const int64_t computing_ns[] = { 1000, 1000, 2000, 1000 };
	struct fixture f;
	const struct es_whatif_advice *advice;
	size_t count;

	fixture_stepped(&f, 4, 30, computing_ns);
	EXPECT_OK(es_whatif_advise(f.whatif, &advice, &count));
	EXPECT_TRUE(count > 0);
	EXPECT_STR_EQ("balance", advice[0].kind);
	/* Evened out, ranks compute for 1250 ns. */
	EXPECT_STR_EQ("after=main@halo.c:8,before=main@halo.c:7:even",
	    advice[0].change);
	EXPECT_NEAR(750. / 2030, advice[0].gain, 0.02);
	EXPECT_TRUE(strstr(advice[0].about,
			"from rank 2, which computes 1.99 times") != NULL);
	EXPECT_TRUE(
	    strstr(advice[0].about,
		"If rank 2 computed for no longer than that median, the "
		"gain would be 49") != NULL);
	EXPECT_TRUE(strstr(advice[0].about, "(rank=2:x0.502)") != NULL);
	EXPECT_TRUE(
	    strstr(advice[0].about, "MPI_Barrier at main@halo.c:7") != NULL);
	EXPECT_TRUE(
	    strstr(advice[0].about,
		"would wait in MPI_Allreduce at main@halo.c:8") != NULL);
	EXPECT_TRUE(strstr(advice[0].sure, "30 of 30") != NULL);
	for (size_t n = 1; n < count; n++)
		EXPECT_TRUE(strcmp(advice[n].kind, "rank") != 0 &&
		    strcmp(advice[n].kind, "balance") != 0);
	/* Without a wait in the Barrier, they wait in the Allreduce. */
	for (size_t n = 0; n < count; n++)
		EXPECT_TRUE(
		    strcmp(advice[n].change, "nowait=main@halo.c:7") != 0);
	fixture_close(&f);
}

/* The time that a rank computes longer than the mean moves to others, and the
   sum over ranks stays. */
static void
an_excess_moves_to_other_ranks(void)
{
	static const int64_t computing_ns[] = { 1000, 1000, 2200, 1400 };
	struct fixture f;
	struct es_whatif_answer answer;
	double before_ns = 0, after_ns = 0;

	fixture_stepped(&f, 4, 30, computing_ns);
	EXPECT_OK(es_whatif_change(f.whatif, "rank=2:share"));
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	for (uint32_t r = 0; r < 4; r++) {
		before_ns += answer.before[r].computing_ns;
		after_ns += answer.after[r].computing_ns;
	}
	EXPECT_NEAR(before_ns, after_ns, 1e-3 * before_ns);
	/* Rank 2 gets the mean, 1400, and rank 3 a third of its excess. */
	EXPECT_NEAR(30 * 1400., answer.after[2].computing_ns, 30 * 12.);
	EXPECT_NEAR(30 * (1400 + 800. / 3), answer.after[3].computing_ns,
	    30 * 12.);
	EXPECT_NEAR(30 * (2200 - 1400 - 800. / 3),
	    answer.before_ns - answer.after_ns, 30 * 12.);
	EXPECT_EQ(PATHS_EINVAL, es_whatif_change(f.whatif, "rank=0-3:share"));
	fixture_close(&f);
}

static void
nothing_stands_out_of_a_balanced_program(void)
{
	static const int64_t computing_ns[] = { 10000, 10000, 10000, 10000 };
	struct fixture f;
	const struct es_whatif_advice *advice;
	size_t count;

	fixture_stepped(&f, 4, 30, computing_ns);
	EXPECT_OK(es_whatif_advise(f.whatif, &advice, &count));
	for (size_t n = 0; n < count; n++)
		EXPECT_STR_EQ("code", advice[n].kind);
	fixture_close(&f);
}

/* Each gain is that of the change when it is asked for. */
static void
advice_is_what_its_change_gains(void)
{
	struct fixture f;
	const struct es_whatif_advice *advice;
	struct es_whatif_answer answer;
	size_t count;

	fixture_simulate(&f, 5, 4);
	EXPECT_OK(es_whatif_advise(f.whatif, &advice, &count));
	EXPECT_TRUE(count > 3 && count <= ES__WHATIF_ADVICE_MOST);
	for (size_t n = 0; n < count; n++) {
		EXPECT_OK(es_whatif_change(f.whatif, advice[n].change));
		EXPECT_TRUE(advice[n].gain >= 0.01);
		if (n > 0 && strcmp(advice[n].kind, "code") != 0)
			EXPECT_TRUE(advice[n].gain <= advice[n - 1].gain);
	}
	EXPECT_OK(es_whatif_predict(f.whatif, &answer));
	for (size_t n = 0; n < count; n++)
		EXPECT_EQ((int64_t)(answer.before_ns - answer.alone_ns[n]),
		    (int64_t)advice[n].gain_ns);
	fixture_close(&f);
}

TEST_MAIN(messages_are_replayed_without_lost_cores,
    collectives_are_replayed_without_lost_cores,
    advice_is_about_the_time_on_a_core,
    a_slow_rank_is_named_and_not_its_neighbours, an_excess_moves_to_other_ranks,
    nothing_stands_out_of_a_balanced_program, advice_is_what_its_change_gains)
