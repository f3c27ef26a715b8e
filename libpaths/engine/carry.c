/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/carry.c - waits for the operations of a thread and runs their
 * remaining passes
 *
 * The thread that began an operation also runs the passes that follow a wait.
 * It may have several operations under way, each on its own path.  One of them
 * may be the carrier of the others in a join, so the thread runs the passes of
 * all of them while it waits for one.
 */

#include "libpaths/engine/carry_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/engine/program_private.h"

#include <pthread.h>

#define CARRY_RETRY_NS 1000000u
#define CARRY_ANY_NS 16000u /* the first wait for one of several operations */

/* Takes the operation out of the stage in which it is parked, and ends it.
   Returns false when the stage did not give it back. */
static bool
carry_expire(struct paths_path *path, paths_status st, const char *why)
{
	struct paths_op *op = &path->op;
	const struct paths__link *link = paths__op_at(op);

	if (op->due == 0 && !paths__op_take_out(path, link))
		return false;
	paths_op_fail(op, st, "%s", why);
	paths__op_up_from(path, link);
	path->parked = false;
	return true;
}

/* Continues with the stage below a link. */
static void
carry_on(struct paths_path *path, const struct paths__link *at)
{
	path->parked = !paths__op_down(path, at->next);
}

/* Waits for the parked operation and runs the pass that follows.  Returns
   false when the time `until`, in ticks, passed first. */
static bool
carry_wait(struct paths_path *path, uint64_t until)
{
	struct paths_op *op = &path->op;
	const struct paths__link *at = paths__op_at(op);
	uint32_t how;

	if (path->thread->dirty)
		path->program->net->flush(path->thread);
	if (op->due != 0) {
		paths__wait_until(op->due < until ? op->due : until);
		if (op->due > until)
			return false;
		op->due = 0;
		carry_on(path, at);
		return true;
	}
	if (!paths__wait_op(op, until))
		return false;
	op->wake = NULL;
	op->pump = NULL;
	/* Relaxed: paths__wait_op has acquired what the resumer wrote. */
	how = atomic_load_explicit(&op->done, memory_order_relaxed);
	atomic_store_explicit(&op->done, PATHS__PENDING, memory_order_relaxed);
	if (how == PATHS__ON) {
		carry_on(path, at);
	} else {
		paths__op_up_from(path, at);
		path->parked = false;
	}
	return true;
}

/* Returns the time of the next check of the thread's other operations, or of
   the next attempt to take out an operation that its stage did not give back,
   because it is being resumed or waits in a complete generation of a join. */
static uint64_t
carry_retry(void)
{
	return paths_clock_ticks() + paths_clock_ns_to_ticks(CARRY_RETRY_NS);
}

/* Runs the passes of the thread's other operations without waiting.  Returns
   true while one of them is parked. */
static bool
carry_others(const struct paths_path *path)
{
	const struct paths_thread *thread = path->thread;
	uint64_t now = paths_clock_ticks();
	bool parked = false;

	for (uint32_t i = 0; i < thread->path_count; i++) {
		struct paths_path *p = thread->paths[i];

		if (p == path || !p->parked)
			continue;
		(void)carry_wait(p, now);
		parked = parked || p->parked;
	}
	return parked;
}

/* Ends an operation whose deadline has passed, if its stage gives it back. */
static void
carry_check_deadline(struct paths_path *path)
{
	if (path->parked && path->op.deadline != UINT64_MAX &&
	    paths_clock_ticks() >= path->op.deadline)
		(void)carry_expire(path, PATHS_ETIMEDOUT, "deadline passed");
}

/* Waits until the operation is resumed once, or ends it at its deadline. */
static void
carry_step(struct paths_path *path)
{
	uint64_t until = path->op.deadline;
	/* Relaxed: a stale value only costs one check of the others, because
	   carry_wait returns at once for a resumed operation. */
	bool others = path->thread->started > 1 &&
	    atomic_load_explicit(&path->op.done, memory_order_relaxed) <
		PATHS__UP;

	while (others && carry_retry() < until) {
		if (carry_wait(path, carry_retry()))
			return;
		others = carry_others(path);
	}
	if (carry_wait(path, until))
		return;
	while (!carry_expire(path, PATHS_ETIMEDOUT, "deadline passed") &&
	    !carry_wait(path, carry_retry()))
		(void)carry_others(path);
}

/*
 * Cancellation of the thread is off during the wait.  The stage that has the
 * operation holds a pointer to it, and the tuple may be on the stack of the
 * thread, so the thread must not end before the operation does.
 */
void
paths__carry_finish(struct paths_path *path)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	/* Relaxed: hints for paths__path_end of another thread. */
	atomic_store_explicit(&path->waiting, true, memory_order_relaxed);
	while (path->parked)
		carry_step(path);
	atomic_store_explicit(&path->waiting, false, memory_order_relaxed);
	pthread_setcancelstate(before, NULL);
}

void
paths__carry_try(struct paths_path *path)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (!carry_wait(path, paths_clock_ticks()))
		(void)carry_others(path);
	carry_check_deadline(path);
	pthread_setcancelstate(before, NULL);
}

static bool
carry_is_started(const struct paths_path *path)
{
	return paths__path_state(path) == PATHS__PATH_STARTED;
}

uint32_t
paths__carry_ended(struct paths_path *const *paths, uint32_t count)
{
	uint32_t n = 0;

	while (n < count && (!carry_is_started(paths[n]) || paths[n]->parked))
		n++;
	return n;
}

/* Waits for the first of the started operations, and runs passes of all. */
static void
carry_any_step(struct paths_path *const *paths, uint32_t count, uint64_t ns)
{
	uint64_t until = paths_clock_ticks() + paths_clock_ns_to_ticks(ns);
	uint32_t first = 0;

	while (!carry_is_started(paths[first]))
		first++;
	(void)carry_wait(paths[first], until);
	(void)carry_others(paths[first]);
	for (uint32_t n = first; n < count; n++)
		if (carry_is_started(paths[n]))
			carry_check_deadline(paths[n]);
}

/* Sets `waiting` of the paths with an operation. */
static void
carry_mark(struct paths_path *const *paths, uint32_t count, bool waiting)
{
	/* Relaxed: see paths__carry_finish. */
	for (uint32_t n = 0; n < count; n++)
		if (carry_is_started(paths[n]))
			atomic_store_explicit(&paths[n]->waiting, waiting,
			    memory_order_relaxed);
}

void
paths__carry_any(struct paths_path *const *paths, uint32_t count)
{
	uint64_t ns = CARRY_ANY_NS;
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	carry_mark(paths, count, true);
	while (paths__carry_ended(paths, count) == count) {
		carry_any_step(paths, count, ns);
		ns = ns < CARRY_RETRY_NS ? ns * 2 : CARRY_RETRY_NS;
	}
	carry_mark(paths, count, false);
	pthread_setcancelstate(before, NULL);
}

void
paths__carry_cancel(struct paths_path *path, paths_status st, const char *why)
{
	while (path->parked && !carry_expire(path, st, why))
		if (!carry_wait(path, carry_retry()))
			(void)carry_others(path);
}
