/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/path/waits_test.c - proves scopes/path/waits.c by the views
 * breakdown, waits_for and load_balance
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

#include <stdlib.h>

/*
 * Two sums: t0 and t1 meet in low; low and t2 meet in high.  Collectors: low's
 * tail 0, high's tail 1, t0 2, t1 3, t2 4.  Stages: total 0, low 1, high 2.
 */
static const char tree_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage low reduce -process p -op sum -type f64 -inputs 2 "
	     "-next {{collector} {high}}\n"
	     "stage high reduce -process p -op sum -type f64 -inputs 2 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {low}}\n"
	     "path t1 total {{collector} {low}}\n"
	     "path t2 total {{collector} {high}}\n";

enum { LOW_TAIL, HIGH_TAIL, T0, T1, T2 };

static void
tree_operation(struct fake_run *run, uint32_t seq, uint64_t at)
{
	/* t1 comes to low last, and low comes to high last. */
	FAKE_OP(run, T0, EXCHANGE, seq, at + 0, at + 100);
	FAKE_OP(run, T2, EXCHANGE, seq, at + 5, at + 95);
	FAKE_OP(run, T1, EXCHANGE, seq, at + 30, at + 101);
	FAKE_OP(run, LOW_TAIL, EXCHANGE, seq, at + 40, at + 90);
	FAKE_OP(run, HIGH_TAIL, EXCHANGE, seq, at + 50, at + 70);
}

static void
a_wait_is_for_the_thread_that_came_last(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);
	struct memory_sink *sink;

	tree_operation(run, 0, 1000);
	tree_operation(run, 1, 2000);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	/* t0 waits 30 at low, t2 waits 35 at high; nothing else waits. */
	EXPECT_STR_EQ("0|1|2|60|0|0\n"
		      "2|1|2|70|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("0|0|2|40|0|0.200\n"
		      "0|1|2|40|60|0.500\n"
		      "0|2|2|60|0|0.300\n"
		      "1|0|2|40|0|0.282\n"
		      "1|1|2|42|0|0.296\n"
		      "1|2|2|60|0|0.423\n"
		      "2|0|2|40|0|0.222\n"
		      "2|2|2|70|70|0.778\n",
	    memory_sink_text(sink, "breakdown"));
	EXPECT_STR_EQ("0|2|200|900|60|0.182\n"
		      "1|2|142|929|0|0.133\n"
		      "2|2|180|910|70|0.165\n",
	    memory_sink_text(sink, "load_balance"));
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* t0 and t1 come to low at the same time, after t2 has come to high. */
static void
at_the_same_time_the_higher_input_is_the_culprit(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, T0, EXCHANGE, 0, 1010, 1100);
	FAKE_OP(run, T1, EXCHANGE, 0, 1010, 1100);
	FAKE_OP(run, T2, EXCHANGE, 0, 1000, 1100);
	FAKE_OP(run, LOW_TAIL, EXCHANGE, 0, 1040, 1090);
	FAKE_OP(run, HIGH_TAIL, EXCHANGE, 0, 1050, 1070);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "waits_for", 1);
	/* t2 waits for low's tail, which t1 completed. */
	EXPECT_STR_EQ("2|1|1|40|0|0\n", memory_sink_text(sink, "waits_for"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* Random times in the order that joins enforce. */
static void
tree_random(struct fake_run *run, uint32_t seq, uint64_t at)
{
	uint64_t t[3], low, high, up;

	for (int n = 0; n < 3; n++)
		t[n] = at + (uint64_t)(rand() % 1000);
	low = (t[0] > t[1] ? t[0] : t[1]) + (uint64_t)(rand() % 50);
	high = (low > t[2] ? low : t[2]) + (uint64_t)(rand() % 50);
	up = high + (uint64_t)(rand() % 500);
	FAKE_OP(run, HIGH_TAIL, EXCHANGE, seq, high, up);
	FAKE_OP(run, LOW_TAIL, EXCHANGE, seq, low, up + 10);
	for (uint32_t n = 0; n < 3; n++)
		FAKE_OP(run, T0 + n, EXCHANGE, seq, t[n],
		    up + 20 + (uint64_t)(rand() % 100));
}

static void
a_breakdown_adds_up_to_the_time_exactly(void)
{
	struct fake_run *run = fake_run_create(tree_map, 4096);
	struct memory_sink *sink;
	int64_t time = 0;

	srand(1);
	for (uint32_t seq = 0; seq < 4000; seq++)
		tree_random(run, seq, 3000 * (uint64_t)seq);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	time = memory_sink_sum(sink, "load_balance", "communication_ns");
	EXPECT_TRUE(time > 0);
	EXPECT_EQ(time,
	    memory_sink_sum(sink, "breakdown", "own_ns") +
		memory_sink_sum(sink, "breakdown", "wait_ns"));
	EXPECT_EQ(memory_sink_sum(sink, "breakdown", "wait_ns"),
	    memory_sink_sum(sink, "waits_for", "wait_ns"));
	EXPECT_EQ(memory_sink_sum(sink, "breakdown", "wait_ns"),
	    memory_sink_sum(sink, "load_balance", "wait_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
operations_that_a_collector_lost_do_not_count(void)
{
	struct fake_run *run = fake_run_create(tree_map, 4);
	struct memory_sink *sink;

	/* Rings keep four tuples; t2 has six operations and loses two. */
	for (uint32_t seq = 0; seq < 5; seq++)
		tree_operation(run, seq, 1000 * (uint64_t)seq);
	FAKE_OP(run, T2, EXCHANGE, 5, 5005, 5095);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(3, memory_sink_int(sink, "breakdown", 0, "operations"));
	EXPECT_EQ(4, memory_sink_int(sink, "load_balance", 2, "operations"));
	EXPECT_EQ(2, memory_sink_int(sink, "collector", T2, "discarded"));
	EXPECT_EQ(5 + 3, memory_sink_rows(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
an_operation_that_was_repeated_counts_once(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);
	struct es_tuple_path failed = { .start = 10,
		.stop = 20,
		.status = 4,
		.op = PATHS_EXCHANGE };
	struct memory_sink *sink;

	fake_run_add(run, T0, &failed);
	tree_operation(run, 0, 1000);
	FAKE_OP(run, T1, EXCHANGE, 1, 5000, 0);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_EQ(1, memory_sink_int(sink, "breakdown", 0, "operations"));
	EXPECT_EQ(40 + 60,
	    memory_sink_int(sink, "breakdown", 0, "own_ns") +
		memory_sink_int(sink, "breakdown", 1, "own_ns") +
		memory_sink_int(sink, "breakdown", 1, "wait_ns") +
		memory_sink_int(sink, "breakdown", 2, "own_ns"));
	EXPECT_EQ(1, memory_sink_int(sink, "load_balance", 0, "operations"));
	EXPECT_EQ(110,
	    memory_sink_int(sink, "load_balance", 0, "communication_ns"));
	EXPECT_STR_EQ("note|p|14 % of its tuples have no checksum, because "
		      "the process did not end its recording: damage to them "
		      "may go unnoticed\n"
		      "note|t0/total.0:collector|1 operation failed\n"
		      "note|t1/total.0:collector|"
		      "an operation did not return\n",
	    memory_sink_text(sink, "diagnostic"));
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
	/* Waits of 15, 0, 25 and 0: the last tuple was written before. */
	FAKE_OP(run, 2, READ, 0, 5, 30);
	FAKE_OP(run, 2, READ, 1, 121, 124);
	FAKE_OP(run, 2, READ, 2, 105, 140);
	FAKE_OP(run, 2, READ, 3, 1000, 1010);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	EXPECT_STR_EQ("2|0|1|15|0|0\n"
		      "2|1|1|25|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("0|0|2|20|0|1.000\n"
		      "1|0|2|25|0|1.000\n"
		      "2|0|4|33|40|1.000\n",
	    memory_sink_text(sink, "breakdown"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
reads_are_matched_although_writes_were_discarded(void)
{
	struct fake_run *run = fake_run_create(element_map, 4);
	struct memory_sink *sink;

	for (uint32_t seq = 0; seq < 9; seq++) {
		uint64_t at = 100 * (uint64_t)seq;

		FAKE_OP(run, 2, READ, seq, at, at + 60);
		FAKE_OP(run, 0, WRITE, seq, at + 10, at + 50);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("2|0|4|200|0|0\n", memory_sink_text(sink, "waits_for"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* The stamps of the write are later than those of its read. */
static void
a_wait_is_never_longer_than_the_operation(void)
{
	struct fake_run *run = fake_run_create(element_map, 4);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 50);
	FAKE_OP(run, 2, READ, 0, 5, 45);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("2|0|1|40|0|0\n", memory_sink_text(sink, "waits_for"));
	EXPECT_EQ(0, memory_sink_int(sink, "breakdown", 1, "own_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* x wrote tuple 0; the numbers of w's first tuples, now lost, are not
   certain. */
static void
only_writes_of_certain_number_are_matched(void)
{
	struct fake_run *run = fake_run_create(element_map, 4);
	struct memory_sink *sink;

	FAKE_OP(run, 1, WRITE, 0, 10, 20);
	for (uint32_t seq = 0; seq < 6; seq++) {
		FAKE_OP(run, 0, WRITE, seq, 30 + 10 * seq, 35 + 10 * seq);
		/* Read 2 is of a tuple that w wrote. */
		FAKE_OP(run, 2, READ, seq, seq < 3 ? 10 + seq : 200 + seq,
		    seq < 3 ? 25 + seq : 202 + seq);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("", memory_sink_text(sink, "waits_for"));
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

	/* Two writes have room.  The third waits for slow's first read, the
	   fourth for r's second. */
	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 0, WRITE, 1, 30, 40);
	FAKE_OP(run, 1, READ, 0, 41, 45);
	FAKE_OP(run, 2, READ, 0, 90, 100);
	FAKE_OP(run, 0, WRITE, 2, 50, 105);
	FAKE_OP(run, 2, READ, 1, 106, 107);
	FAKE_OP(run, 1, READ, 1, 180, 190);
	FAKE_OP(run, 0, WRITE, 3, 150, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 2);
	EXPECT_STR_EQ("0|1|1|40|0|0\n"
		      "0|2|1|50|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("0|0|4|35|90|1.000\n"
		      "1|0|2|14|0|1.000\n"
		      "2|0|2|11|0|1.000\n",
	    memory_sink_text(sink, "breakdown"));
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
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

/* Two readers take four tuples, the first two of which wait for the writer. */
static struct fake_run *
farm_run(void)
{
	struct fake_run *run = fake_run_create(farm_map, 16);

	FAKE_OP(run, 1, READ, 0, 5, 22);  /* takes tuple 0, written at 20 */
	FAKE_OP(run, 2, READ, 0, 10, 43); /* takes tuple 1, written at 40 */
	FAKE_OP(run, 0, WRITE, 0, 15, 20);
	FAKE_OP(run, 0, WRITE, 1, 30, 40);
	FAKE_OP(run, 0, WRITE, 2, 44, 46); /* has room */
	FAKE_OP(run, 0, WRITE, 3, 47, 50); /* has room */
	FAKE_OP(run, 2, READ, 1, 90, 100); /* takes tuple 2 */
	FAKE_OP(run, 0, WRITE, 4, 60, 105);
	FAKE_OP(run, 1, READ, 1, 180, 190); /* takes tuple 3 */
	FAKE_OP(run, 0, WRITE, 5, 150, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

static void
readers_that_take_tuples_wait_and_are_waited_for(void)
{
	struct fake_run *run = farm_run();
	struct memory_sink *sink =
	    memory_sink_compute(fake_run_dir(run), NULL, 2);

	/* m waits from 60 to 100 for b, and from 150 to 190 for a. */
	EXPECT_STR_EQ("0|1|1|40|0|0\n"
		      "0|2|1|40|0|0\n"
		      "1|0|1|15|0|0\n"
		      "2|0|1|30|0|0\n",
	    memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("", memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static void
takes_that_were_not_recorded_are_diagnosed(void)
{
	struct fake_run *run = fake_run_create(farm_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 1, READ, 0, 5, 30);
	FAKE_OP(run, 2, READ, 0, 5, 30);
	FAKE_OP(run, 2, READ, 3, 35, 40);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("", memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("note|b/e.0:collector|2 operations were not recorded\n"
		      "note|e|its writes are not matched with reads: "
		      "some reads were not recorded\n"
		      "note|e|its reads are not matched with writes: "
		      "some reads were not recorded\n",
	    memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

static const char mixed_map[] = FAKE_MAP
    "thread w -process p\n"
    "thread r -process p\n"
    "element e -process p -type f64 -keep 16 -take each -full discard\n"
    "path w e {{collector} {element e}}\n"
    "path r e {{collector} {element e}}\n";

static void
reads_that_cannot_be_matched_are_diagnosed(void)
{
	struct fake_run *run = fake_run_create(mixed_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 1, READ, 0, 5, 30);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("", memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("note|e|its reads are not matched with writes: "
		      "it discards tuples\n",
	    memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* A thread with two operations under way communicates once. */
static void
time_on_two_paths_at_once_counts_once(void)
{
	static const char map[] =
	    FAKE_MAP "thread t -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "element f -process p -type f64 -keep 16\n"
		     "path t e {{collector} {element e}} -use write\n"
		     "path t f {{collector} {element f}} -use write\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 100, 200);
	FAKE_OP(run, 0, WRITE, 1, 400, 500);
	FAKE_OP(run, 1, WRITE, 0, 150, 300);
	FAKE_OP(run, 1, WRITE, 1, 410, 420);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), "load_balance", 1);
	EXPECT_STR_EQ("0|4|300|100|0|0.750\n",
	    memory_sink_text(sink, "load_balance"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* A collector was off for a while. */
static void
writes_that_were_not_recorded_are_diagnosed(void)
{
	struct fake_run *run = fake_run_create(element_map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 0, WRITE, 4, 50, 60);
	FAKE_OP(run, 2, READ, 0, 5, 30);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("", memory_sink_text(sink, "waits_for"));
	EXPECT_STR_EQ("note|w/e.0:collector|3 operations were not recorded\n"
		      "note|e|its writes are not matched with reads: "
		      "some writes were not recorded\n"
		      "note|e|its reads are not matched with writes: "
		      "some writes were not recorded\n",
	    memory_sink_text(sink, "diagnostic"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* A thread waits twice for the same thread. */
static void
waits_on_all_paths_of_a_thread_add_up(void)
{
	static const char map[] =
	    FAKE_MAP "thread w -process p\n"
		     "thread r -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "element f -process p -type f64 -keep 16\n"
		     "path w e {{collector} {element e}} -use write\n"
		     "path w f {{collector} {element f}} -use write\n"
		     "path r e {{collector} {element e}} -use read\n"
		     "path r f {{collector} {element f}} -use read\n";
	struct fake_run *run = fake_run_create(map, 16);
	struct memory_sink *sink;

	FAKE_OP(run, 0, WRITE, 0, 10, 20);
	FAKE_OP(run, 1, WRITE, 0, 50, 60);
	FAKE_OP(run, 2, READ, 0, 5, 25);
	FAKE_OP(run, 3, READ, 0, 30, 70);
	fake_run_end(run, FAKE_RUN_ENDED);
	sink = memory_sink_compute(fake_run_dir(run), NULL, 1);
	EXPECT_STR_EQ("1|0|2|45|0|0\n", memory_sink_text(sink, "waits_for"));
	EXPECT_EQ(45, memory_sink_int(sink, "load_balance", 1, "wait_ns"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

TEST_MAIN(a_wait_is_for_the_thread_that_came_last,
    at_the_same_time_the_higher_input_is_the_culprit,
    a_breakdown_adds_up_to_the_time_exactly,
    operations_that_a_collector_lost_do_not_count,
    an_operation_that_was_repeated_counts_once,
    a_read_waits_for_the_writer_of_its_tuple,
    reads_are_matched_although_writes_were_discarded,
    a_wait_is_never_longer_than_the_operation,
    only_writes_of_certain_number_are_matched,
    a_write_to_a_full_element_waits_for_its_last_reader,
    readers_that_take_tuples_wait_and_are_waited_for,
    takes_that_were_not_recorded_are_diagnosed,
    reads_that_cannot_be_matched_are_diagnosed,
    writes_that_were_not_recorded_are_diagnosed,
    waits_on_all_paths_of_a_thread_add_up,
    time_on_two_paths_at_once_counts_once)
