/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/wrapper_latency_test.c - latency of each stage
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

/* Collectors: 0 above the delay, 1 above the proxy, 2 above the element. */
static const char map_text[] = FAKE_MAP
    "thread t -process p\n"
    "element e -process q -type f64 -keep 16\n"
    "path t e {{collector} {delay 1us} {collector} {proxy q} {collector} "
    "{element e}}\n";

static void
operation(struct fake_run *run, uint32_t seq, uint64_t at, uint64_t extra)
{
	FAKE_OP(run, 0, WRITE, seq, at, at + 1000 + extra);
	FAKE_OP(run, 1, WRITE, seq, at + 100 + extra, at + 900 + extra);
	FAKE_OP(run, 2, WRITE, seq, at + 300 + extra, at + 700 + extra);
}

static void
a_stage_has_the_time_between_its_collectors(void)
{
	struct fake_run *run = fake_run_create(map_text, 256);
	struct memory_sink *sink;

	fake_run_clock(run, 1, 777000, 0);
	for (uint32_t seq = 0; seq < 100; seq++)
		operation(run, seq, 10000 * (uint64_t)seq, seq);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "wrapper_latency", 2);
	/* stage, path, operations, mean, median, p95, min, max, down, up */
	EXPECT_STR_EQ("2|0|100|249.500|249|294|200|299|149.500|100.000\n"
		      "4|0|100|400.000|400|400|400|400|200.000|200.000\n"
		      "0|0|100|400.000|400|400|400|400||\n",
	    memory_sink_text(sink, "wrapper_latency"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
quantiles_are_within_half_a_percent(void)
{
	enum { COUNT = 20000 };
	struct fake_run *run = fake_run_create(map_text, COUNT);
	struct memory_sink *sink;

	for (uint32_t seq = 0; seq < COUNT; seq++)
		operation(run, seq, 100000 * (uint64_t)seq,
		    (uint64_t)seq * 7919 % COUNT);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "wrapper_latency", 1);
	EXPECT_NEAR(200 + COUNT / 2,
	    (double)memory_sink_int(sink, "wrapper_latency", 0,
		"latency_ns_median"),
	    0.005 * COUNT / 2);
	EXPECT_NEAR(200 + 0.95 * COUNT,
	    (double)memory_sink_int(sink, "wrapper_latency", 0,
		"latency_ns_p95"),
	    0.005 * COUNT);
	EXPECT_EQ(200 + COUNT - 1,
	    memory_sink_int(sink, "wrapper_latency", 0, "latency_ns_max"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
time_behind_a_buffer_is_not_subtracted(void)
{
	static const char map[] = FAKE_MAP
	    "thread t -process p\n"
	    "element e -process p -type f64 -keep 16\n"
	    "path t e {{collector} {buffer} {collector} {element e}}\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 100, 110);
	FAKE_OP(run, 1, WRITE, 0, 500, 900);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(10,
	    memory_sink_int(sink, "wrapper_latency", 0, "latency_ns_max"));
	EXPECT_EQ(400,
	    memory_sink_int(sink, "wrapper_latency", 1, "latency_ns_max"));
	EXPECT_EQ(10, memory_sink_sum(sink, "breakdown", "own_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(a_stage_has_the_time_between_its_collectors,
    quantiles_are_within_half_a_percent, time_behind_a_buffer_is_not_subtracted)
