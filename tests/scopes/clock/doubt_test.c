/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/clock/doubt_test.c - orders and waits say what the clocks leave
 * open
 *
 * The clock of host b is known to 100 ns: messages take 100 ns each way.
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

/* Collectors in the order of the map, tail of the join first. */
#define CLOCKS \
	FAKE_MAP "thread t -process p\n" \
		 "thread u -process q\n" \
		 "element e -process q -type f64 -keep 16\n" \
		 "element total -process q -type f64 -keep 16\n" \
		 "stage sum reduce -process q -op sum -type f64 -inputs 2 " \
		 "-next {{element total}}\n"

/* Collectors of t to e: 0 above the proxy, 1 below; of t to sum: 2, on host a;
   of u: 3. */
static const char remote_map[] =
    CLOCKS "path t e {{collector} {proxy q} {collector} {element e}}\n"
	   "path t total {{collector} {proxy q} {sum}}\n"
	   "path u total {{collector} {sum}}\n";

/* As remote_map, with one collector more in front of the join. */
static const char local_map[] =
    CLOCKS "path t e {{collector} {proxy q} {collector} {element e}}\n"
	   "path t total {{collector} {proxy q} {collector} {sum}}\n"
	   "path u total {{collector} {sum}}\n";

/* Records messages between the hosts. */
static void
measure(struct fake_run *run)
{
	for (uint32_t seq = 0; seq < 20; seq++) {
		uint64_t at = 1000 * (uint64_t)seq;

		FAKE_OP(run, 0, WRITE, seq, at, at + 220);
		FAKE_OP(run, 1, WRITE, seq, at + 100, at + 120);
	}
}

static void
an_order_within_the_bound_is_undecided(void)
{
	struct fake_run *run = fake_run_create(remote_map, 64);
	struct memory_sink *sink;

	fake_run_clock(run, 1, 70000, 0);
	measure(run);
	FAKE_OP(run, 2, EXCHANGE, 0, 1000, 2000);
	FAKE_OP(run, 3, EXCHANGE, 0, 1060, 1900);
	FAKE_OP(run, 2, EXCHANGE, 1, 3000, 4000);
	FAKE_OP(run, 3, EXCHANGE, 1, 3500, 3900);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), NULL, "average");
	EXPECT_EQ(100, memory_sink_int(sink, "clock", 1, "bound_ns"));
	EXPECT_STR_EQ("2|0|2|2|0|560|500|1|200\n"
		      "2|1|2|0|2|0|0|1|200\n",
	    memory_sink_text(sink, "arrival"));
	EXPECT_STR_EQ("2|0|1|2|560|1\n"
		      "2|1|0|0|0|0\n",
	    memory_sink_text(sink, "arrival_pair"));
	/* The wait of 60 may be 0 to 160, and that of 500 is 400 to 600. */
	EXPECT_STR_EQ("0|1|2|560|1|200\n", memory_sink_text(sink, "waits_for"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
arrivals_at_one_stage_have_no_doubt(void)
{
	struct fake_run *run = fake_run_create(local_map, 64);
	struct memory_sink *sink;

	fake_run_clock(run, 1, 70000, 0);
	measure(run);
	FAKE_OP(run, 2, EXCHANGE, 0, 1000, 2000);
	FAKE_OP(run, 3, EXCHANGE, 0, 1100, 1950);
	FAKE_OP(run, 4, EXCHANGE, 0, 1101, 1900);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), NULL, "average");
	EXPECT_STR_EQ("2|0|1|1|0|1|1|0|0\n"
		      "2|1|1|0|1|0|0|0|0\n",
	    memory_sink_text(sink, "arrival"));
	EXPECT_STR_EQ("0|1|1|1|0|0\n", memory_sink_text(sink, "waits_for"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
clocks_without_a_bound_leave_all_orders_open(void)
{
	struct fake_run *run = fake_run_create(remote_map, 64);
	struct memory_sink *sink;

	FAKE_OP(run, 2, EXCHANGE, 0, 1000, 2000);
	FAKE_OP(run, 3, EXCHANGE, 0, 1600, 1900);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_align(fake_run_dir(run), NULL, "network");
	EXPECT_STR_EQ("2|0|1|1|0|600|600|1|\n"
		      "2|1|1|0|1|0|0|1|\n",
	    memory_sink_text(sink, "arrival"));
	/* A wait is not longer than its operation. */
	EXPECT_STR_EQ("0|1|1|600|1|600\n", memory_sink_text(sink, "waits_for"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(an_order_within_the_bound_is_undecided,
    arrivals_at_one_stage_have_no_doubt,
    clocks_without_a_bound_leave_all_orders_open)
