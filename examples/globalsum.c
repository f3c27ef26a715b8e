/* SPDX-License-Identifier: MIT */
/*
 * examples/globalsum.c - repeated sums over all threads
 *
 * A minimal program that only communicates: every thread exchanges on
 * `total`, which returns the sum over all threads.  The map decides where
 * threads join and the type of the sum: i64 or f64, one value or many.  Every
 * sum is checked.
 */

#include "examples/options.h"
#include "examples/team.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct sum_job {
	uint32_t sums;
	uint32_t compute_us;
	uint32_t uneven; /* percent that one thread computes more */
};

/* A tuple of `total`; the map decides on its type. */
union sum_values {
	int64_t *i64;
	double *f64;
	void *tuple;
};

/*
 * Returns the value that a thread, counted from 1, adds to place n of sum k.
 * Consecutive sums differ, and the sum over all threads has a closed form.
 * All values stay below 2^53, where doubles are exact.
 */
static int64_t
summand(uint64_t thread, uint32_t k, uint32_t n)
{
	return (int64_t)(thread * (k % 1000 + 1) + n);
}

/* Returns place n of sum k over `count` threads. */
static int64_t
expected_sum(uint64_t count, uint32_t k, uint32_t n)
{
	return (int64_t)(count * (count + 1) / 2 * (k % 1000 + 1) + count * n);
}

/* Computes for a duration of processor time of this thread. */
static void
compute(uint32_t us)
{
	struct timespec now;
	int64_t ns, end_ns = 0;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
		if (end_ns == 0)
			end_ns = ns + (int64_t)us * 1000;
	} while (ns < end_ns);
}

/* Takes part in sum k and checks the result. */
static void
sum_once(struct team_member *me, struct paths_path *total,
    union sum_values values, uint32_t k)
{
	const struct paths_type *type = paths_path_type(total);
	bool integer = type->kind == PATHS_TYPE_I64;

	for (uint32_t n = 0; n < type->count; n++)
		if (integer)
			values.i64[n] = summand(me->number + 1, k, n);
		else
			values.f64[n] = (double)summand(me->number + 1, k, n);
	team_check(me, total,
	    paths_path_exchange(total, values.tuple, type->bytes));
	for (uint32_t n = 0; n < type->count; n++) {
		int64_t want = expected_sum(me->count, k, n);
		double got = integer ? (double)values.i64[n] : values.f64[n];

		if (got != (double)want)
			team_fail(me, "sum %" PRIu32 " is %.17g, not %" PRId64,
			    k, got, want);
	}
}

static void
sum_all(struct team_member *me)
{
	const struct sum_job *job = me->job;
	struct paths_path *total = team_open(me, "total");
	const struct paths_type *type = paths_path_type(total);
	union sum_values values = { .tuple = calloc(1, type->bytes) };
	uint32_t compute_us = job->compute_us;
	double began_s, took_s;

	if (me->number == 1)
		compute_us +=
		    (uint32_t)((uint64_t)compute_us * job->uneven / 100);
	if (values.tuple == NULL)
		team_fail(me, "no memory for a tuple");
	if (type->kind != PATHS_TYPE_I64 && type->kind != PATHS_TYPE_F64)
		team_fail(me, "element total is neither i64 nor f64");
	/* The first sum waits until all threads have started; not timed. */
	sum_once(me, total, values, 0);
	began_s = team_clock_s();
	for (uint32_t k = 1; k <= job->sums; k++) {
		paths_thread_step(me->thread, k);
		if (compute_us > 0)
			compute(compute_us);
		sum_once(me, total, values, k);
	}
	took_s = team_clock_s() - began_s;
	/* A last sum: it returns when every thread has checked all sums. */
	sum_once(me, total, values, job->sums + 1);
	if (me->number == 0)
		printf("globalsum: %" PRIu32 " threads, %" PRIu32
		       " sums, all exact\n"
		       "globalsum: %.0f sums/s, %.2f us a sum\n",
		    me->count, job->sums, job->sums / took_s,
		    took_s * 1e6 / job->sums);
	free(values.tuple);
}

int
main(int argc, char **argv)
{
	struct sum_job job = { .sums = 10000 };
	const struct options_row rows[] = {
		{ "--sums", &job.sums, 1, UINT32_MAX - 1, NULL,
		    "number of sums" },
		{ "--compute", &job.compute_us, 0, 1000000, NULL,
		    "computation before each sum, in us" },
		{ "--uneven", &job.uneven, 0, 1000, NULL,
		    "percent that the second thread computes more" },
		{ NULL, NULL, 0, 0, NULL, NULL },
	};

	(void)argc;
	options_parse(argv, "Adds up one number of each thread, many times.",
	    rows);
	team_run("globalsum", sum_all, &job);
	return EXIT_SUCCESS;
}
