/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/path/merge_test.c - proves scopes/path/merge.c
 */

#include "scopes/path/merge_private.h"

#include "tests/scopes/fake_op.h"

#include "tests/test.h"

#define FEEDS 5
#define ROUNDS 4

static const char merge_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "thread t3 -process p\n"
	     "thread t4 -process p\n"
	     "element e -process p -type f64 -keep 16\n"
	     "path t0 e {{collector} {element e}} -use write\n"
	     "path t1 e {{collector} {element e}} -use write\n"
	     "path t2 e {{collector} {element e}} -use write\n"
	     "path t3 e {{collector} {element e}} -use write\n"
	     "path t4 e {{collector} {element e}} -use write\n";

/* In each round all collectors have a tuple at the same time. */
static void
equal_times_come_in_the_order_of_feeds(void)
{
	struct fake_run *fake = fake_run_create(merge_map, 16);
	struct es__merge merge;
	struct es_analysis *analysis;
	struct es_run *run;

	for (uint32_t c = 0; c < FEEDS; c++)
		for (uint32_t seq = 0; seq < ROUNDS; seq++)
			FAKE_OP(fake, c, WRITE, seq, 100 * seq, 100 * seq + 50);
	fake_run_end(fake, FAKE_RUN_ENDED);
	EXPECT_OK(es_run_open(fake_run_dir(fake), &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	for (int by_stop = 0; by_stop < 2; by_stop++) {
		EXPECT_OK(es__merge_open(&merge, FEEDS));
		merge.by_stop = by_stop;
		for (uint32_t c = 0; c < FEEDS; c++)
			es__merge_add(&merge, analysis, c);
		for (uint32_t n = 0; n < ROUNDS * FEEDS; n++) {
			const struct es__feed *feed = es__merge_next(&merge);

			EXPECT_TRUE(feed == &merge.feeds[n % FEEDS]);
			EXPECT_EQ(n / FEEDS, feed->lane.at);
		}
		EXPECT_TRUE(es__merge_next(&merge) == NULL);
		es__merge_close(&merge);
	}
	es_analysis_close(analysis);
	es_run_close(run);
	fake_run_remove(fake);
}

TEST_MAIN(equal_times_come_in_the_order_of_feeds)
