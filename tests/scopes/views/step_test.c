/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/step_test.c - operations of each thread, by step
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

/* Collectors: 0 below the sum, 1 and 2 above it, 3 and 4 at the element e. */
static const char map_text[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "element e -process p -type f64 -keep 16\n"
	     "stage sum reduce -process p -op sum -type f64 -inputs 2 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {sum}}\n"
	     "path t1 total {{collector} {sum}}\n"
	     "path t0 e {{collector} {element e}} -use write\n"
	     "path t1 e {{collector} {element e}} -use read\n";

enum { SUM, T0, T1, WRITE, READ };

static void
operation(struct fake_run *run, uint32_t collector, enum paths_kind kind,
    const uint64_t *numbers)
{
	struct es_tuple_path tuple = { .start = numbers[0],
		.stop = numbers[1],
		.seq = (uint32_t)numbers[2],
		.step = (uint32_t)numbers[3],
		.op = (uint16_t)kind };

	fake_run_add(run, collector, &tuple);
}

#define OP(collector, kind, ...) \
	operation(run, collector, PATHS_##kind, \
	    (const uint64_t[]){ __VA_ARGS__ })

/* In each step t1 begins 200 ns after t0, which then writes a tuple for t1. */
static struct fake_run *
recorded(uint32_t steps, uint32_t first)
{
	struct fake_run *run = fake_run_create(map_text, steps);

	for (uint32_t n = 0; n < steps; n++) {
		uint64_t at = 10000 * (uint64_t)n, step = first + n;

		OP(T0, EXCHANGE, at + 100, at + 500, n, step);
		OP(T1, EXCHANGE, at + 300, at + 520, n, step);
		OP(SUM, EXCHANGE, at + 350, at + 450, n, step);
		OP(WRITE, WRITE, at + 1000, at + 1100 + n, n, step);
		OP(READ, READ, at + 700, at + 1200 + n, n, step);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

static void
each_step_has_its_time(void)
{
	struct fake_run *run = recorded(2, 1);
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 2);

	/* thread, step, steps, operations, start, stop, communication, wait,
	   longest */
	EXPECT_STR_EQ("0|1|1|2|100|1100|500|200|400\n"
		      "0|2|1|2|10100|11101|501|200|400\n"
		      "1|1|1|2|300|1200|720|400|500\n"
		      "1|2|1|2|10300|11201|721|401|501\n",
	    memory_sink_text(sink, "step"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
steps_add_up_to_the_load_balance(void)
{
	struct fake_run *run = recorded(5000, 7);
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 2);

	EXPECT_EQ(memory_sink_sum(sink, "load_balance", "communication_ns"),
	    memory_sink_sum(sink, "step", "communication_ns"));
	EXPECT_EQ(memory_sink_sum(sink, "load_balance", "wait_ns"),
	    memory_sink_sum(sink, "step", "wait_ns"));
	EXPECT_TRUE(memory_sink_sum(sink, "step", "wait_ns") > 0);
	EXPECT_EQ(memory_sink_sum(sink, "load_balance", "operations"),
	    memory_sink_sum(sink, "step", "operations"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
many_steps_share_rows(void)
{
	struct fake_run *run = recorded(5000, 0);
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 1);

	/* 4 steps a row: 5000 steps need less than 2048 rows. */
	EXPECT_EQ(2 * 1250, memory_sink_rows(sink, "step"));
	EXPECT_EQ(4, memory_sink_int(sink, "step", 1, "step"));
	EXPECT_EQ(4, memory_sink_int(sink, "step", 1, "steps"));
	EXPECT_EQ(8, memory_sink_int(sink, "step", 1, "operations"));
	EXPECT_EQ(5 * 1250, memory_sink_rows(sink, "wrapper_latency_step"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
without_steps_of_the_program_operations_are_counted(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	for (uint64_t n = 0; n < 3; n++)
		OP(WRITE, WRITE, 1000 * n + 100, 1000 * n + 150, n, 0);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "step", 1);
	EXPECT_STR_EQ("0|0|1|1|100|150|50|0|50\n"
		      "0|1|1|1|1100|1150|50|0|50\n"
		      "0|2|1|1|2100|2150|50|0|50\n",
	    memory_sink_text(sink, "step"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
stages_have_their_latency_step_by_step(void)
{
	struct fake_run *run = recorded(2, 1);
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), "wrapper_latency", 1);

	/* stage, path, step, steps, operations, latency: mean, min, max;
	   time: the same */
	EXPECT_STR_EQ("0||1|1|1|100.000|100|100|100.000|100|100\n"
		      "0||2|1|1|100.000|100|100|100.000|100|100\n"
		      "2|0|1|1|1|300.000|300|300|400.000|400|400\n"
		      "2|0|2|1|1|300.000|300|300|400.000|400|400\n"
		      "2|1|1|1|1|120.000|120|120|220.000|220|220\n"
		      "2|1|2|1|1|120.000|120|120|220.000|220|220\n"
		      "1|2|1|1|1|100.000|100|100|100.000|100|100\n"
		      "1|2|2|1|1|101.000|101|101|101.000|101|101\n"
		      "1|3|1|1|1|500.000|500|500|500.000|500|500\n"
		      "1|3|2|1|1|501.000|501|501|501.000|501|501\n",
	    memory_sink_text(sink, "wrapper_latency_step"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Three threads begin a step one after the other. */
static const char spread_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "element e -process p -type f64 -keep 16\n"
	     "path t0 e {{collector} {element e}} -use write\n"
	     "path t1 e {{collector} {element e}} -use write\n"
	     "path t2 e {{collector} {element e}} -use write\n";

static void
the_spread_is_the_difference_of_the_starts(void)
{
	struct fake_run *run = fake_run_create(spread_map, 16);
	struct memory_sink *sink;

	for (uint32_t t = 0; t < 3; t++) {
		OP(t, WRITE, 100 + 10 * t, 200, 0, 1);
		OP(t, WRITE, 1000 + 10 * ((t + 1) % 3), 1100, 1, 2);
	}
	OP(1, WRITE, 2000, 2100, 2, 3);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "step", 2);
	/* step, steps, threads, first, last, start, spread, neighbours, pairs;
	   step 3 has one thread and no row */
	EXPECT_STR_EQ("1|1|3|0|2|100|20|10.000|13.333\n"
		      "2|1|3|2|1|1000|20|15.000|13.333\n",
	    memory_sink_text(sink, "step_spread"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* A damaged file may have any step. */
static void
the_largest_step_does_no_harm(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);
	struct memory_sink *sink;

	OP(WRITE, WRITE, 100, 200, 0, UINT32_MAX);
	OP(WRITE, WRITE, 300, 400, 1, 0);
	OP(T0, EXCHANGE, 500, 600, UINT32_MAX, 5);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(2, memory_sink_rows(sink, "step"));
	EXPECT_EQ(300, memory_sink_sum(sink, "step", "communication_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(each_step_has_its_time, steps_add_up_to_the_load_balance,
    many_steps_share_rows, without_steps_of_the_program_operations_are_counted,
    stages_have_their_latency_step_by_step,
    the_spread_is_the_difference_of_the_starts, the_largest_step_does_no_harm)
