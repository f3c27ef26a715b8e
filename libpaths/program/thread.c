/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/thread.c - the threads of a process and their paths
 */

#include "libpaths/thread.h"

#include "libpaths/engine/path_private.h"
#include "libpaths/engine/place_private.h"
#include "libpaths/log.h"
#include "libpaths/program/list_private.h"
#include "libpaths/program/thread_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Allocates the list of paths of a thread for path_count paths, and empties
   it. */
static paths_status
thread_create(struct paths_program *program, uint32_t thread)
{
	struct paths_thread *t = &program->threads[thread];

	t->program = program;
	t->thread = thread;
	t->paths = calloc(t->path_count + 1, sizeof(struct paths_path *));
	t->path_count = 0;
	if (!t->paths)
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
	program->paths[number] = path;
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
	}
}

/* Finds a thread of this process by its name. */
static paths_status
thread_find(struct paths_program *program, const char *name,
    struct paths_thread **thread)
{
	const struct paths_map *map = program->map;
	char why[PATHS_OP_WHY_BYTES];
	uint32_t i;

	if (paths__program_fork_text(program, why, sizeof(why)))
		return paths_log_fail(PATHS_EINVAL, "%s", why);
	i = paths_map_find_thread(map, name);
	if (i == PATHS_NONE || map->threads[i].process != program->process)
		return paths_log_fail(PATHS_ENOENT,
		    "process %s has no thread %s",
		    map->processes[program->process].name, name);
	*thread = &program->threads[i];
	return PATHS_OK;
}

static const char *
thread_name(const struct paths_thread *thread)
{
	return thread->program->map->threads[thread->thread].name;
}

/* Opens the paths again that a close of the thread has closed. */
static paths_status
thread_reopen_paths(struct paths_thread *thread)
{
	for (uint32_t i = 0; i < thread->path_count; i++) {
		paths_status st = paths__path_reopen(thread->paths[i]);

		if (st == PATHS_OK)
			continue;
		while (i-- > 0)
			paths__path_end(thread->paths[i]);
		return paths_log_fail(st, "thread %s: %s", thread_name(thread),
		    paths_log_last());
	}
	for (uint32_t i = 0; i < thread->path_count; i++)
		thread->paths[i]->opened = false;
	return PATHS_OK;
}

static paths_status
thread_take(struct paths_thread *thread)
{
	uint32_t owner = 0;
	paths_status st;

	/* Acquire: pairs with the release in paths_thread_close. */
	if (!atomic_compare_exchange_strong_explicit(&thread->owner, &owner,
		(uint32_t)gettid(), memory_order_acquire, memory_order_relaxed))
		return paths_log_fail(PATHS_EBUSY,
		    "thread %s is open in OS thread %u", thread_name(thread),
		    owner);
	st = thread_reopen_paths(thread);
	if (st != PATHS_OK)
		atomic_store_explicit(&thread->owner, 0, memory_order_release);
	return st;
}

/* Returns true, after a warning, when the thread waits in an operation. */
static bool
thread_is_inside(const struct paths_thread *thread)
{
	const struct paths_map *map = thread->program->map;

	for (uint32_t i = 0; i < thread->path_count; i++) {
		const struct paths_path *path = thread->paths[i];

		/* Relaxed: a caller's mistake, which may be missed. */
		if (!atomic_load_explicit(&path->waiting, memory_order_relaxed))
			continue;
		paths_log_warn("thread %s is not closed: it is inside an "
			       "operation on %s",
		    thread_name(thread), map->paths[path->path].element_name);
		return true;
	}
	return false;
}

bool
paths__thread_is_inside(const struct paths_program *program)
{
	for (uint32_t i = 0; i < program->map->thread_count; i++)
		if (thread_is_inside(&program->threads[i]))
			return true;
	return false;
}

void
paths_thread_close(struct paths_thread *thread)
{
	int before;

	if (!thread || thread->program->forked || thread_is_inside(thread))
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	for (uint32_t i = 0; i < thread->path_count; i++)
		paths__path_end(thread->paths[i]);
	/* Release: pairs with the acquire in thread_take. */
	atomic_store_explicit(&thread->owner, 0, memory_order_release);
	pthread_setcancelstate(before, NULL);
}

/* Closes the threads that the calling thread has open and leaves so. */
static void
thread_end(struct paths_program *program)
{
	uint32_t owner = (uint32_t)gettid();

	for (uint32_t i = 0; i < program->map->thread_count; i++) {
		struct paths_thread *t = &program->threads[i];

		if (atomic_load_explicit(&t->owner, memory_order_relaxed) ==
		    owner)
			paths_thread_close(t);
	}
}

static paths__list_end_fn *const thread_at_end = thread_end;

paths_status
paths_thread_open(struct paths_program *program, const char *name,
    struct paths_thread **thread)
{
	const struct paths_map *map = program->map;
	struct paths_thread *t = NULL;
	paths_status st = thread_find(program, name, &t);
	int before;

	if (st != PATHS_OK)
		return st;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	st = thread_take(t);
	if (st == PATHS_OK) {
		paths__list_watch_thread(&thread_at_end);
		if (map->threads[t->thread].core >= 0 &&
		    paths__place_bind((uint32_t)map->threads[t->thread].core) !=
			PATHS_OK)
			paths_log_warn("thread %s: %s", name, paths_log_last());
		*thread = t;
	}
	pthread_setcancelstate(before, NULL);
	return st;
}

void
paths_thread_step(struct paths_thread *thread, uint32_t step)
{
	thread->step = step;
}

paths_status
paths_thread_bind(struct paths_thread *thread, uint32_t core)
{
	/* Relaxed: only this thread stores its own number. */
	if (atomic_load_explicit(&thread->owner, memory_order_relaxed) !=
	    (uint32_t)gettid())
		return paths_log_fail(PATHS_EINVAL,
		    "thread %s: only the thread itself can bind it",
		    thread->program->map->threads[thread->thread].name);
	return paths__place_bind(core);
}
