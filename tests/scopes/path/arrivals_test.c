/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/path/arrivals_test.c - proves scopes/path/arrivals.c
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* Collectors: tail 0, t0 1, t1 2, t2 3.  Stages: total 0, sum 1. */
static const char sum_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage sum reduce -process p -op sum -type f64 -inputs 3 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {sum}}\n"
	     "path t1 total {{collector} {sum}}\n"
	     "path t2 total {{collector} {sum}}\n";

static void
order_and_waits_are_as_stamped(void)
{
	struct fake_run *run = fake_run_create(sum_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 1, EXCHANGE, 0, 100, 203);
	FAKE_OP(run, 2, EXCHANGE, 0, 130, 201);
	FAKE_OP(run, 3, EXCHANGE, 0, 120, 202);
	FAKE_OP(run, 1, EXCHANGE, 1, 307, 400);
	FAKE_OP(run, 2, EXCHANGE, 1, 300, 405);
	FAKE_OP(run, 3, EXCHANGE, 1, 305, 410);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	EXPECT_STR_EQ("1|0|2|1|1|30|30|0|0\n"
		      "1|1|2|1|1|7|7|0|0\n"
		      "1|2|2|0|0|12|10|0|0\n",
	    memory_sink_text(sink, "arrival"));
	EXPECT_STR_EQ("1|0|1|1|30|0\n"
		      "1|0|2|1|20|0\n"
		      "1|1|0|1|7|0\n"
		      "1|1|2|1|5|0\n"
		      "1|2|0|1|2|0\n"
		      "1|2|1|1|10|0\n",
	    memory_sink_text(sink, "arrival_pair"));
	EXPECT_STR_EQ("1|0|2|1|1|10|10|0|0\n"
		      "1|1|2|1|0|7|5|0|0\n"
		      "1|2|2|0|1|1|1|0|0\n",
	    memory_sink_text(sink, "departure"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
at_the_same_time_the_lower_input_is_first(void)
{
	struct fake_run *run = fake_run_create(sum_map, 16);
	struct memory_sink *sink;

	for (uint32_t c = 3; c >= 1; c--)
		FAKE_OP(run, c, EXCHANGE, 0, 100, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "arrival", 1);
	EXPECT_STR_EQ("1|0|1|1|0|0|0|0|0\n"
		      "1|1|1|0|0|0|0|0|0\n"
		      "1|2|1|0|1|0|0|0|0\n",
	    memory_sink_text(sink, "arrival"));
	EXPECT_EQ(3, memory_sink_sum(sink, "arrival_pair", "operations"));
	EXPECT_EQ(1, memory_sink_int(sink, "arrival_pair", 1, "operations"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Enough operations for several blocks of work. */
static void
firsts_and_lasts_add_up_to_the_operations(void)
{
	enum { COUNT = 300000 };
	struct fake_run *run = fake_run_create(sum_map, COUNT);
	struct memory_sink *one, *four;
	char *text;

	srand(2);
	for (uint32_t seq = 0; seq < COUNT; seq++) {
		uint64_t at = 1000 * (uint64_t)seq;

		for (uint32_t c = 1; c <= 3; c++)
			FAKE_OP(run, c, EXCHANGE, seq,
			    at + (uint64_t)(rand() % 300),
			    at + 400 + (uint64_t)(rand() % 300));
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	one = memory_sink_compute(fake_run_dir(run), "arrival", 1);
	EXPECT_EQ(COUNT, memory_sink_sum(one, "arrival", "first"));
	EXPECT_EQ(COUNT, memory_sink_sum(one, "arrival", "last"));
	EXPECT_EQ(3 * COUNT,
	    memory_sink_sum(one, "arrival_pair", "operations"));
	four = memory_sink_compute(fake_run_dir(run), "arrival", 4);
	text = strdup(memory_sink_text(one, "arrival_pair"));
	EXPECT_STR_EQ(text, memory_sink_text(four, "arrival_pair"));
	free(text);
	memory_sink_free(one);
	memory_sink_free(four);
	fake_run_remove(run);
}

static void
an_input_without_collector_is_diagnosed(void)
{
	static const char map[] =
	    FAKE_MAP "thread t0 -process p\n"
		     "thread t1 -process p\n"
		     "element total -process p -type f64 -keep 16\n"
		     "stage sum reduce -process p -op sum -type f64 -inputs 2 "
		     "-next {{element total}}\n"
		     "path t0 total {{collector} {sum}}\n"
		     "path t1 total {{sum}}\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, EXCHANGE, 0, 100, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(0, memory_sink_rows(sink, "arrival"));
	EXPECT_STR_EQ("warning|sum|an input has no collector, so the order "
		      "of its inputs is not known\n"
		      "note|sum|2 stages without a collector between them "
		      "are measured as one\n",
	    memory_sink_text(sink, "diagnostic"));
	/* All of the time is the join's own time. */
	EXPECT_STR_EQ("0|1|1|100|0|1.000\n",
	    memory_sink_text(sink, "breakdown"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Neither path was opened: there is no operation whose order is not known. */
static void
a_path_that_was_never_opened_has_a_collector(void)
{
	static const char map[] =
	    FAKE_MAP "thread t0 -process p\n"
		     "thread t1 -process p\n"
		     "element total -process p -type f64 -keep 16\n"
		     "element other -process p -type f64 -keep 16\n"
		     "stage sum reduce -process p -op sum -type f64 -inputs 2 "
		     "-next {{element total}}\n"
		     "path t0 total {{collector} {sum}}\n"
		     "path t1 total {{collector} {sum}}\n"
		     "path t0 other {{collector} {element other}}\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 2, WRITE, 0, 100, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(order_and_waits_are_as_stamped,
    at_the_same_time_the_lower_input_is_first,
    firsts_and_lasts_add_up_to_the_operations,
    an_input_without_collector_is_diagnosed,
    a_path_that_was_never_opened_has_a_collector)
