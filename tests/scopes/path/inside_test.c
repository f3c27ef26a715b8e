/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/path/inside_test.c - threads that operations under way wait for
 *
 * Threads t0 and t1 are joined by low, t2 and t3 by far, and all by high, which
 * is behind a proxy.  All of them have done operation 0.
 */

#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_run.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

static const char tree_map[] =
    FAKE_MAP "thread t0 -process q\n"
	     "thread t1 -process q\n"
	     "thread t2 -process q\n"
	     "thread t3 -process q\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage low reduce -process q -op sum -type f64 -inputs 2"
	     " -next {{collector} {proxy p} {collector} {high}}\n"
	     "stage far reduce -process q -op sum -type f64 -inputs 2"
	     " -next {{collector} {proxy p} {collector} {high}}\n"
	     "stage high reduce -process p -op sum -type f64 -inputs 2"
	     " -next {{collector} {element total}}\n"
	     "path t0 total {{collector} {low}} -use exchange\n"
	     "path t1 total {{collector} {low}} -use exchange\n"
	     "path t2 total {{collector} {far}} -use exchange\n"
	     "path t3 total {{collector} {far}} -use exchange\n";

/* Collectors, in the order of the map. */
enum { LOW, LOW_FAR_SIDE, FAR, FAR_FAR_SIDE, HIGH, T0, T1, T2, T3, COUNT };

static struct fake_run *
tree_run(void)
{
	struct fake_run *run = fake_run_create(tree_map, 16);

	for (uint32_t c = 0; c < COUNT; c++) {
		uint64_t depth = c >= T0 ? 0 : c == HIGH ? 3 : 1 + c % 2;

		FAKE_OP(run, c, EXCHANGE, 0, 100 + 100 * depth,
		    1000 - 100 * depth);
	}
	return run;
}

/* Adds operation 1, at a collector; stop 0: it has not returned. */
static void
next_op(struct fake_run *run, uint32_t collector, uint64_t start, uint64_t stop)
{
	FAKE_OP(run, collector, EXCHANGE, 1, start, stop);
}

/* Checks the rows of inside_for of a run that was killed, and removes it. */
static void
expect_for(struct fake_run *run, const char *rows)
{
	struct memory_sink *sink;

	fake_run_end(run, FAKE_RUN_KILLED);
	sink = memory_sink_compute(fake_run_dir(run), "inside", 1);
	EXPECT_STR_EQ(rows, memory_sink_text(sink, "inside_for"));
	memory_sink_free(sink);
	fake_run_remove(run);
}

/* All collectors from the root to far have returned, and t2 has. */
static void
an_operation_on_its_way_back_waits_for_no_thread(void)
{
	struct fake_run *run = tree_run();

	next_op(run, T0, 2000, 0);
	next_op(run, T1, 2000, 0);
	next_op(run, T2, 2000, 3000);
	next_op(run, T3, 2000, 0);
	next_op(run, LOW, 2100, 0);
	next_op(run, FAR, 2100, 2900);
	next_op(run, LOW_FAR_SIDE, 2200, 2800);
	next_op(run, FAR_FAR_SIDE, 2200, 2800);
	next_op(run, HIGH, 2300, 2700);
	expect_for(run, "");
}

/* No other thread has begun the operation. */
static void
an_operation_waits_for_the_threads_of_its_join(void)
{
	struct fake_run *run = tree_run();

	next_op(run, T3, 2000, 0);
	expect_for(run, "3|3|2\n");
}

/* The operation of t2 and t3 is at high; that of t0 is at low. */
static void
an_operation_at_the_next_join_waits_for_threads_behind_other_joins(void)
{
	struct fake_run *run = tree_run();

	next_op(run, T0, 2000, 0);
	next_op(run, T2, 2000, 0);
	next_op(run, T3, 2000, 0);
	next_op(run, FAR, 2100, 0);
	next_op(run, FAR_FAR_SIDE, 2200, 0);
	expect_for(run, "0|0|1\n2|2|1\n3|3|1\n");
}

/* The operation of t0 and t1 is in the proxy. */
static void
an_operation_waits_for_one_that_has_not_come_to_the_join(void)
{
	struct fake_run *run = tree_run();

	for (uint32_t c = T0; c <= T3; c++)
		next_op(run, c, 2000, 0);
	next_op(run, LOW, 2100, 0);
	next_op(run, FAR, 2100, 0);
	next_op(run, FAR_FAR_SIDE, 2200, 0);
	expect_for(run, "2|2|0\n2|2|1\n3|3|0\n3|3|1\n");
}

TEST_MAIN(an_operation_on_its_way_back_waits_for_no_thread,
    an_operation_waits_for_the_threads_of_its_join,
    an_operation_at_the_next_join_waits_for_threads_behind_other_joins,
    an_operation_waits_for_one_that_has_not_come_to_the_join)
