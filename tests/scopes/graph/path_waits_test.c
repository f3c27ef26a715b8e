/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/path_waits_test.c - the causes of waiting in runs of paths
 * that are written by hand
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <stdio.h>

/* Computes the views, and compares their sums. */
static struct memory_sink *
views_of(struct fake_run *run)
{
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 2);
	int64_t waited = memory_sink_sum(sink, "waits_for", "wait_ns");

	/* Each number is rounded. */
	EXPECT_EQ(waited,
	    memory_sink_sum(sink, "root_cause", "short_term_ns") +
		memory_sink_sum(sink, "root_cause", "long_term_ns"));
	EXPECT_EQ(waited,
	    memory_sink_sum(sink, "wait_chain", "direct_ns") +
		memory_sink_sum(sink, "wait_chain", "indirect_ns"));
	EXPECT_EQ(memory_sink_int(sink, "efficiency", 0, "elapsed_ns"),
	    memory_sink_sum(sink, "critical_path", "path_ns"));
	return sink;
}

static int64_t
account(const struct memory_sink *sink, const char *column)
{
	return memory_sink_int(sink, "activity_graph", 0, column);
}

/*
 * Eight threads in a row.  Each but the last writes to `link`, which the next
 * one reads.  Collectors: the write of thread n 2 n, its read of what thread
 * n - 1 wrote 2 n - 1.
 */
#define CHAIN 8u

static struct fake_run *
chain_create(void)
{
	char map[4096];
	size_t used = (size_t)snprintf(map, sizeof(map), "%s", FAKE_MAP);

	for (uint32_t n = 0; n < CHAIN; n++)
		used += (size_t)snprintf(map + used, sizeof(map) - used,
		    "thread t%u -process p\n", n);
	for (uint32_t n = 0; n + 1 < CHAIN; n++)
		used += (size_t)snprintf(map + used, sizeof(map) - used,
		    "element link.%u -process p -type f64 -keep 16\n"
		    "path t%u link.%u {{collector} {element link.%u}} "
		    "-use write\n"
		    "path t%u link.%u {{collector} {element link.%u}} "
		    "-use read\n",
		    n, n, n, n, n + 1, n, n);
	return fake_run_create(map, 64);
}

/* A thread of the chain. */
struct link_thread {
	uint64_t ns;
	uint64_t written[64];
};

/* In each step a thread reads, computes for 100 and writes; a read or write
   takes 2.  Threads in the middle of `delays` compute longer in a step. */
static void
chain_run(struct fake_run *run, uint32_t steps, const uint64_t delays[CHAIN][8])
{
	struct link_thread t[CHAIN] = { 0 };

	for (uint32_t n = 0; n < CHAIN; n++)
		t[n].ns = 1000;
	for (uint32_t step = 0; step < steps; step++)
		for (uint32_t n = 0; n < CHAIN; n++) {
			uint64_t from = t[n].ns;

			/* The threads before it have written the step. */
			if (n > 0) {
				uint64_t ready = t[n - 1].written[step];

				t[n].ns = (ready > from ? ready : from) + 2;
				FAKE_OP(run, 2 * n - 1, READ, step, from,
				    t[n].ns);
			}
			t[n].ns += 100 + delays[n][step];
			if (n + 1 == CHAIN)
				continue;
			FAKE_OP(run, 2 * n, WRITE, step, t[n].ns, t[n].ns + 2);
			t[n].ns += 2;
			t[n].written[step] = t[n].ns;
		}
	fake_run_end(run, FAKE_RUN_ENDED);
}

/* Returns the waiting that follows from a thread. */
static int64_t
caused_by(const struct memory_sink *sink, int64_t thread)
{
	int64_t sum = 0;

	for (size_t n = 0; n < memory_sink_rows(sink, "root_cause"); n++)
		if (memory_sink_int(sink, "root_cause", n, "thread") == thread)
			sum += memory_sink_int(sink, "root_cause", n,
				   "short_term_ns") +
			    memory_sink_int(sink, "root_cause", n,
				"long_term_ns");
	return sum;
}

/* Returns the row of the wave that a delay of a thread makes; the count of rows
   if there is none. */
static size_t
wave_of(const struct memory_sink *sink, int64_t thread)
{
	size_t count = memory_sink_rows(sink, "idle_wave");

	for (size_t n = 0; n < count; n++)
		if (memory_sink_int(sink, "idle_wave", n, "thread") == thread)
			return n;
	return count;
}

/* Expects the wave of a delay of 5000: the wait of each thread behind the late
   one ends 104 later.  The last thread does not write, and so waits for 2 in
   each step. */
static void
expect_wave(struct memory_sink *sink, int64_t thread)
{
	size_t wave = wave_of(sink, thread);
	int64_t behind = CHAIN - 1 - thread, crossed = 0;

	EXPECT_TRUE(wave < memory_sink_rows(sink, "idle_wave"));
	EXPECT_EQ(5000, memory_sink_int(sink, "idle_wave", wave, "delay_ns"));
	EXPECT_EQ(behind, memory_sink_int(sink, "idle_wave", wave, "threads"));
	EXPECT_EQ(behind, memory_sink_int(sink, "idle_wave", wave, "hops"));
	EXPECT_EQ(5000 * behind + 2,
	    memory_sink_int(sink, "idle_wave", wave, "wait_ns"));
	EXPECT_NEAR(1e9 / 104,
	    memory_sink_real(sink, "idle_wave", wave, "hops_per_s"), 1);
	EXPECT_EQ(CHAIN - 1, memory_sink_int(sink, "idle_wave", wave, "last"));
	EXPECT_STR_EQ("none",
	    memory_sink_string(sink, "idle_wave", wave, "end"));
	for (size_t n = 0; n < memory_sink_rows(sink, "idle_wave_thread"); n++)
		if (memory_sink_int(sink, "idle_wave_thread", n, "wave") ==
		    memory_sink_int(sink, "idle_wave", wave, "wave")) {
			crossed++;
			EXPECT_EQ(thread + crossed,
			    memory_sink_int(sink, "idle_wave_thread", n,
				"thread"));
			EXPECT_EQ(crossed,
			    memory_sink_int(sink, "idle_wave_thread", n,
				"hops"));
			EXPECT_EQ(thread + crossed + 1 == CHAIN ? 5002 : 5000,
			    memory_sink_int(sink, "idle_wave_thread", n,
				"wait_ns"));
		}
	EXPECT_EQ(behind, crossed);
}

/* In the first step each thread waits for those before it. */
static const uint64_t no_delays[CHAIN][8];

static void
a_delay_in_a_chain_is_the_cause_of_all_waits_behind_it(void)
{
	struct fake_run *run = chain_create(), *even = chain_create();
	uint64_t delays[CHAIN][8] = { [3] = { [4] = 5000 } };
	struct memory_sink *sink, *without;

	chain_run(run, 8, delays);
	chain_run(even, 8, no_delays);
	sink = views_of(run);
	without = views_of(even);
	/* Four threads are behind it, each of which waits for 5000. */
	EXPECT_EQ(4 * 5000,
	    memory_sink_sum(sink, "waits_for", "wait_ns") -
		memory_sink_sum(without, "waits_for", "wait_ns"));
	EXPECT_EQ(4 * 5000, caused_by(sink, 3) - caused_by(without, 3));
	for (int64_t n = 0; n < CHAIN; n++)
		if (n != 3)
			EXPECT_EQ(caused_by(without, n), caused_by(sink, n));
	EXPECT_EQ(0, account(sink, "unknown"));
	EXPECT_EQ(0, account(sink, "contradictions"));
	expect_wave(sink, 3);
	EXPECT_EQ(memory_sink_rows(without, "idle_wave"), wave_of(without, 3));
	memory_sink_free(sink);
	memory_sink_free(without);
	fake_run_remove(run);
	fake_run_remove(even);
}

/* Thread 4 is later than thread 3, so it does not wait for that. */
static void
a_delay_that_is_made_up_for_causes_nothing(void)
{
	struct fake_run *run = chain_create(), *even = chain_create();
	uint64_t delays[CHAIN]
		       [8] = { [3] = { [4] = 5000 }, [4] = { [3] = 5000 } };
	struct memory_sink *sink, *without;

	chain_run(run, 8, delays);
	chain_run(even, 8, no_delays);
	sink = views_of(run);
	without = views_of(even);
	EXPECT_EQ(3 * 5000,
	    memory_sink_sum(sink, "waits_for", "wait_ns") -
		memory_sink_sum(without, "waits_for", "wait_ns"));
	EXPECT_EQ(3 * 5000, caused_by(sink, 4) - caused_by(without, 4));
	for (int64_t n = 0; n < CHAIN; n++)
		if (n != 4)
			EXPECT_EQ(caused_by(without, n), caused_by(sink, n));
	expect_wave(sink, 4);
	EXPECT_EQ(memory_sink_rows(sink, "idle_wave"), wave_of(sink, 3));
	memory_sink_free(sink);
	memory_sink_free(without);
	fake_run_remove(run);
	fake_run_remove(even);
}

/* Three threads meet.  Collectors: tail 0, then those of t0, t1 and t2. */
static const char join_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage all reduce -process p -op sum -type f64 -inputs 3 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {all}}\n"
	     "path t1 total {{collector} {all}}\n"
	     "path t2 total {{collector} {all}}\n";

/* Threads compute from the end of one operation to the begin of the next. */
static void
join_operation(struct fake_run *run, uint32_t seq, const uint64_t begins[3])
{
	uint64_t last = 0;

	for (int n = 0; n < 3; n++)
		last = begins[n] > last ? begins[n] : last;
	FAKE_OP(run, 0, EXCHANGE, seq, last + 10, last + 30);
	for (uint32_t n = 0; n < 3; n++)
		FAKE_OP(run, 1 + n, EXCHANGE, seq, begins[n], last + 40);
}

/* t0 computes for 2000 longer than t2, and t1 for 5000 longer. */
static void
a_delay_hidden_by_another_causes_nothing(void)
{
	struct fake_run *run = fake_run_create(join_map, 16);
	struct memory_sink *sink;

	join_operation(run, 0, (const uint64_t[]){ 1000, 1000, 1000 });
	join_operation(run, 1, (const uint64_t[]){ 4040, 7040, 2040 });
	join_operation(run, 2, (const uint64_t[]){ 8080, 8080, 8080 });
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_STR_EQ("0|1|1|3000|0|0\n"
		      "2|1|1|5000|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("|1|||1|1|||8000|0\n",
	    memory_sink_text(sink, "root_cause"));
	EXPECT_STR_EQ("|0||0|1|exchange|3000|0|0\n"
		      "|2||2|1|exchange|5000|0|0\n",
	    memory_sink_text(sink, "wait_chain"));
	/* The path is that of t1, from 1000 to 8120. */
	EXPECT_EQ(7120, memory_sink_int(sink, "efficiency", 0, "elapsed_ns"));
	EXPECT_EQ(7000,
	    memory_sink_int(sink, "efficiency", 0, "useful_ns_max"));
	EXPECT_EQ(7000, memory_sink_int(sink, "efficiency", 0, "ideal_ns"));
	/* At a join all threads wait at once. */
	EXPECT_EQ(0, memory_sink_rows(sink, "idle_wave"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Collectors: w 0, x 1, r 2. */
static const char element_map[] =
    FAKE_MAP "thread w -process p\n"
	     "thread x -process p\n"
	     "thread r -process p\n"
	     "element e -process p -type f64 -keep 16\n"
	     "path w e {{collector} {element e}} -use write\n"
	     "path x e {{collector} {element e}} -use write\n"
	     "path r e {{collector} {element e}} -use read\n";

static void
a_read_waits_for_the_writer_of_its_tuple(void)
{
	struct fake_run *run = fake_run_create(element_map, 16);
	struct memory_sink *sink;

	/* Tuples: 0 by w at 20, 1 by x at 120, 2 by x at 130, 3 by w. */
	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 1, WRITE, 0, 100, 120);
	FAKE_OP(run, 1, WRITE, 1, 125, 130);
	FAKE_OP(run, 0, WRITE, 1, 900, 910);
	FAKE_OP(run, 2, READ, 0, 5, 30);
	FAKE_OP(run, 2, READ, 1, 121, 124);
	FAKE_OP(run, 2, READ, 2, 125, 140);
	FAKE_OP(run, 2, READ, 3, 1000, 1010);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_EQ(4, account(sink, "messages"));
	EXPECT_EQ(4, account(sink, "choices"));
	EXPECT_EQ(0, account(sink, "unknown"));
	EXPECT_EQ(15, caused_by(sink, 0));
	EXPECT_EQ(5, caused_by(sink, 1));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* The writer wakes the reader, and takes its own stamp later. */
static void
a_reader_may_leave_before_its_writer(void)
{
	struct fake_run *run = fake_run_create(element_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 50);
	FAKE_OP(run, 2, READ, 0, 5, 45);
	FAKE_OP(run, 0, WRITE, 1, 60, 80);
	FAKE_OP(run, 2, READ, 1, 50, 75);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_STR_EQ("2|0|2|65|0|0\n", memory_sink_text(sink, "waits_for"));
	EXPECT_EQ(0, account(sink, "contradictions"));
	EXPECT_EQ(65, caused_by(sink, 0));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Collectors: w 0, r 1, slow 2. */
static const char full_map[] =
    FAKE_MAP "thread w -process p\n"
	     "thread r -process p\n"
	     "thread slow -process p\n"
	     "element e -process p -type f64 -keep 2\n"
	     "path w e {{collector} {element e}}\n"
	     "path r e {{collector} {element e}} -use read\n"
	     "path slow e {{collector} {element e}} -use read\n";

static void
a_write_to_a_full_element_waits_for_its_last_reader(void)
{
	struct fake_run *run = fake_run_create(full_map, 16);
	struct memory_sink *sink;

	/* The third write waits for slow's first read, the fourth for r's
	   second.  The third ends before the stamp of the read. */
	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 0, WRITE, 1, 30, 40);
	FAKE_OP(run, 1, READ, 0, 41, 45);
	FAKE_OP(run, 2, READ, 0, 90, 100);
	FAKE_OP(run, 0, WRITE, 2, 50, 95);
	FAKE_OP(run, 2, READ, 1, 106, 107);
	FAKE_OP(run, 1, READ, 1, 180, 190);
	FAKE_OP(run, 0, WRITE, 3, 150, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_STR_EQ("0|1|1|40|0|0\n"
		      "0|2|1|45|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	EXPECT_EQ(40, caused_by(sink, 1));
	EXPECT_EQ(45, caused_by(sink, 2));
	/* Each of four reads has its write, and two writes two reads each. */
	EXPECT_EQ(8, account(sink, "messages"));
	EXPECT_EQ(0, account(sink, "choices"));
	EXPECT_EQ(0, account(sink, "contradictions"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Collectors: m 0, a 1, b 2. */
static const char farm_map[] =
    FAKE_MAP "thread m -process p\n"
	     "thread a -process p\n"
	     "thread b -process p\n"
	     "element e -process p -type f64 -keep 2 -take one\n"
	     "path m e {{collector} {element e}}\n"
	     "path a e {{collector} {element e}} -use read\n"
	     "path b e {{collector} {element e}} -use read\n";

static void
readers_that_take_tuples_wait_and_are_waited_for(void)
{
	struct fake_run *run = fake_run_create(farm_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 1, READ, 0, 5000,
	    22000); /* takes tuple 0, written at 20000 */
	FAKE_OP(run, 2, READ, 0, 10000,
	    43000); /* takes tuple 1, written at 40000 */
	FAKE_OP(run, 0, WRITE, 0, 15000, 20000);
	FAKE_OP(run, 0, WRITE, 1, 30000, 40000);
	FAKE_OP(run, 0, WRITE, 2, 44000, 46000); /* has room */
	FAKE_OP(run, 0, WRITE, 3, 47000, 50000); /* has room */
	FAKE_OP(run, 2, READ, 1, 90000, 100000); /* takes tuple 2 */
	FAKE_OP(run, 0, WRITE, 4, 60000, 105000);
	FAKE_OP(run, 1, READ, 1, 180000, 190000); /* takes tuple 3 */
	FAKE_OP(run, 0, WRITE, 5, 150000, 200000);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_EQ(15000 + 30000, caused_by(sink, 0));
	EXPECT_EQ(40000, caused_by(sink, 1));
	EXPECT_EQ(40000, caused_by(sink, 2));
	EXPECT_EQ(4 + 4, account(sink, "messages"));
	EXPECT_EQ(4 + 4, account(sink, "choices"));
	EXPECT_EQ(0, account(sink, "unknown"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* w writes through a proxy to another host.  Collectors: w 0, above the element
   1, r 2. */
static const char proxy_map[] =
    FAKE_MAP "thread w -process p\n"
	     "thread r -process q\n"
	     "element e -process q -type f64 -keep 16\n"
	     "path w e {{collector} {proxy q} {collector} {element e}} "
	     "-use write\n"
	     "path r e {{collector} {element e}} -use read\n";

static void
a_proxy_is_a_stage_of_its_thread(void)
{
	struct fake_run *run = fake_run_create(proxy_map, 64);
	struct memory_sink *sink;
	int64_t caused;

	fake_run_clock(run, 1, 7000000, 0);
	for (uint32_t seq = 0; seq < 32; seq++) {
		uint64_t at = 10000 + 10000 * (uint64_t)seq;

		/* The way takes 500, and the same back. */
		FAKE_OP(run, 0, WRITE, seq, at, at + 1100);
		FAKE_OP(run, 1, WRITE, seq, at + 500, at + 600);
		FAKE_OP(run, 2, READ, seq, at - 4000, at + 650);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	/* Half of the writes have to wait for room. */
	EXPECT_EQ(32 + 16, account(sink, "messages"));
	EXPECT_EQ(0, account(sink, "unknown"));
	/* Each read waits for 4600, by aligned clocks. */
	caused = caused_by(sink, 0);
	EXPECT_TRUE(caused >= 32 * 4590 && caused <= 32 * 4610);
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* ---- what is not known */

/* As join_map, without a collector on the path of t2. */
static const char blind_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage all reduce -process p -op sum -type f64 -inputs 3 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {all}}\n"
	     "path t1 total {{collector} {all}}\n"
	     "path t2 total {{all}}\n";

static void
a_join_without_all_collectors_is_unknown(void)
{
	struct fake_run *run = fake_run_create(blind_map, 16);
	struct memory_sink *sink;

	for (uint32_t seq = 0; seq < 3; seq++) {
		uint64_t at = 1000 * (uint64_t)seq;

		FAKE_OP(run, 0, EXCHANGE, seq, at + 500, at + 600);
		FAKE_OP(run, 1, EXCHANGE, seq, at + 100, at + 610);
		FAKE_OP(run, 2, EXCHANGE, seq, at + 200, at + 620);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_EQ(2, account(sink, "threads"));
	EXPECT_EQ(6, account(sink, "operations"));
	EXPECT_EQ(6, account(sink, "unknown"));
	EXPECT_EQ(0, account(sink, "collectives"));
	EXPECT_EQ(0, memory_sink_rows(sink, "root_cause"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Rings keep four tuples, and t2 has two operations more, which failed. */
static void
operations_that_a_collector_lost_are_unknown(void)
{
	struct fake_run *run = fake_run_create(join_map, 4);
	struct es_tuple_path failed = { .start = 6500,
		.stop = 6510,
		.seq = 6,
		.op = PATHS_EXCHANGE,
		.status = 4 };
	struct memory_sink *sink;

	for (uint32_t seq = 0; seq < 6; seq++) {
		uint64_t at = 1000 + 1000 * (uint64_t)seq;

		join_operation(run, seq,
		    (const uint64_t[]){ at, at + 300, at + 100 });
	}
	fake_run_add(run, 3, &failed);
	failed.start += 100;
	failed.stop += 100;
	fake_run_add(run, 3, &failed);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	/* All retain operations 4 and 5; t0 and t1 also 2 and 3. */
	EXPECT_EQ(12, account(sink, "operations"));
	EXPECT_EQ(2 * 2 + 2, account(sink, "unknown"));
	EXPECT_EQ(3 * 2, account(sink, "collectives"));
	EXPECT_EQ(2 * (300 + 200),
	    memory_sink_sum(sink, "waits_for", "wait_ns"));
	EXPECT_EQ(2 * (300 + 200), caused_by(sink, 1));
	/* From t2's operation 4 to the end of the last one that failed. */
	EXPECT_EQ(6610 - 5100,
	    memory_sink_int(sink, "efficiency", 0, "elapsed_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* x wrote tuple 0; the numbers of w's first tuples, now lost, are not
   certain. */
static void
reads_of_tuples_without_a_number_are_unknown(void)
{
	struct fake_run *run = fake_run_create(element_map, 4);
	struct memory_sink *sink;

	FAKE_OP(run, 1, WRITE, 0, 10, 20);
	for (uint32_t seq = 0; seq < 6; seq++) {
		FAKE_OP(run, 0, WRITE, seq, 30 + 10 * seq, 35 + 10 * seq);
		FAKE_OP(run, 2, READ, seq, seq < 3 ? 10 + seq : 200 + seq,
		    seq < 3 ? 25 + seq : 202 + seq);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_EQ(0, memory_sink_rows(sink, "root_cause"));
	/* The tuple of the first of four reads is not certain, nor is the
	   number of the one that x wrote. */
	EXPECT_EQ(2, account(sink, "unknown"));
	EXPECT_EQ(3, account(sink, "messages"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* The collector of w was off for three operations. */
static void
operations_that_were_not_recorded_are_counted(void)
{
	struct fake_run *run = fake_run_create(element_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 0, WRITE, 4, 50, 60);
	FAKE_OP(run, 2, READ, 0, 5, 30);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = views_of(run);
	EXPECT_EQ(3, account(sink, "operations"));
	EXPECT_EQ(3, account(sink, "missing"));
	/* The read, and two writes: the element may have been full. */
	EXPECT_EQ(3, account(sink, "unknown"));
	EXPECT_EQ(0, account(sink, "messages"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* t1 never comes: t0 and t2 are in the join when their process is killed. */
static void
operations_under_way_are_entered(void)
{
	struct fake_run *run = fake_run_create(join_map, 16);
	struct memory_sink *sink;

	join_operation(run, 0, (const uint64_t[]){ 1000, 1100, 1200 });
	FAKE_OP(run, 1, EXCHANGE, 1, 2000, 0);
	FAKE_OP(run, 3, EXCHANGE, 1, 2100, 0);
	fake_run_end(run, FAKE_RUN_KILLED);
	sink = views_of(run);
	EXPECT_EQ(3, account(sink, "operations"));
	EXPECT_EQ(0, account(sink, "unknown"));
	EXPECT_EQ(0, account(sink, "cycles"));
	EXPECT_EQ(2100 - 1000,
	    memory_sink_int(sink, "efficiency", 0, "elapsed_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* A buffer writes what t has put into it, at a time of its own. */
static void
tuples_from_a_buffer_are_unknown(void)
{
	static const char map[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread r -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "path t e {{collector} {buffer -tuples 4} {collector} "
		     "{element e}} -use write\n"
		     "path r e {{collector} {element e}} -use read\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 100, 110);
	FAKE_OP(run, 1, WRITE, 0, 200, 210);
	FAKE_OP(run, 2, READ, 0, 50, 220);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(1, account(sink, "unknown"));
	EXPECT_EQ(0, account(sink, "messages"));
	EXPECT_EQ(0, account(sink, "cycles"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(a_delay_in_a_chain_is_the_cause_of_all_waits_behind_it,
    a_delay_that_is_made_up_for_causes_nothing,
    a_delay_hidden_by_another_causes_nothing,
    a_read_waits_for_the_writer_of_its_tuple,
    a_reader_may_leave_before_its_writer,
    a_write_to_a_full_element_waits_for_its_last_reader,
    readers_that_take_tuples_wait_and_are_waited_for,
    a_proxy_is_a_stage_of_its_thread, a_join_without_all_collectors_is_unknown,
    operations_that_a_collector_lost_are_unknown,
    reads_of_tuples_without_a_number_are_unknown,
    operations_that_were_not_recorded_are_counted,
    operations_under_way_are_entered, tuples_from_a_buffer_are_unknown)
