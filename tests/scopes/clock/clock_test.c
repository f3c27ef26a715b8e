/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/clock/clock_test.c - clocks of several hosts are set to the true
 * time
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

/* Collectors: above the proxy 0 (host a), below it 1 (host b). */
static const char pair_map[] =
    FAKE_MAP "thread t -process p\n"
	     "element e -process q -type f64 -keep 16\n"
	     "path t e {{collector} {proxy q} {collector} {element e}}\n";

/* Records an operation: begin, way down, time below, way up. */
static void
remote(struct fake_run *run, uint32_t above, uint32_t seq,
    const uint64_t times[4])
{
	uint64_t t2 = times[0] + times[1], t3 = t2 + times[2];

	FAKE_OP(run, above, WRITE, seq, times[0], t3 + times[3]);
	FAKE_OP(run, above + 1, WRITE, seq, t2, t3);
}

#define REMOTE(run, above, seq, at, down, inside, up) \
	remote(run, above, seq, (const uint64_t[4]){ at, down, inside, up })

static void
equal_ways_give_the_exact_offset(void)
{
	struct fake_run *run = fake_run_create(pair_map, 64);
	struct memory_sink *sink;

	fake_run_clock(run, 1, 123456789, 0);
	for (uint32_t seq = 0; seq < 50; seq++)
		REMOTE(run, 0, seq, 1000 * (uint64_t)seq, 100 + seq, 20,
		    100 + seq);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), NULL, "average");
	EXPECT_STR_EQ("0|0|0|0|0|0\n"
		      "1|0|123456789|0|100|0\n",
	    memory_sink_text(sink, "clock"));
	/* The wall clocks have the same error. */
	EXPECT_STR_EQ("network|0|1|50|50|||||\n"
		      "line|0|1|50|50|||||\n"
		      "minimum|0|1|50|50|||||\n"
		      "average|0|1|50|50||||0|50\n"
		      "wall|0|1|50|0|123456664.500|123338751|14.431||\n",
	    memory_sink_text(sink, "clock_check"));
	/* On one clock no time of travel is negative. */
	EXPECT_EQ(124,
	    (int64_t)memory_sink_real(sink, "wrapper_latency", 0,
		"down_ns_mean"));
	EXPECT_EQ(100, memory_sink_int(sink, "collector", 1, "first_ns"));
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
unequal_ways_give_an_error_of_half_their_difference(void)
{
	struct fake_run *run = fake_run_create(pair_map, 64);
	struct memory_sink *sink;

	fake_run_clock(run, 1, -5000, 0);
	for (uint32_t seq = 0; seq < 10; seq++)
		REMOTE(run, 0, seq, 1000 * (uint64_t)seq, 300, 20, 100);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), "clock", "average");
	/* The offset is 100 too large, within a bound of 200. */
	EXPECT_EQ(-5000 + 100, memory_sink_int(sink, "clock", 1, "offset_ns"));
	EXPECT_EQ(200, memory_sink_int(sink, "clock", 1, "bound_ns"));
	EXPECT_EQ(10, memory_sink_int(sink, "clock_check", 0, "correct"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Operations of A give a wrong offset, and operations of B show the error. */
static void
operations_of_the_other_direction_show_the_error(void)
{
	static const char map[] = FAKE_MAP
	    "thread t -process p\n"
	    "thread u -process q\n"
	    "element e -process q -type f64 -keep 16\n"
	    "element f -process p -type f64 -keep 16\n"
	    "path t e {{collector} {proxy q} {collector} {element e}}\n"
	    "path u f {{collector} {proxy p} {collector} {element f}}\n";
	struct fake_run *run = fake_run_create(map, 64);
	struct memory_sink *sink;

	for (uint32_t seq = 0; seq < 20; seq++) {
		REMOTE(run, 0, seq, 5000 * (uint64_t)seq, 1100, 20, 100);
		REMOTE(run, 2, seq, 5000 * (uint64_t)seq + 2000, 1100, 20, 100);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), "clock", "average");
	EXPECT_EQ(500, memory_sink_int(sink, "clock", 1, "offset_ns"));
	/* Both directions bound the offset to [-100, 100] around the truth. */
	EXPECT_EQ(600, memory_sink_int(sink, "clock", 1, "bound_ns"));
	EXPECT_STR_EQ("network|0|1|20|20|||||\n"
		      "network|1|0|20|20|||||\n"
		      "line|0|1|20|20|||||\n"
		      "line|1|0|20|20|||||\n"
		      "minimum|0|1|20|20|||||\n"
		      "minimum|1|0|20|0|400.000|400|0.000||\n"
		      "average|0|1|20|20||||0|20\n"
		      "average|1|0|20|0|400.000|400|0.000|0|0\n"
		      "wall|0|1|20|20|||||\n"
		      "wall|1|0|20|20|||||\n",
	    memory_sink_text(sink, "clock_check"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Hosts a - b - c - d in a chain: b or c is the reference. */
static const char chain_map[] =
    "pathmap 1\n"
    "plugin libcollectors.so.0\n"
    "host a\nhost b\nhost c\nhost d\n"
    "process p -host a\n"
    "process q -host b -listen tcp:0\n"
    "process r -host c -listen tcp:0\n"
    "process s -host d -listen tcp:0\n"
    "thread t -process p\n"
    "thread u -process q\n"
    "thread v -process r\n"
    "element e -process q -type f64 -keep 16\n"
    "element f -process r -type f64 -keep 16\n"
    "element g -process s -type f64 -keep 16\n"
    "path t e {{collector} {proxy q} {collector} {element e}}\n"
    "path u f {{collector} {proxy r} {collector} {element f}}\n"
    "path v g {{collector} {proxy s} {collector} {element g}}\n";

static void
offsets_add_up_along_the_lowest_tree(void)
{
	struct fake_run *run = fake_run_create(chain_map, 64);
	struct memory_sink *sink;

	fake_run_clock(run, 0, 1000, 0);
	fake_run_clock(run, 1, 20000, 0);
	fake_run_clock(run, 2, 300000, 0);
	fake_run_clock(run, 3, 4000000, 0);
	for (uint32_t seq = 0; seq < 5; seq++) {
		REMOTE(run, 0, seq, 1000 * (uint64_t)seq, 10, 20, 10);
		REMOTE(run, 2, seq, 1000 * (uint64_t)seq, 20, 20, 20);
		REMOTE(run, 4, seq, 1000 * (uint64_t)seq, 30, 20, 30);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), "clock", "average");
	EXPECT_STR_EQ("0|0|-19000|0|10|1\n"
		      "1|0|0|0|0|1\n"
		      "2|0|280000|0|20|1\n"
		      "3|0|3980000|0|50|1\n",
	    memory_sink_text(sink, "clock"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
a_host_without_operations_keeps_its_wall_clock(void)
{
	static const char map[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process q\n"
		     "element e -process p -type f64 -keep 16\n"
		     "element f -process q -type f64 -keep 16\n"
		     "path t e {{collector} {element e}}\n"
		     "path u f {{collector} {element f}}\n";
	struct fake_run *run = fake_run_create(map, 64);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 100, 200);
	FAKE_OP(run, 1, WRITE, 0, 100, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("0|0|0|0|0|0\n"
		      "1|0|0|0||0\n",
	    memory_sink_text(sink, "clock"));
	EXPECT_STR_EQ(
	    "warning|q|no operation or message between it and the reference "
	    "clock was recorded: its wall clock is trusted\n",
	    memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
clocks_of_unequal_rates_have_no_bound(void)
{
	struct fake_run *run = fake_run_create(pair_map, 64);
	struct memory_sink *sink;

	/* The clock gains 100 us in a second; travel takes 10 us. */
	fake_run_clock(run, 1, 0, 100);
	for (uint32_t seq = 0; seq < 11; seq++)
		REMOTE(run, 0, seq, 100000000 * (uint64_t)seq, 10000, 20,
		    10000);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), NULL, "average");
	EXPECT_NEAR(50000,
	    (double)memory_sink_int(sink, "clock", 1, "offset_ns"), 10);
	EXPECT_STR_EQ("warning|q|no constant offset explains its operations: "
		      "its clock runs at another rate, or was set\n",
	    memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* By default clocks have the rate that messages tell, and bounds. */
static void
clocks_of_unequal_rates_are_aligned(void)
{
	struct fake_run *run = fake_run_create(pair_map, 64);
	struct memory_sink *sink;
	size_t rows;

	fake_run_clock(run, 1, 5000, 100);
	for (uint32_t seq = 0; seq < 11; seq++)
		REMOTE(run, 0, seq, 100000000 * (uint64_t)seq, 10000, 20,
		    10000);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	rows = memory_sink_rows(sink, "clock");
	EXPECT_TRUE(rows > 3);
	for (size_t n = 1; n < rows; n++) {
		double at =
		    (double)memory_sink_int(sink, "clock", n, "start_ns");

		EXPECT_EQ(1, memory_sink_int(sink, "clock", n, "host"));
		EXPECT_NEAR(5000 + at / 10000,
		    (double)memory_sink_int(sink, "clock", n, "offset_ns"), 20);
		EXPECT_NEAR(100000,
		    (double)memory_sink_int(sink, "clock", n, "rate_ppb"), 20);
	}
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Waiting in a join is no time of travel. */
static void
operations_into_a_join_set_no_clock(void)
{
	static const char map[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process p\n"
		     "element e -process q -type f64 -keep 16\n"
		     "stage sum reduce -process q -op sum -type f64 -inputs 2 "
		     "-next {{collector} {element e}}\n"
		     "path t e {{collector} {proxy q} {sum}}\n"
		     "path u e {{collector} {proxy q} {sum}}\n";
	struct fake_run *run = fake_run_create(map, 64);
	struct memory_sink *sink;

	FAKE_OP(run, 0, EXCHANGE, 0, 1900, 2000);
	FAKE_OP(run, 1, EXCHANGE, 0, 100, 3000);
	FAKE_OP(run, 2, EXCHANGE, 0, 500, 3000);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), "clock", "average");
	EXPECT_EQ(0, memory_sink_rows(sink, "clock_check"));
	EXPECT_EQ(0, memory_sink_int(sink, "clock", 1, "offset_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(equal_ways_give_the_exact_offset,
    unequal_ways_give_an_error_of_half_their_difference,
    operations_of_the_other_direction_show_the_error,
    offsets_add_up_along_the_lowest_tree,
    a_host_without_operations_keeps_its_wall_clock,
    clocks_of_unequal_rates_have_no_bound, clocks_of_unequal_rates_are_aligned,
    operations_into_a_join_set_no_clock)
