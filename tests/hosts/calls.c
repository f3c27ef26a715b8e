/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/calls.c - writes on all paths of its thread, again and again
 *
 *	calls COUNT PAUSE_US
 *
 * Each of COUNT rounds writes a tuple on each path, in the order of the map,
 * and then sleeps for PAUSE_US times a number from 0.5 to 1.5.  A process
 * without a thread serves the others.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PATHS_MOST 8u

static _Noreturn void
calls_fail(const char *why)
{
	fprintf(stderr, "calls: %s\n", why);
	exit(EXIT_FAILURE);
}

/* Returns a number from 0.5 to 1.5. */
static double
calls_draw(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return 0.5 + (*state >> 8) * 0x1p-24;
}

static void
calls_pause(double us)
{
	struct timespec left = { .tv_sec = (time_t)(us / 1e6) };

	left.tv_nsec = (long)((us - (double)left.tv_sec * 1e6) * 1e3);
	nanosleep(&left, NULL);
}

/* Opens the paths of a thread; returns their number. */
static unsigned
calls_open(const struct paths_map *map, uint32_t number,
    struct paths_thread *thread, struct paths_path **paths)
{
	unsigned count = 0;

	for (uint32_t p = 0; p < map->path_count; p++) {
		if (map->paths[p].thread != number || count == PATHS_MOST)
			continue;
		if (paths_path_open(thread, map->paths[p].element_name,
			&paths[count++]) != PATHS_OK)
			calls_fail(paths_log_last());
	}
	return count;
}

static void
calls_run(struct paths_path *const *paths, unsigned count, long rounds,
    double pause_us, uint32_t state)
{
	void *tuple = calloc(1, paths_path_type(paths[0])->bytes);

	if (tuple == NULL)
		calls_fail("no memory for a tuple");
	for (long n = 0; n < rounds; n++) {
		for (unsigned p = 0; p < count; p++)
			if (paths_path_write(paths[p], tuple,
				paths_path_type(paths[p])->bytes) != PATHS_OK)
				calls_fail(paths_path_why(paths[p]));
		calls_pause(pause_us * calls_draw(&state));
	}
	free(tuple);
}

int
main(int argc, char **argv)
{
	struct paths_path *paths[PATHS_MOST];
	const struct paths_map *map;
	struct paths_program *program;
	struct paths_thread *thread;
	uint32_t number = 0, process;

	if (argc != 3)
		calls_fail("usage: calls COUNT PAUSE_US");
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		calls_fail(paths_log_last());
	map = paths_program_map(program);
	process = paths_program_process(program);
	while (number < map->thread_count &&
	    map->threads[number].process != process)
		number++;
	if (number < map->thread_count) {
		unsigned count;

		if (paths_thread_open(program, map->threads[number].name,
			&thread) != PATHS_OK)
			calls_fail(paths_log_last());
		count = calls_open(map, number, thread, paths);
		calls_run(paths, count, strtol(argv[1], NULL, 10),
		    strtod(argv[2], NULL), process + 1);
		paths_thread_close(thread);
	}
	paths_program_close(program);
	return EXIT_SUCCESS;
}
