/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/inner.c - lets a stage send operations along a path of its
 * own
 */

#include "libpaths/inner.h"

#include "libpaths/engine/op_private.h"
#include "libpaths/engine/path_private.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"

#include <sched.h>
#include <stdlib.h>

paths_status
paths_inner_open(struct paths_program *program, uint32_t chain,
    paths_inner_done *done, void *to, struct paths_path **inner)
{
	struct paths_path *path;
	paths_status st = paths__path_create(program,
	    program->map->chains[chain].first, &path);

	if (st != PATHS_OK)
		return st;
	path->done = done;
	path->done_to = to;
	path->op.bytes = path->type.bytes;
	path->op.tuple = malloc(path->type.bytes + 1);
	if (!path->op.tuple) {
		paths__path_destroy(path);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a tuple");
	}
	*inner = path;
	return PATHS_OK;
}

struct paths_op *
paths_inner_op(struct paths_path *inner)
{
	return &inner->op;
}

void
paths_inner_start(struct paths_path *inner, enum paths_kind kind, uint32_t seq,
    uint32_t step)
{
	inner->op.kind = kind;
	inner->op.seq = seq;
	inner->op.step = step;
	paths__op_run(inner, 0);
}

bool
paths_inner_cancel(struct paths_path *inner, const char *why)
{
	return paths__op_cancel(inner, PATHS_ECANCELED, why);
}

enum paths_inner_phase
paths_inner_phase(const struct paths_path *inner)
{
	/* Acquire: pairs with the releases in program.c. */
	return (
	    enum paths_inner_phase)atomic_load_explicit(&inner->program->phase,
	    memory_order_acquire);
}

void
paths_inner_drain(struct paths_path *inner)
{
	inner->draining = true;
	/* Relaxed: the thread that closes the program has ended the chain
	   above, or has waited for its end. */
	atomic_fetch_add_explicit(&inner->program->draining, 1,
	    memory_order_relaxed);
}

void
paths_inner_end(struct paths_path *inner)
{
	struct paths_program *program = inner->program;
	bool draining = inner->draining;

	paths__program_end_chain(program, inner->item, NULL);
	/* Release: pairs with paths_inner_reopen.  The stage may be opened
	   again or, after the end of draining, closed. */
	inner->draining = false;
	atomic_store_explicit(&inner->state, PATHS__PATH_CLOSED,
	    memory_order_release);
	if (!draining)
		return;
	/* Release: pairs with the acquire in paths_program_serve. */
	atomic_fetch_sub_explicit(&program->draining, 1, memory_order_release);
	paths__wait_wake_futex(&program->draining);
}

paths_status
paths_inner_reopen(struct paths_path *inner)
{
	paths_status st;

	/* Acquire: pairs with the release in paths_inner_end. */
	while (atomic_load_explicit(&inner->state, memory_order_acquire) !=
	    PATHS__PATH_CLOSED)
		sched_yield();
	st = paths__program_reopen_chain(inner->program, inner->item);
	if (st == PATHS_OK)
		paths__path_set_state(inner, PATHS__PATH_IDLE);
	return st;
}

void
paths_inner_undrain(struct paths_path *inner)
{
	inner->draining = false;
	/* Relaxed: as paths_inner_drain. */
	atomic_fetch_sub_explicit(&inner->program->draining, 1,
	    memory_order_relaxed);
}

void
paths_inner_close(struct paths_path *inner)
{
	if (!inner)
		return;
	free(inner->op.tuple);
	paths__path_destroy(inner);
}
