/* SPDX-License-Identifier: MIT */
/*
 * tests/harness/sample.c - cases that hold and cases that must fail
 */

#include "tests/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static void *
expect_one(void *got)
{
	EXPECT_EQ(1, *(int *)got);
	puts("# the thread went on");
	return NULL;
}

static void
expect_elsewhere(int got)
{
	pthread_t thread;

	EXPECT_OK(pthread_create(&thread, NULL, expect_one, &got));
	EXPECT_OK(pthread_join(thread, NULL));
}

static void
holds(void)
{
	EXPECT_EQ(-1, -1);
	EXPECT_EQ(NULL, NULL);
	EXPECT_TRUE(1 + 1 == 2);
	EXPECT_STR_EQ("a", "a");
	EXPECT_STR_EQ(NULL, NULL);
	EXPECT_MEM_EQ("ab", "ac", 1);
	EXPECT_NEAR(0.1, 0.2, 0.11);
	expect_elsewhere(1);
}

static void
is_skipped(void)
{
	TEST_SKIP("to see it skipped");
}

static void
fails_eq(void)
{
	EXPECT_EQ(1, 2);
	puts("# the case went on");
}

static void
fails_true(void)
{
	EXPECT_TRUE(1 == 2);
}

static void
fails_str(void)
{
	EXPECT_STR_EQ("a", NULL);
}

static void
fails_mem(void)
{
	EXPECT_MEM_EQ("ab", "ac", 2);
}

static void
fails_near(void)
{
	EXPECT_NEAR(1.0, 2.0, 0.5);
}

static void
fails_elsewhere(void)
{
	expect_elsewhere(2);
}

static void
never_ends(void)
{
	for (;;)
		(void)pause();
}

static void
crashes(void)
{
	(void)raise(SIGILL);
}

TEST_MAIN(holds, is_skipped, fails_eq, fails_true, fails_str, fails_mem,
    fails_near, fails_elsewhere, never_ends, crashes)
