/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/behind.c - a path of a stage's own, always busy
 */

#include "libpaths/stages/behind_private.h"

#include "libpaths/program.h"

enum { BEHIND_STARTED, BEHIND_MET };

/* True for the second of the two that meet. */
static bool
behind_meet(struct behind *b)
{
	/* Acquire and release: what the first has seen, the second sees. */
	return atomic_exchange_explicit(&b->met, BEHIND_MET,
		   memory_order_acq_rel) == BEHIND_MET;
}

static void
behind_done(void *to, struct paths_op *op)
{
	struct behind *b = to;

	b->ended(b->stage, op);
	if (behind_meet(b) && b->next(b->stage, op))
		behind_run(b);
}

paths_status
behind_open(struct behind *b, const struct paths_stage_env *env)
{
	const struct paths_map *map = paths_program_map(env->program);

	return paths__inner_open(env->program,
	    map->instances[env->instance].tail, behind_done, b, &b->path);
}

struct paths_op *
behind_op(const struct behind *b)
{
	return paths__inner_op(b->path);
}

void
behind_run(struct behind *b)
{
	struct paths_op *op = behind_op(b);

	do {
		/* Relaxed: nobody else is on the path. */
		atomic_store_explicit(&b->met, BEHIND_STARTED,
		    memory_order_relaxed);
		paths__inner_start(b->path, PATHS_WRITE, op->seq, op->step);
	} while (behind_meet(b) && b->next(b->stage, op));
}

void
behind_drain(struct behind *b)
{
	paths__inner_drain(b->path);
}

void
behind_end(struct behind *b)
{
	struct paths_path *path = b->path;

	b->path = NULL;
	paths__inner_end(path);
}

void
behind_close(struct behind *b)
{
	paths__inner_close(b->path);
}
