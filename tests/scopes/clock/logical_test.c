/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/clock/logical_test.c - proves scopes/clock/logical.c and bend.c
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "scopes/analysis.h"
#include "scopes/operation.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* Collectors: above the proxy 0 (host a), below it 1 (host b). */
static const char pair_map[] =
    FAKE_MAP "thread t -process p\n"
	     "element e -process q -type f64 -keep 16\n"
	     "path t e {{collector} {proxy q} {collector} {element e}}\n";

#define OPERATIONS 4000u
#define EVERY_NS 1000000u
#define TRAVEL_NS 200u
#define INSIDE_NS 10000u
/* Jumps below a microsecond are not searched for. */
#define JUMP_NS 900u

struct opened {
	struct es_run *run;
	struct es_analysis *a;
};

/* Records operations; after each `steady` ones the clock of b jumps, forward
   and back in turn. */
static struct fake_run *
record(uint32_t steady)
{
	struct fake_run *run = fake_run_create(pair_map, OPERATIONS);

	fake_run_clock(run, 1, 123456789, 20);
	for (uint32_t seq = 0; seq < OPERATIONS; seq++) {
		uint64_t t1 = 1000000 + EVERY_NS * (uint64_t)seq;
		uint64_t t2 = t1 + TRAVEL_NS, t3 = t2 + INSIDE_NS;
		uint64_t ahead = seq / steady % 2 * JUMP_NS;

		FAKE_OP(run, 0, WRITE, seq, t1, t3 + TRAVEL_NS);
		FAKE_OP(run, 1, WRITE, seq, t2 + ahead, t3 + ahead);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

static struct opened
opened(struct fake_run *run)
{
	struct opened o;

	EXPECT_OK(es_run_open(fake_run_dir(run), &o.run));
	EXPECT_OK(es_analysis_open(o.run, 2, "network", &o.a));
	return o;
}

static void
closed(struct opened *o)
{
	es_analysis_close(o->a);
	es_run_close(o->run);
}

static int64_t
time_of(const struct opened *o, uint32_t collector, uint64_t n, bool stop)
{
	const struct es_operation *op =
	    es_operation_get(es_run_collector(o->run, collector), n);

	return es_time_ns(es_analysis_timebase(o->a, collector),
	    stop ? op->stop : op->start);
}

/* Pieces of 20 ms cannot follow a jump, so a few messages contradict them. */
static void
a_few_wrong_stamps_are_moved(void)
{
	struct fake_run *run = record(OPERATIONS / 2);
	struct memory_sink *sink =
	    memory_sink_align(fake_run_dir(run), NULL, "network");
	int64_t correct = memory_sink_int(sink, "clock_check", 0, "correct");
	int64_t moved = memory_sink_int(sink, "clock_check", 0, "moved");

	EXPECT_TRUE(correct < OPERATIONS && correct > OPERATIONS * 99 / 100);
	EXPECT_EQ(OPERATIONS,
	    memory_sink_int(sink, "clock_check", 0, "correct_moved"));
	EXPECT_TRUE(moved >= OPERATIONS - correct && moved < OPERATIONS / 50);
	EXPECT_TRUE(
	    strstr(memory_sink_text(sink, "diagnostic"),
		" of 8000 messages were received before they were sent: "
		"the controlled logical clock moved ") != NULL);
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* The views get the corrected times: no message arrives before it was sent, no
   order on a host changes, and no interval by more than 1 us. */
static void
order_and_intervals_stay(void)
{
	struct fake_run *run = record(OPERATIONS / 2);
	struct opened o = opened(run);
	int64_t last = INT64_MIN;

	for (uint64_t n = 0; n < OPERATIONS; n++) {
		int64_t t1 = time_of(&o, 0, n, false);
		int64_t t2 = time_of(&o, 1, n, false);
		int64_t t3 = time_of(&o, 1, n, true);

		EXPECT_TRUE(t2 >= t1 && time_of(&o, 0, n, true) >= t3);
		EXPECT_TRUE(t2 > last);
		EXPECT_TRUE(llabs(t3 - t2 - INSIDE_NS) <= 1000);
		last = t3;
	}
	/* Far from the jump all is as it was. */
	EXPECT_EQ(500 * (int64_t)EVERY_NS,
	    time_of(&o, 0, 600, false) - time_of(&o, 0, 100, false));
	closed(&o);
	fake_run_remove(run);
}

static void
consistent_clocks_are_left_alone(void)
{
	struct fake_run *run = record(OPERATIONS);
	struct memory_sink *sink =
	    memory_sink_align(fake_run_dir(run), NULL, "network");

	EXPECT_EQ(OPERATIONS,
	    memory_sink_int(sink, "clock_check", 0, "correct"));
	EXPECT_EQ(0, memory_sink_int(sink, "clock_check", 0, "moved"));
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
many_wrong_stamps_are_reported_and_left(void)
{
	struct fake_run *run = record(3);
	struct memory_sink *sink =
	    memory_sink_align(fake_run_dir(run), NULL, "network");

	EXPECT_EQ(0, memory_sink_int(sink, "clock_check", 0, "moved"));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"messages are received before they are sent") != NULL);
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(a_few_wrong_stamps_are_moved, order_and_intervals_stay,
    consistent_clocks_are_left_alone, many_wrong_stamps_are_reported_and_left)
