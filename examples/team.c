/* SPDX-License-Identifier: MIT */
/*
 * examples/team.c - one pthread for each thread that the map puts here
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

/* What a pthread is started with. */
struct seat {
	struct team_member me;
	struct paths_program *program;
	team_work *work;
	pthread_t id;
};

static const char *team_name; /* written once, before threads are started */

/* Write "windtunnel: thread t3: why", if nobody of this process did yet. */
static _Noreturn void
fail(const struct team_member *me, const char *why)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	/* Whoever comes second waits here for the end of the process. */
	while (atomic_flag_test_and_set(&said))
		pause();
	if (me != NULL)
		fprintf(stderr, "%s: thread t%" PRIu32 ": %s\n", team_name,
		    me->number, why);
	else
		fprintf(stderr, "%s: %s\n", team_name, why);
	/* Not exit: the other threads are in the midst of their work. */
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
seat_main(void *arg)
{
	struct seat *seat = arg;
	char name[16];

	snprintf(name, sizeof(name), "t%" PRIu32, seat->me.number);
	if (paths_thread_open(seat->program, name, &seat->me.thread) !=
	    PATHS_OK)
		fail(&seat->me, paths_log_last());
	seat->work(&seat->me);
	paths_thread_close(seat->me.thread);
	return NULL;
}

/* Start thread tN if this process has it. */
static bool
seat_start(struct seat *seat, uint32_t number)
{
	const struct paths_map *map = paths_program_map(seat->program);
	uint32_t index;
	char name[16];

	snprintf(name, sizeof(name), "t%" PRIu32, number);
	index = paths_map_find_thread(map, name);
	if (index == PATHS_NONE)
		team_fail(NULL, "%s: thread %s is missing of %" PRIu32,
		    map->file, name, map->thread_count);
	if (map->threads[index].process != paths_program_process(seat->program))
		return false;
	seat->me.number = number;
	seat->me.count = map->thread_count;
	if (pthread_create(&seat->id, NULL, seat_main, seat) != 0)
		team_fail(&seat->me, "cannot be started");
	return true;
}

void
team_run(const char *name, team_work *work, const void *job)
{
	struct paths_program *program;
	struct seat *seats;
	uint32_t count, here = 0;

	team_name = name;
	paths_log_name(name);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		fail(NULL, paths_log_last());
	count = paths_program_map(program)->thread_count;
	seats = calloc(count + 1, sizeof(*seats));
	if (seats == NULL)
		fail(NULL, "no memory for its threads");
	for (uint32_t number = 0; number < count; number++) {
		struct seat *seat = &seats[here];

		seat->program = program;
		seat->work = work;
		seat->me.job = job;
		here += seat_start(seat, number);
	}
	while (here > 0)
		pthread_join(seats[--here].id, NULL);
	free(seats);
	paths_program_close(program);
}
