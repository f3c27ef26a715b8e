/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/thread.c - the threads of a process and their paths
 */

#include "libpaths/thread.h"

#include "libpaths/engine/path_private.h"
#include "libpaths/engine/place_private.h"
#include "libpaths/log.h"
#include "libpaths/program/thread_private.h"

#include <stdlib.h>

/* Allocates the list of paths of a thread for path_count paths, and empties
   it. */
static paths_status
thread_create(struct paths_program *program, uint32_t thread)
{
	struct paths_thread *t = &program->threads[thread];

	t->program = program;
	t->thread = thread;
	t->paths = calloc(t->path_count + 1, sizeof(struct paths_path *));
	t->opened = calloc(t->path_count + 1, sizeof(*t->opened));
	t->path_count = 0;
	if (!t->paths || !t->opened)
		return paths_log_fail(PATHS_ENOMEM, "no memory for thread %s",
		    program->map->threads[thread].name);
	return PATHS_OK;
}

paths_status
paths__thread_create_all(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; i < map->path_count; i++)
		program->threads[map->paths[i].thread].path_count++;
	/* Continues after a failure, so that each thread can be destroyed. */
	for (uint32_t i = 0; i < map->thread_count; i++) {
		if (map->threads[i].process == program->process)
			program->has_threads = true;
		if (thread_create(program, i) != PATHS_OK)
			st = PATHS_ENOMEM;
	}
	return st;
}

static paths_status
thread_build_path(struct paths_program *program, uint32_t number)
{
	const struct paths_map *map = program->map;
	const struct paths_map_path *mp = &map->paths[number];
	struct paths_thread *t = &program->threads[mp->thread];
	uint32_t first = map->chains[mp->chain].first;
	struct paths_path *path;
	paths_status st = paths__path_create(program, first, &path);

	if (st != PATHS_OK)
		return st;
	path->path = number;
	path->use = mp->use;
	path->thread = t;
	t->paths[t->path_count++] = path;
	return PATHS_OK;
}

paths_status
paths__thread_build_paths(struct paths_program *program)
{
	const struct paths_map *map = program->map;
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; i < map->path_count && st == PATHS_OK; i++)
		if (map->threads[map->paths[i].thread].process ==
		    program->process)
			st = thread_build_path(program, i);
	return st;
}

void
paths__thread_end_all(struct paths_program *program)
{
	if (!program->threads)
		return;
	for (uint32_t i = 0; i < program->map->thread_count; i++)
		for (uint32_t k = 0; k < program->threads[i].path_count; k++)
			paths__path_end(program->threads[i].paths[k]);
}

void
paths__thread_destroy_all(struct paths_program *program)
{
	if (!program->threads)
		return;
	for (uint32_t i = 0; i < program->map->thread_count; i++) {
		struct paths_thread *t = &program->threads[i];

		for (uint32_t k = 0; k < t->path_count; k++)
			paths__path_destroy(t->paths[k]);
		free(t->paths);
		free(t->opened);
	}
}

paths_status
paths_thread_open(struct paths_program *program, const char *name,
    struct paths_thread **thread)
{
	const struct paths_map *map = program->map;
	uint32_t i = paths_map_find_thread(map, name);

	if (i == PATHS_NONE || map->threads[i].process != program->process)
		return paths_log_fail(PATHS_ENOENT,
		    "process %s has no thread %s",
		    map->processes[program->process].name, name);
	if (atomic_exchange(&program->threads[i].open, true))
		return paths_log_fail(PATHS_EBUSY, "thread %s is open", name);
	if (map->threads[i].core >= 0 &&
	    paths__place_bind((uint32_t)map->threads[i].core) != PATHS_OK)
		paths_log_warn("thread %s: %s", name, paths_log_last());
	*thread = &program->threads[i];
	return PATHS_OK;
}

void
paths_thread_close(struct paths_thread *thread)
{
	if (!thread)
		return;
	for (uint32_t i = 0; i < thread->path_count; i++)
		paths__path_end(thread->paths[i]);
}

void
paths_thread_step(struct paths_thread *thread, uint32_t step)
{
	thread->step = step;
}
