/* SPDX-License-Identifier: MIT */
/*
 * examples/farm.c - a master and its workers
 *
 * Thread t0 writes tasks to `task`, whose tuples are read by one worker each,
 * and reads their results from `result`.  The other threads are the workers.
 * A task is a number, and its result is the square.  The last worker may be
 * slower than the others.
 */

#include "examples/options.h"
#include "examples/team.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A task that ends a worker. */
#define FARM_END INT64_C(-1)

struct farm_job {
	uint32_t tasks;
	uint32_t ahead; /* number of tasks without a result, at most */
	uint32_t task_us;
	uint32_t slow; /* factor for the time of the last worker */
};

static int64_t
farm_read(const struct team_member *me, struct paths_path *path)
{
	int64_t number;

	team_check(me, path, paths_path_read(path, &number, sizeof(number)));
	return number;
}

static void
farm_write(const struct team_member *me, struct paths_path *path,
    int64_t number)
{
	team_check(me, path, paths_path_write(path, &number, sizeof(number)));
}

static void
farm_master(const struct team_member *me, struct paths_path *task,
    struct paths_path *result)
{
	const struct farm_job *job = me->job;
	int64_t sum = 0, n = job->tasks - 1;
	double began_s = team_clock_s();

	for (uint32_t k = 0; k < job->tasks; k++) {
		if (k >= job->ahead)
			sum += farm_read(me, result);
		farm_write(me, task, k);
	}
	for (uint32_t k = job->tasks; k > 0 && k + job->ahead > job->tasks; k--)
		sum += farm_read(me, result);
	for (uint32_t worker = 1; worker < me->count; worker++)
		farm_write(me, task, FARM_END);
	if (sum != n * (n + 1) * (2 * n + 1) / 6)
		team_fail(me, "the sum of all results is %" PRId64, sum);
	printf("farm: %" PRIu32 " workers, %" PRIu32 " tasks, %.0f tasks/s\n",
	    me->count - 1, job->tasks, job->tasks / (team_clock_s() - began_s));
}

/* Spends the time of a task.  A worker sleeps, so that the farm behaves alike
   on any number of cores. */
static void
farm_work(uint64_t us)
{
	struct timespec time = { .tv_sec = (time_t)(us / 1000000),
		.tv_nsec = (long)(us % 1000000) * 1000 };

	if (us > 0)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static void
farm_worker(const struct team_member *me, struct paths_path *task,
    struct paths_path *result)
{
	const struct farm_job *job = me->job;
	bool last = me->number == me->count - 1;
	int64_t number;

	while ((number = farm_read(me, task)) != FARM_END) {
		farm_work((uint64_t)job->task_us * (last ? job->slow : 1));
		farm_write(me, result, number * number);
	}
}

static void
farm_take_part(struct team_member *me)
{
	struct paths_path *task = team_open(me, "task");
	struct paths_path *result = team_open(me, "result");

	if (me->count < 2)
		team_fail(me, "a farm needs two threads or more");
	if (me->number == 0)
		farm_master(me, task, result);
	else
		farm_worker(me, task, result);
}

int
main(int argc, char **argv)
{
	struct farm_job job = { .tasks = 300,
		.ahead = 6,
		.task_us = 1000,
		.slow = 1 };
	const struct options_row rows[] = {
		{ "--tasks", &job.tasks, 1, 1000000, NULL, "number of tasks" },
		{ "--ahead", &job.ahead, 1, 1000, NULL,
		    "most tasks without a result" },
		{ "--task", &job.task_us, 0, 10000000, NULL,
		    "time of a task, in us" },
		{ "--slow", &job.slow, 1, 1000, NULL,
		    "factor for the time of the last worker" },
		{ NULL, NULL, 0, 0, NULL, NULL },
	};

	(void)argc;
	options_parse(argv, "Lets workers square numbers for a master.", rows);
	team_run("farm", farm_take_part, &job);
	return EXIT_SUCCESS;
}
