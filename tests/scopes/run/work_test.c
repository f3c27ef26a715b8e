/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/work_test.c - work runs on all cores, with results in order
 */

#include "scopes/run/work_private.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdatomic.h>
#include <time.h>

enum { COUNT = 500, FAILS_AT = 123 };

struct work_job {
	_Atomic size_t worked;
	size_t done;
	bool fails;
};

static paths_status
job_work(void *context, size_t item, void *result)
{
	struct work_job *job = context;

	*(uint64_t *)result = item * item;
	atomic_fetch_add(&job->worked, 1);
	if (job->fails && item == FAILS_AT)
		return paths_log_fail(PATHS_ERANGE, "item %zu", item);
	return PATHS_OK;
}

static paths_status
job_done(void *context, size_t item, void *result)
{
	struct work_job *job = context;

	EXPECT_EQ(job->done, item);
	EXPECT_EQ(item * item, *(uint64_t *)result);
	EXPECT_TRUE(atomic_load(&job->worked) <= item + 9);
	job->done++;
	return PATHS_OK;
}

static paths_status
job_run(struct work_job *job, size_t count, unsigned threads)
{
	struct es__work work = { .count = count,
		.result_bytes = sizeof(uint64_t),
		.context = job,
		.work = job_work,
		.done = job_done };

	return es__work_run(&work, threads);
}

static void
results_come_in_order_and_no_thread_runs_ahead(void)
{
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct work_job job = { 0 };

		EXPECT_OK(job_run(&job, COUNT, threads));
		EXPECT_EQ(COUNT, job.done);
		EXPECT_EQ(COUNT, atomic_load(&job.worked));
	}
}

static void
the_first_failure_in_order_ends_the_work(void)
{
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct work_job job = { .fails = true };

		EXPECT_EQ(PATHS_ERANGE, job_run(&job, COUNT, threads));
		EXPECT_STR_EQ("item 123", paths_log_last());
		EXPECT_EQ(FAILS_AT, job.done);
		EXPECT_TRUE(atomic_load(&job.worked) <= FAILS_AT + 8);
	}
}

/* Waits until another item is worked on at the same time, or 20 seconds. */
static paths_status
meet_work(void *context, size_t item, void *result)
{
	_Atomic int *working = context;
	struct timespec pause = { .tv_nsec = 1000000 };

	(void)item;
	*(uint64_t *)result = 0;
	atomic_fetch_add(working, 1);
	for (int n = 0; n < 20000; n++) {
		if (atomic_load(working) > 1)
			return PATHS_OK;
		nanosleep(&pause, NULL);
	}
	return paths_log_fail(PATHS_ETIMEDOUT, "alone");
}

static void
threads_work_at_the_same_time(void)
{
	_Atomic int working = 0;
	struct es__work work = { .count = 2,
		.result_bytes = sizeof(uint64_t),
		.context = &working,
		.work = meet_work };

	EXPECT_OK(es__work_run(&work, 2));
}

static void
zero_items_are_done_at_once(void)
{
	struct work_job job = { 0 };

	EXPECT_OK(job_run(&job, 0, 4));
}

TEST_MAIN(results_come_in_order_and_no_thread_runs_ahead,
    the_first_failure_in_order_ends_the_work, threads_work_at_the_same_time,
    zero_items_are_done_at_once)
