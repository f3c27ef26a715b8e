/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/align_test.c - lines, hulls and corrections
 */

#include "scopes/align/bound_private.h"
#include "scopes/align/hull_private.h"
#include "scopes/align/network_private.h"
#include "scopes/align/window_private.h"

#include "tests/test.h"

#include <math.h>

/* Adds a message to the link of its sender and the other host. */
static void
message(struct es__align *align, const uint32_t hosts[2],
    const int64_t stamps[2], uint32_t bytes)
{
	struct es__align_link *link = es__align_link(align, hosts[0], hosts[1]);
	struct es__align_trip trip = { hosts[0], bytes, stamps[0], stamps[1] };

	EXPECT_TRUE(link != NULL);
	EXPECT_OK(es__align_add(align, link, &trip));
}

#define MESSAGE(align, from, to, sent, received, bytes) \
	message(align, (const uint32_t[2]){ from, to }, \
	    (const int64_t[2]){ sent, received }, bytes)

static void
aligned(struct es__align *align)
{
	EXPECT_OK(es__align_lines(align));
	EXPECT_OK(es__align_network(align));
	EXPECT_OK(es__align_bounds(align));
}

static void
messages_in_one_direction_give_no_bound(void)
{
	struct es__align align;

	EXPECT_OK(es__align_init(&align, 2));
	for (int64_t n = 0; n < 200; n++)
		MESSAGE(&align, 0, 1, n * 1000000, n * 1000000 + 7000 + n % 7,
		    8);
	aligned(&align);
	EXPECT_TRUE(align.hosts[1].connected);
	for (uint32_t n = 0; n < align.window_count; n++)
		EXPECT_TRUE(align.hosts[1].bounds[n] < 0);
	for (size_t n = 0; n < align.links[0].count; n++)
		EXPECT_TRUE(es__align_gap(&align, &align.links[0],
				&align.links[0].messages[n]) >= 0);
	es__align_fini(&align);
}

static void
hosts_without_messages_are_not_connected(void)
{
	struct es__align align;

	EXPECT_OK(es__align_init(&align, 4));
	for (int64_t n = 0; n < 10; n++) {
		MESSAGE(&align, 1, 2, n * 1000, n * 1000 + 50, 8);
		MESSAGE(&align, 2, 1, n * 1000 + 60, n * 1000 + 110, 8);
	}
	aligned(&align);
	EXPECT_EQ(1, align.reference);
	EXPECT_TRUE(align.hosts[2].connected);
	EXPECT_TRUE(!align.hosts[0].connected && !align.hosts[3].connected);
	EXPECT_NEAR(0, es__align_time(&align, &align.hosts[2], 5000) - 5000, 1);
	es__align_fini(&align);
}

/* The least bound of all messages is a point of the hull, in any order of the
   messages and with more sizes than classes. */
static void
a_hull_has_the_extreme_messages(void)
{
	struct es__align align;
	struct es__align_link *link;
	uint32_t random = 1;

	EXPECT_OK(es__align_init(&align, 2));
	for (int n = 0; n < 20000; n++) {
		random = random * 1664525u + 1013904223u;
		MESSAGE(&align, 0, 1, random % 1000003u,
		    random % 1000003u + 500 + (random >> 8) % 9973u,
		    (random >> 4) % 100u);
	}
	link = &align.links[0];
	EXPECT_OK(es__align_hulls(link));
	EXPECT_TRUE(link->hulls[0].count > 2 && link->hulls[0].count < 1000);
	for (double slope = -0.02; slope < 0.02; slope += 0.001) {
		double all = INFINITY, hull = INFINITY;

		for (size_t n = 0; n < link->count; n++) {
			const struct es__align_message *m = &link->messages[n];

			all = fmin(all, m->y - m->x - slope * m->x);
		}
		for (size_t n = 0; n < link->hulls[0].count; n++) {
			const struct es__align_point *p =
			    &link->hulls[0].points[n];

			hull = fmin(hull, p->offset - slope * p->x);
		}
		EXPECT_NEAR(all, hull, 1e-6);
	}
	es__align_fini(&align);
}

/* A clock that moves more in a window than messages take: windows become
   shorter. */
static void
messages_before_they_are_sent_are_repaired(void)
{
	struct es__align align;

	EXPECT_OK(es__align_init(&align, 2));
	for (int64_t n = 0; n < 20000; n++) {
		int64_t at = n * 1000000;
		/* The clock of host 1 swings by 40 us in three seconds. */
		int64_t swing = (int64_t)(40000 * sin((double)n / 477));

		MESSAGE(&align, 0, 1, at, at + 15000 + swing, 8);
		MESSAGE(&align, 1, 0, at + 40000 + swing, at + 55000, 8);
	}
	aligned(&align);
	EXPECT_TRUE(align.repaired > 0);
	EXPECT_EQ(0, align.refuted);
	for (size_t n = 0; n < align.links[0].count; n++)
		EXPECT_TRUE(es__align_gap(&align, &align.links[0],
				&align.links[0].messages[n]) >= 0);
	es__align_fini(&align);
}

static void
impossible_messages_are_counted(void)
{
	struct es__align align;

	EXPECT_OK(es__align_init(&align, 2));
	for (int64_t n = 0; n < 10; n++) {
		MESSAGE(&align, 0, 1, n * 1000, n * 1000 + 50, 8);
		MESSAGE(&align, 1, 0, n * 1000 + 100, n * 1000 + 20, 8);
	}
	aligned(&align);
	EXPECT_TRUE(align.refuted > 0);
	EXPECT_TRUE(align.hosts[1].bounds[0] < 0);
	es__align_fini(&align);
}

/* Adds messages there and back each ms for 2 s; host 1 is ahead by 1 s, and by
   `jump` more from 1 s on. */
static void
exchange(struct es__align *align, int64_t jump)
{
	for (int64_t n = 0; n < 2000; n++) {
		int64_t at = n * 1000000;
		int64_t ahead = 1000000000 + (n < 1000 ? 0 : jump);

		MESSAGE(align, 0, 1, at, at + 9000 + n % 13 + ahead, 8);
		MESSAGE(align, 1, 0, at + 20000 + ahead, at + 29000 + n % 17,
		    8);
	}
}

/* Expects that the clock of host 1 is right, and the bounds of windows. */
static void
expect_right(const struct es__align *align, uint32_t without_bound)
{
	uint32_t without = 0;

	for (int64_t n = 0; n < 2000; n++) {
		double x = (double)n * 1e6 - (double)align->hosts[0].origin;
		double y =
		    (double)n * 1e6 + 1e9 - (double)align->hosts[1].origin;

		EXPECT_NEAR(es__align_time(align, &align->hosts[0], x) -
			es__align_time(align, &align->hosts[1], y),
		    0, 200);
	}
	for (uint32_t w = 0; w < align->window_count; w++) {
		uint32_t other = 1 - align->reference;
		double bound = align->hosts[other].bounds[w];

		without += bound < 0;
		EXPECT_TRUE(bound < 9200);
	}
	EXPECT_EQ(without_bound, without);
}

static void
single_wrong_stamps_are_left_out(void)
{
	static const struct {
		int64_t sent, received;
	} wrong[] = { { 300000000, 1298000000 }, { 900000000, 1890000000 },
		{ 1700000000, 700010000 } };
	struct es__align align;

	EXPECT_OK(es__align_init(&align, 2));
	exchange(&align, 0);
	for (size_t n = 0; n < 2; n++)
		MESSAGE(&align, 0, 1, wrong[n].sent, wrong[n].received, 8);
	MESSAGE(&align, 1, 0, wrong[2].sent, wrong[2].received - 1000000, 8);
	aligned(&align);
	EXPECT_EQ(3, align.links[0].left_out);
	EXPECT_EQ(4000, align.links[0].count);
	EXPECT_EQ(0, align.refuted);
	EXPECT_EQ(0, align.jump_count);
	/* Stamps that are 2 ms apart may be in two windows. */
	expect_right(&align, 3);
	es__align_fini(&align);
}

/* All messages behind the jump contradict those before it. */
static void
a_clock_that_was_set_has_no_wrong_stamps(void)
{
	for (int64_t jump = -5000000; jump <= 5000000; jump += 2000000) {
		struct es__align align;

		EXPECT_OK(es__align_init(&align, 2));
		exchange(&align, jump);
		aligned(&align);
		EXPECT_EQ(0, align.links[0].left_out);
		EXPECT_EQ(1, align.jump_count);
		es__align_fini(&align);
	}
}

/* With many wrong stamps, nothing tells which are right. */
static void
many_wrong_stamps_are_kept(void)
{
	struct es__align align;

	EXPECT_OK(es__align_init(&align, 2));
	exchange(&align, 0);
	for (int64_t n = 0; n < 2000; n += 2)
		MESSAGE(&align, 0, 1, n * 1000000,
		    n * 1000000 + 1000000000 - 500000, 8);
	aligned(&align);
	EXPECT_EQ(0, align.links[0].left_out);
	for (uint32_t w = 0; w < align.window_count; w++)
		EXPECT_TRUE(align.hosts[1 - align.reference].bounds[w] < 0);
	es__align_fini(&align);
}

/* Returns a time with an exponential distribution. */
static int64_t
exponential(uint32_t *state, double mean)
{
	*state = *state * 1664525u + 1013904223u;
	return llround(-mean * log(((*state >> 8) + 1) * 0x1p-24));
}

/* Returns by how much the clock of host 1 is ahead: a wave of 5 us in 20 s. */
static double
wave(double x)
{
	return 5000 * sin(x * 2 * 3.14159265358979 / 2e10);
}

/* Aligns 20,000 messages in each direction, in 20 s, that take 8 us and an
   exponential time with a mean of `there` and `back`; every so many of those
   there take 5 us.  Returns the largest error of the clock of host 1, in ns. */
static double
worst_error(double there, double back, unsigned swift)
{
	struct es__align align;
	uint32_t state = 1;
	double worst = 0;

	EXPECT_OK(es__align_init(&align, 2));
	for (int64_t n = 0; n < 20000; n++) {
		int64_t at = n * 1000000;
		int64_t ahead = llround(wave((double)at));
		int64_t delay = 8000 + exponential(&state, there);

		if (swift > 0 && n % swift == swift / 2)
			delay = 5000;
		MESSAGE(&align, 0, 1, at, at + delay + ahead, 8);
		MESSAGE(&align, 1, 0, at + 100000 + ahead,
		    at + 108000 + exponential(&state, back), 8);
	}
	aligned(&align);
	EXPECT_EQ(0, align.refuted);
	for (double x = 0; x < 2e10; x += 1e8)
		worst = fmax(worst,
		    fabs(es__align_time(&align, &align.hosts[0], x) -
			es__align_time(&align, &align.hosts[1], x + wave(x))));
	for (uint32_t w = 0; w < align.window_count; w++)
		EXPECT_TRUE(
		    align.hosts[1 - align.reference].bounds[w] >= worst);
	es__align_fini(&align);
	return worst;
}

/* The quickest messages of a window of a second are late by 0.1 us in one
   direction and by 3 us in the other: half the difference would be an error. */
static void
the_steadier_direction_counts_more(void)
{
	EXPECT_NEAR(0, worst_error(100e3, 100e3, 0), 250);
	EXPECT_NEAR(0, worst_error(100e3, 3000e3, 0), 700);
	EXPECT_NEAR(0, worst_error(3000e3, 100e3, 0), 700);
}

/* One message in 2,000 gains 3 us, of which half would be an error. */
static void
few_quick_messages_are_left_out(void)
{
	EXPECT_NEAR(0, worst_error(2e3, 2e3, 2000), 100);
	/* Bounds hold for all messages; these are the usual ones. */
	EXPECT_NEAR(1500, worst_error(2e3, 2e3, 100), 100);
}

/* Returns the stamp of a host: clocks run at rates 200 and -250 ppm off. */
static int64_t
stamp_of(uint32_t host, int64_t ns)
{
	static const int64_t ppm[] = { 0, 200, -250 };

	return ns + ns / 1000000 * ppm[host] + host * INT64_C(700000000);
}

/* Adds a message and its answer; each takes 90 us and an exponential time. */
static void
talk(struct es__align *align, const uint32_t hosts[2], int64_t ns, double mean,
    uint32_t *state)
{
	int64_t t2 = ns + 90000 + exponential(state, mean);
	int64_t t4 = t2 + 120000 + exponential(state, mean);

	MESSAGE(align, hosts[0], hosts[1], stamp_of(hosts[0], ns),
	    stamp_of(hosts[1], t2), 8);
	MESSAGE(align, hosts[1], hosts[0], stamp_of(hosts[1], t2 + 30000),
	    stamp_of(hosts[0], t4), 8);
}

/* Expects that errors are within the bounds, and at most so large. */
static void
expect_bounded(const struct es__align *align, int64_t end_ns, double most)
{
	const struct es__align_host *to = &align->hosts[align->reference];

	for (int64_t ns = 0; ns <= end_ns; ns += end_ns / 500)
		for (uint32_t h = 0; h < align->host_count; h++) {
			const struct es__align_host *host = &align->hosts[h];
			double time = es__align_time(align, host,
			    (double)(stamp_of(h, ns) - host->origin));
			double error = fabs(time -
			    (double)(stamp_of(align->reference, ns) -
				to->origin));
			double at = (time - align->begin) / align->length;

			EXPECT_TRUE(error <= most);
			if (at >= 0 && at < align->window_count)
				EXPECT_TRUE(host->bounds[(uint32_t)at] < 0 ||
				    error <= host->bounds[(uint32_t)at] + 2);
		}
}

/* The messages of two sums at the begin and the end of a run, as they were
   recorded.  They leave much room for a line, and for the time of a byte. */
static void
talk_little(struct es__align *align)
{
	static const struct {
		uint32_t from;
		int64_t sent, travel;
		uint32_t bytes;
	} few[] = { { 2, 0, 136300, 24 }, { 0, 141600, 2516500, 24 },
		{ 2, 2719900000, 448900, 24 }, { 0, 2720364800, 414600, 24 },
		{ 0, 2720365000, 132300, 0 }, { 2, 2719900600, 96100, 24 } };

	for (size_t n = 0; n < sizeof(few) / sizeof(few[0]); n++)
		MESSAGE(align, few[n].from, 2 - few[n].from,
		    stamp_of(few[n].from, few[n].sent),
		    stamp_of(2 - few[n].from, few[n].sent + few[n].travel),
		    few[n].bytes);
}

/* The way to a host is over links of many messages. */
static void
few_messages_do_not_decide(void)
{
	const uint32_t left[] = { 0, 1 }, right[] = { 1, 2 };

	for (uint32_t seed = 1; seed <= 10; seed++) {
		struct es__align align;
		uint32_t state = seed;

		EXPECT_OK(es__align_init(&align, 3));
		for (int64_t n = 0; n < 300; n++) {
			talk(&align, left, n * 9000000, 300e3, &state);
			talk(&align, right, n * 9000000, 300e3, &state);
		}
		talk_little(&align);
		EXPECT_OK(es__align_lines(&align));
		EXPECT_TRUE(align.hosts[0].parent != 2);
		EXPECT_TRUE(align.hosts[2].parent != 0);
		EXPECT_OK(es__align_network(&align));
		EXPECT_OK(es__align_bounds(&align));
		EXPECT_EQ(0, align.refuted);
		expect_bounded(&align, 2720000000, 60e3);
		es__align_fini(&align);
	}
}

/* A rate that is not known well adds up in a pause of 30 s. */
static void
a_pause_is_no_jump(void)
{
	const uint32_t hosts[] = { 0, 1 };

	for (uint32_t seed = 1; seed <= 10; seed++) {
		struct es__align align;
		uint32_t state = seed;

		EXPECT_OK(es__align_init(&align, 2));
		for (int64_t n = 0; n < 400; n++)
			talk(&align, hosts,
			    n * 5000000 + (n < 200 ? 0 : 30000000000), 300e3,
			    &state);
		aligned(&align);
		EXPECT_EQ(0, align.jump_count);
		EXPECT_EQ(0, align.refuted);
		expect_bounded(&align, 32000000000, 60e3);
		es__align_fini(&align);
	}
}

/* Late messages leave the rate open, so the error at the end of a window may be
   larger than that at the times of its quickest messages. */
static void
bounds_hold_at_all_times_of_a_window(void)
{
	const uint32_t few[] = { 0, 2 }, left[] = { 0, 1 }, right[] = { 1, 2 };

	for (uint32_t seed = 1; seed <= 30; seed++) {
		struct es__align align;
		uint32_t state = seed;

		EXPECT_OK(es__align_init(&align, 3));
		for (int64_t n = 0; n < 100; n++) {
			if (n % 33 == 0)
				talk(&align, few, n * 20000000, 3e6, &state);
			talk(&align, left, n * 20000000, 3e6, &state);
			talk(&align, right, n * 20000000, 3e6, &state);
		}
		aligned(&align);
		EXPECT_EQ(0, align.refuted);
		expect_bounded(&align, 2000000000, 3e6);
		es__align_fini(&align);
	}
}

/* A single window has no neighbour, and two edges.  The clocks are known well
   at its begin only. */
static void
a_bound_holds_in_a_single_window(void)
{
	const uint32_t hosts[] = { 0, 1 };

	for (uint32_t seed = 1; seed <= 30; seed++) {
		struct es__align align;
		uint32_t state = seed;

		EXPECT_OK(es__align_init(&align, 2));
		for (int64_t n = 0; n < 4; n++)
			talk(&align, hosts, n * 200000000, n == 0 ? 1e3 : 3e6,
			    &state);
		aligned(&align);
		EXPECT_EQ(1, align.window_count);
		EXPECT_EQ(0, align.refuted);
		expect_bounded(&align, 800000000, 30e6);
		es__align_fini(&align);
	}
}

TEST_MAIN(messages_in_one_direction_give_no_bound,
    hosts_without_messages_are_not_connected, a_hull_has_the_extreme_messages,
    messages_before_they_are_sent_are_repaired, impossible_messages_are_counted,
    single_wrong_stamps_are_left_out, a_clock_that_was_set_has_no_wrong_stamps,
    many_wrong_stamps_are_kept, the_steadier_direction_counts_more,
    few_quick_messages_are_left_out, few_messages_do_not_decide,
    a_pause_is_no_jump, bounds_hold_at_all_times_of_a_window,
    a_bound_holds_in_a_single_window)
