/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/cost_proxy_test.c - operations through proxies beside a
 * model
 */

#include "scopes/model_run.h"

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Collectors: 0 and 2 above the proxies, 1 and 3 above the element. */
static const char map_text[] =
    FAKE_MAP "thread t -process p\n"
	     "thread u -process p\n"
	     "element e -process q -type u8*..4000 -keep 16\n"
	     "path t e {{collector} {proxy q} {collector} {element e}}\n"
	     "path u e {{collector} {proxy q} {collector} {element e}}\n";

/* 1 ns for a byte and 1 us up to 999 B, then 0.5 ns and 3 us. */
static const char model_text[] = "eventspace-model 1\n"
				 "locality tcp\n"
				 "\tpair a a\n"
				 "\tfit paper\n"
				 "\tsegment 0 alpha 1 rate 1\n"
				 "locality network\n"
				 "\tbetween-hosts\n"
				 "\tpair x y\n"
				 "\tfit paper\n"
				 "\tsegment 0 alpha 1 rate 1\n"
				 "locality network-2\n"
				 "\tbetween-hosts\n"
				 "\tpair b a\n"
				 "\tfit segments\n"
				 "\tsegment 0 alpha 1e-06 rate 1e+09\n"
				 "\tsegment 1000 alpha 3e-06 rate 2e+09\n"
				 "end\n";

static void
keep_model(const struct fake_run *run, const char *text)
{
	char file[PATH_MAX];
	FILE *to;

	snprintf(file, sizeof(file), "%s/" ES_MODEL_KEPT, fake_run_dir(run));
	to = fopen(file, "w");
	EXPECT_TRUE(to != NULL);
	EXPECT_TRUE(fputs(text, to) >= 0);
	EXPECT_EQ(0, fclose(to));
}

/* Adds an operation at a collector, and at the one behind the proxy; of the
   tuple, only kind, number and bytes are set. */
static void
operation(struct fake_run *run, uint32_t collector, struct es_tuple_path tuple,
    const uint64_t times[4])
{
	tuple.start = times[0];
	tuple.stop = times[3];
	fake_run_add(run, collector, &tuple);
	tuple.start = times[1];
	tuple.stop = times[2];
	fake_run_add(run, collector + 1, &tuple);
}

#define OPERATION(run, collector, kind, number, size, ...) \
	operation(run, collector, \
	    (struct es_tuple_path){ .op = PATHS_##kind, \
		.seq = (number), \
		.bytes = (size) }, \
	    (const uint64_t[4]){ __VA_ARGS__ })

/* Makes a run; the clock of the second process is off, and does not matter. */
static struct fake_run *
run_create(void)
{
	struct fake_run *run = fake_run_create(map_text, 16);

	fake_run_clock(run, 1, 777000, 0);
	OPERATION(run, 0, WRITE, 0, 500, 0, 4000, 6000, 10000);
	/* 300 ns after a tuple of 500 B: 200 B are before it. */
	OPERATION(run, 2, EXCHANGE, 0, 2000, 300, 6000, 8000, 12300);
	OPERATION(run, 0, READ, 1, 1000, 20000, 21000, 29000, 30000);
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

static void
operations_are_two_messages_and_wait_for_others(void)
{
	struct fake_run *run = run_create();
	struct memory_sink *sink;

	keep_model(run, model_text);
	sink = memory_sink_compute(fake_run_dir(run), "cost_proxy", 2);
	EXPECT_EQ(2, memory_sink_rows(sink, "cost_proxy"));
	/* stage, path, target, locality, placed, operations, bytes, measured,
	   latency, bandwidth, queue, unexplained, dominant */
	EXPECT_STR_EQ("2|0|1|network-2|1|2|1500|10000.000|6000.000|1000.000|"
		      "0.000|3000.000|latency\n"
		      "5|1|1|network-2|1|1|4000|10000.000|6000.000|2000.000|"
		      "200.000|1800.000|latency\n",
	    memory_sink_text(sink, "cost_proxy"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
other_localities_are_taken_and_reported(void)
{
	struct fake_run *run = run_create();
	struct memory_sink *sink;

	keep_model(run,
	    "eventspace-model 1\nlocality core\n\tfit paper\n"
	    "\tsegment 0 alpha 1e-06\nend\n");
	sink = memory_sink_compute(fake_run_dir(run), "cost_proxy", 1);
	EXPECT_STR_EQ("core",
	    memory_sink_string(sink, "cost_proxy", 0, "locality"));
	EXPECT_EQ(0, memory_sink_int(sink, "cost_proxy", 0, "placed"));
	EXPECT_NEAR(4000, memory_sink_real(sink, "cost_proxy", 0, "latency_ns"),
	    1e-6);
	memory_sink_free(sink);
	keep_model(run,
	    "eventspace-model 1\nlocality core\n\tfit paper\n"
	    "\tsegment 0 alpha 1\nlocality far\n\tbetween-hosts\n\tfit paper\n"
	    "\tsegment 0 alpha 1e-06\nlocality further\n\tbetween-hosts\n"
	    "\tfit paper\n\tsegment 0 alpha 1\nend\n");
	sink = memory_sink_compute(fake_run_dir(run), "cost_proxy", 1);
	EXPECT_STR_EQ("far",
	    memory_sink_string(sink, "cost_proxy", 0, "locality"));
	EXPECT_EQ(1, memory_sink_int(sink, "cost_proxy", 0, "placed"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
without_a_model_there_are_no_rows(void)
{
	static const char *const texts[] = { "eventspace-model 1\n",
		"eventspace-model 1\nend\n" };
	struct fake_run *run = run_create();
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), "cost_proxy", 1);

	EXPECT_EQ(0, memory_sink_rows(sink, "cost_proxy"));
	memory_sink_free(sink);
	for (int n = 0; n < 2; n++) {
		keep_model(run, texts[n]);
		sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
		EXPECT_EQ(0, memory_sink_rows(sink, "cost_proxy"));
		EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
				n == 0 ? "the file ends before the line end" :
					 "the model has no locality") != NULL);
		memory_sink_free(sink);
	}
	fake_run_remove(run);
}

static void
proxies_without_collectors_are_reported(void)
{
	static const char map[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process p\n"
		     "element e -process q -type u8*..4000 -keep 16\n"
		     "path t e {{collector} {proxy q} {element e}}\n"
		     "path u e {{collector} {delay 1us} {proxy q} {collector} "
		     "{element e}}\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	OPERATION(run, 1, WRITE, 0, 500, 0, 4000, 6000, 10000);
	FAKE_OP(run, 0, WRITE, 0, 0, 1000);
	fake_run_end(run, FAKE_RUN_ENDED);
	keep_model(run, model_text);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(0, memory_sink_rows(sink, "cost_proxy"));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"2 proxies are left out: their time is ") != NULL);
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(operations_are_two_messages_and_wait_for_others,
    other_localities_are_taken_and_reported, without_a_model_there_are_no_rows,
    proxies_without_collectors_are_reported)
