/* SPDX-License-Identifier: MIT */
/*
 * examples/globalsum.c - all threads add up a number each, again and again
 *
 * The smallest program that is all communication: every thread exchanges on
 * `total`, and what comes back is the sum over all threads.  Which threads
 * meet where on the way is the map's business; the type, i64 or f64, one
 * value or many, is the map's too.  Every sum is checked.
 */

#include "examples/options.h"
#include "examples/team.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct job {
	uint32_t sums;
	uint32_t compute_us;
};

/* A tuple of `total`, as the map says it is made. */
union values {
	int64_t *i64;
	double *f64;
	void *tuple;
};

/*
 * What thread `who`, counted from 1, puts into place n of sum k.  Added over
 * all threads that is a closed form, and no two sums in a row are the same.
 * It stays below 2^53, where doubles are exact.
 */
static int64_t
share(uint64_t who, uint32_t k, uint32_t n)
{
	return (int64_t)(who * (k % 1000 + 1) + n);
}

static int64_t
share_of_all(uint64_t count, uint32_t k, uint32_t n)
{
	return (int64_t)(count * (count + 1) / 2 * (k % 1000 + 1) + count * n);
}

/* Work of one's own: so much time of the processor, whoever else has it. */
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

/* Take part in sum k and look at what came back. */
static void
sum_once(struct team_member *me, struct paths_path *total, union values values,
    uint32_t k)
{
	const struct paths_type *type = paths_path_type(total);
	bool whole = type->kind == PATHS_TYPE_I64;

	for (uint32_t n = 0; n < type->count; n++)
		if (whole)
			values.i64[n] = share(me->number + 1, k, n);
		else
			values.f64[n] = (double)share(me->number + 1, k, n);
	team_check(me, total,
	    paths_path_exchange(total, values.tuple, type->bytes));
	for (uint32_t n = 0; n < type->count; n++) {
		int64_t want = share_of_all(me->count, k, n);
		double got = whole ? (double)values.i64[n] : values.f64[n];

		if (got != (double)want)
			team_fail(me, "sum %" PRIu32 " is %.17g, not %" PRId64,
			    k, got, want);
	}
}

static void
sum_all(struct team_member *me)
{
	const struct job *job = me->job;
	struct paths_path *total = team_open(me, "total");
	const struct paths_type *type = paths_path_type(total);
	union values values = { .tuple = calloc(1, type->bytes) };
	double began_s, took_s;

	if (values.tuple == NULL)
		team_fail(me, "no memory for a tuple");
	if (type->kind != PATHS_TYPE_I64 && type->kind != PATHS_TYPE_F64)
		team_fail(me, "element total is neither i64 nor f64");
	/* The first sum waits for everybody to be there: it is not timed. */
	sum_once(me, total, values, 0);
	began_s = team_clock_s();
	for (uint32_t k = 1; k <= job->sums; k++) {
		paths_thread_step(me->thread, k);
		if (job->compute_us > 0)
			compute(job->compute_us);
		sum_once(me, total, values, k);
	}
	took_s = team_clock_s() - began_s;
	/* Nobody comes to this one who has not found all others right. */
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
	struct job job = { .sums = 10000, .compute_us = 0 };
	const struct options_row rows[] = {
		{ "--sums", &job.sums, 1, UINT32_MAX - 1, NULL,
		    "how many sums" },
		{ "--compute", &job.compute_us, 0, 1000000, NULL,
		    "us of work before each" },
		{ NULL, NULL, 0, 0, NULL, NULL },
	};

	(void)argc;
	options_parse(argv,
	    "All threads add up a number each, again and again.", rows);
	team_run("globalsum", sum_all, &job);
	return EXIT_SUCCESS;
}
