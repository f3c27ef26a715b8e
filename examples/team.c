/* SPDX-License-Identifier: MIT */
/*
 * examples/team.c - one pthread for each thread of the process
 */

#include "examples/team.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* A pthread, with its arguments. */
struct team_worker {
	struct team_member me;
	struct paths_program *program;
	team_work *work;
	pthread_t id;
};

static const char *team_name; /* written once, before threads are started */

/*
 * Prints "windtunnel: thread t3: WHY" and ends the process.  Only the first
 * thread that fails prints its message.
 */
static _Noreturn void
fail(const struct team_member *me, const char *why)
{
	static atomic_flag printed = ATOMIC_FLAG_INIT;

	/* All other threads wait here for the end of the process. */
	while (atomic_flag_test_and_set(&printed))
		pause();
	if (me != NULL)
		fprintf(stderr, "%s: thread t%" PRIu32 ": %s\n", team_name,
		    me->number, why);
	else
		fprintf(stderr, "%s: %s\n", team_name, why);
	/* exit would run handlers while the other threads are working. */
	_exit(EXIT_FAILURE);
}

void
team_fail(const struct team_member *me, const char *fmt, ...)
{
	char why[PATHS_LOG_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	fail(me, why);
}

void
team_check(const struct team_member *me, const struct paths_path *path,
    paths_status st)
{
	if (st != PATHS_OK)
		fail(me, paths_path_why(path));
}

struct paths_path *
team_open(const struct team_member *me, const char *element, ...)
{
	struct paths_path *path;
	char name[64];
	va_list args;

	va_start(args, element);
	vsnprintf(name, sizeof(name), element, args);
	va_end(args);
	if (paths_path_open(me->thread, name, &path) != PATHS_OK)
		fail(me, paths_log_last());
	return path;
}

double
team_clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *
worker_main(void *arg)
{
	struct team_worker *worker = arg;
	char name[16];

	snprintf(name, sizeof(name), "t%" PRIu32, worker->me.number);
	if (paths_thread_open(worker->program, name, &worker->me.thread) !=
	    PATHS_OK)
		fail(&worker->me, paths_log_last());
	worker->work(&worker->me);
	paths_thread_close(worker->me.thread);
	return NULL;
}

/* Starts thread tN if it is in this process; returns whether it is. */
static bool
worker_start(struct team_worker *worker, uint32_t number)
{
	const struct paths_map *map = paths_program_map(worker->program);
	uint32_t index;
	char name[16];

	snprintf(name, sizeof(name), "t%" PRIu32, number);
	index = paths_map_find_thread(map, name);
	if (index == PATHS_NONE)
		team_fail(NULL,
		    "%s: thread %s is missing; expected t0 to t%" PRIu32,
		    map->file, name, map->thread_count - 1);
	if (map->threads[index].process !=
	    paths_program_process(worker->program))
		return false;
	worker->me.number = number;
	worker->me.count = map->thread_count;
	if (pthread_create(&worker->id, NULL, worker_main, worker) != 0)
		team_fail(&worker->me, "cannot be started");
	return true;
}

void
team_run(const char *name, team_work *work, const void *job)
{
	struct paths_program *program;
	struct team_worker *workers;
	uint32_t count, started = 0;

	team_name = name;
	paths_log_name(name);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		fail(NULL, paths_log_last());
	count = paths_program_map(program)->thread_count;
	workers = calloc(count + 1, sizeof(*workers));
	if (workers == NULL)
		fail(NULL, "no memory for threads");
	for (uint32_t number = 0; number < count; number++) {
		struct team_worker *worker = &workers[started];

		worker->program = program;
		worker->work = work;
		worker->me.job = job;
		started += worker_start(worker, number);
	}
	while (started > 0)
		pthread_join(workers[--started].id, NULL);
	free(workers);
	paths_program_close(program);
}
