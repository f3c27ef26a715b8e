/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/behind.c - sends tuples along a chain that a stage owns
 */

#include "libpaths/stages/behind_private.h"

#include "libpaths/program.h"

#include <string.h>

enum { BEHIND_STARTED, BEHIND_MET };

/* Called once by the thread that started the operation and once by the thread
   that ended it.  Returns true in the second call. */
static bool
behind_meet(struct behind *b)
{
	/* Acquire and release: the second sees what the first has written. */
	return atomic_exchange_explicit(&b->met, BEHIND_MET,
		   memory_order_acq_rel) == BEHIND_MET;
}

static void
behind_done(void *to, struct paths_op *op)
{
	struct behind *b = to;

	b->done(b, op);
	if (behind_meet(b) && b->next(b, op))
		behind_run(b);
}

paths_status
behind_open(struct behind *b, const struct paths_stage_env *env)
{
	const struct paths_map *map = paths_program_map(env->program);

	if (pthread_mutex_init(&b->lock, NULL) != 0)
		return paths_log_fail(PATHS_ENOMEM, "%s: no lock",
		    env->item->ops->name);
	b->lock_made = true;
	return paths_inner_open(env->program,
	    map->instances[env->instance].tail, behind_done, b, &b->path);
}

struct paths_op *
behind_op(const struct behind *b)
{
	return paths_inner_op(b->path);
}

void
behind_run(struct behind *b)
{
	struct paths_op *op = behind_op(b);

	do {
		/* Relaxed: no other thread is on the path. */
		atomic_store_explicit(&b->met, BEHIND_STARTED,
		    memory_order_relaxed);
		paths_inner_start(b->path, PATHS_WRITE, op->seq, op->step);
	} while (behind_meet(b) && b->next(b, op));
}

void
behind_end(struct behind *b)
{
	paths_inner_end(b->path);
}

void
behind_keep_failure(struct behind *b, const struct paths_op *op)
{
	b->failures++;
	if (b->failed != PATHS_OK)
		return;
	b->failed = op->status;
	memcpy(b->why, op->why, sizeof(b->why));
}

bool
behind_report(struct behind *b, struct paths_op *op)
{
	if (b->failed == PATHS_OK)
		return false;
	(void)paths_op_fail(op, b->failed, "%s: %s", b->subject, b->why);
	b->failed = PATHS_OK;
	return true;
}

bool
behind_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	struct behind *b = self;
	bool here;

	(void)slot;
	pthread_mutex_lock(&b->lock);
	here = b->parked == op;
	if (here)
		b->parked = NULL;
	pthread_mutex_unlock(&b->lock);
	return here;
}

void
behind_lost(void *self, const char *why)
{
	struct behind *b = self;
	bool last;

	/* Tuples that were taken are sent even when their writer is gone. */
	(void)why;
	pthread_mutex_lock(&b->lock);
	last = !b->ended && !b->sending;
	if (!b->ended && b->sending)
		paths_inner_drain(b->path);
	b->ended = true;
	pthread_mutex_unlock(&b->lock);
	if (last)
		behind_end(b);
}

paths_status
behind_reopen(void *self)
{
	struct behind *b = self;
	paths_status st = PATHS_OK;
	bool sending;

	pthread_mutex_lock(&b->lock);
	sending = b->sending;
	if (b->ended && sending) {
		paths_inner_undrain(b->path);
		b->ended = false;
	}
	pthread_mutex_unlock(&b->lock);
	/* Without the lock: no operation comes from above yet. */
	if (b->ended) {
		st = paths_inner_reopen(b->path);
		b->ended = st != PATHS_OK;
	}
	return st;
}

void
behind_close(void *self)
{
	struct behind *b = self;

	paths_inner_close(b->path);
	if (b->lock_made)
		pthread_mutex_destroy(&b->lock);
}
