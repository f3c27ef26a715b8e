/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/list.c - the programs that this process has open
 *
 * In a child of fork(2), the programs of the parent stay in the list, marked as
 * forked.  All functions refuse them, so the child writes neither into the
 * event spaces nor into the connections of its parent.  Their memory is not
 * freed, because stages share locks and memory with the parent.
 */

#include "libpaths/program/list_private.h"

#include "libpaths/engine/path_private.h"
#include "libpaths/log.h"
#include "libpaths/net/descriptor_private.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct paths_program *list_first; /* under list_lock */

static pthread_once_t list_once = PTHREAD_ONCE_INIT;
static pthread_key_t list_key; /* see paths__list_watch_thread */
static bool list_has_handlers; /* written by list_prepare */

/* --- fork ---------------------------------------------------------------- */

static void
list_before_fork(void)
{
	pthread_mutex_lock(&list_lock);
	paths__descriptor_prepare();
}

static void
list_after_fork(void)
{
	paths__descriptor_parent();
	pthread_mutex_unlock(&list_lock);
}

static void
list_fork(struct paths_program *program)
{
	program->forked = true;
	if (!program->complete)
		return;
	for (uint32_t i = 0; i < program->map->thread_count; i++)
		for (uint32_t k = 0; k < program->threads[i].path_count; k++)
			paths__path_set_state(program->threads[i].paths[k],
			    PATHS__PATH_FORKED);
}

static void
list_in_child(void)
{
	for (struct paths_program *p = list_first; p; p = p->next)
		list_fork(p);
	paths__descriptor_child();
	pthread_mutex_unlock(&list_lock);
}

/* --- the end of a thread ------------------------------------------------- */

static void
list_end_thread(void *end)
{
	pthread_mutex_lock(&list_lock);
	for (struct paths_program *p = list_first; p; p = p->next)
		if (p->complete && !p->forked)
			(*(paths__list_end_fn *const *)end)(p);
	pthread_mutex_unlock(&list_lock);
}

void
paths__list_watch_thread(paths__list_end_fn *const *end)
{
	/* Without memory, the threads stay open until the program closes. */
	(void)pthread_setspecific(list_key, end);
}

/* --- the list ------------------------------------------------------------ */

static void
list_prepare(void)
{
	list_has_handlers =
	    pthread_key_create(&list_key, list_end_thread) == 0 &&
	    pthread_atfork(list_before_fork, list_after_fork, list_in_child) ==
		0;
}

static bool
list_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
list_is_same(const struct paths_program *a, const struct paths_program *b)
{
	return strcmp(a->map->processes[a->process].name,
		   b->map->processes[b->process].name) == 0 &&
	    list_same_text(a->run, b->run);
}

static paths_status
list_add_locked(struct paths_program *program)
{
	for (const struct paths_program *p = list_first; p; p = p->next)
		if (!p->forked && list_is_same(p, program))
			return paths_log_fail(PATHS_EBUSY,
			    "this process has process %s%s%s open already",
			    p->map->processes[p->process].name,
			    p->run ? " of " : "", p->run ? p->run : "");
	program->next = list_first;
	list_first = program;
	return PATHS_OK;
}

paths_status
paths__list_add(struct paths_program *program)
{
	paths_status st;

	pthread_once(&list_once, list_prepare);
	if (!list_has_handlers)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for handlers of fork");
	program->pid = getpid();
	pthread_mutex_lock(&list_lock);
	st = list_add_locked(program);
	pthread_mutex_unlock(&list_lock);
	return st;
}

void
paths__list_complete(struct paths_program *program)
{
	pthread_mutex_lock(&list_lock);
	program->complete = true;
	pthread_mutex_unlock(&list_lock);
}

static struct paths_program **
list_find(const struct paths_program *program)
{
	struct paths_program **p = &list_first;

	while (*p && *p != program)
		p = &(*p)->next;
	return p;
}

bool
paths__list_remove(struct paths_program *program)
{
	struct paths_program **p;
	bool found;

	pthread_mutex_lock(&list_lock);
	p = list_find(program);
	found = *p != NULL;
	if (found)
		*p = program->next;
	pthread_mutex_unlock(&list_lock);
	return found;
}

bool
paths__list_has(const struct paths_program *program)
{
	const struct paths_program *found;
	bool complete;

	pthread_mutex_lock(&list_lock);
	found = *list_find(program);
	complete = found && found->complete;
	pthread_mutex_unlock(&list_lock);
	return complete;
}
