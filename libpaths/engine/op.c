/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/op.c - runs operations down and up the stages of a path
 */

#include "libpaths/op.h"

#include "libpaths/clock.h"
#include "libpaths/engine/link_private.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/engine/program_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void
op_up(struct paths_path *path, uint32_t ups)
{
	for (const struct paths__up *u = path->ups + ups; u-- > path->ups;)
		u->up(u->self, &path->op, u->slot);
}

bool
paths__op_down(struct paths_path *path, const struct paths__link *link)
{
	struct paths_op *op = &path->op;
	enum paths_pass pass;

	for (;; link = link->next) {
		/* Relaxed: see paths__op_at. */
		atomic_store_explicit(&op->at, link, memory_order_relaxed);
		pass = link->down(link->self, op, link->slot);
		if (__builtin_expect(pass != PATHS_PASS_ON, 0))
			break;
	}
	if (pass == PATHS_PASS_PARK)
		return false;
	op_up(path, pass == PATHS_PASS_TURN ? link->until : link->above);
	return true;
}

void
paths__op_up_from(struct paths_path *path, const struct paths__link *link)
{
	op_up(path, link->until);
}

/* Runs an operation of a path without a thread until it ends or is parked
   again. */
static void
op_follow(struct paths_op *op, enum paths__done how)
{
	struct paths_path *path = op->path;
	const struct paths__link *at = paths__op_at(op);

	if (how == PATHS__ON) {
		if (!paths__op_down(path, at->next))
			return;
	} else {
		paths__op_up_from(path, at);
	}
	path->done(path->done_to, op);
}

static void
op_wake(struct paths_op *op, enum paths__done how)
{
	/* The thread may end the operation and reuse op as soon as it sees
	   op->done.  After that, only wake and the address of op->done are
	   used. */
	struct paths__wake *wake = op->wake;
	uint32_t was;

	was = atomic_exchange_explicit(&op->done, how, memory_order_acq_rel);
	if (wake)
		paths__wait_wake_all(wake);
	else if (was == PATHS__SLEEPING)
		paths__wait_wake_futex(&op->done);
}

void
paths_op_resume(struct paths_op *op)
{
	if (op->path->done)
		op_follow(op, PATHS__UP);
	else
		op_wake(op, PATHS__UP);
}

void
paths_op_go_on(struct paths_op *op)
{
	if (op->path->done)
		op_follow(op, PATHS__ON);
	else
		op_wake(op, PATHS__ON);
}

void
paths__op_complete(struct paths_op *op)
{
	if (op->path->done)
		op_follow(op, PATHS__UP);
	else
		/* Release: the thread sees what was written to op. */
		atomic_store_explicit(&op->done, PATHS__UP,
		    memory_order_release);
}

bool
paths__op_take_out(struct paths_path *path, const struct paths__link *link)
{
	const struct paths_stage_ops *ops =
	    path->program->map->items[link->item].ops;

	return ops->cancel && ops->cancel(link->self, &path->op, link->slot);
}

void
paths__op_run(struct paths_path *path, uint64_t index)
{
	paths__op_reset(&path->op);
	path->op.index = index;
	paths__link_refresh(path);
	if (paths__op_down(path, path->first))
		path->done(path->done_to, &path->op);
}

bool
paths__op_cancel(struct paths_path *path, paths_status st, const char *why)
{
	struct paths_op *op = &path->op;
	const struct paths__link *link = paths__op_at(op);
	const struct paths_program *program = path->program;

	if (!program->net->at_cancel(program->loop, op) &&
	    !paths__op_take_out(path, link))
		return false;
	paths__op_fail_text(op, st, why);
	paths__op_up_from(path, link);
	path->done(path->done_to, op);
	return true;
}

bool
paths__op_abort(struct paths_op *op, const struct paths__link *below,
    paths_status st, const char *why)
{
	struct paths_path *path = op->path;
	const struct paths__link *link = paths__op_at(op);

	/* The operation is at a proxy: only its thread may use the connection
	   to the other process. */
	if (path->thread &&
	    path->program->map->items[link->item].target != PATHS_NONE)
		return false;
	if (link <= below || !paths__op_take_out(path, link))
		return false;
	paths_op_fail(op, st, "%s", why);
	paths_op_resume(op);
	return true;
}

enum paths_pass
paths_op_go_on_at(struct paths_op *op, uint64_t due)
{
	const struct paths_program *program = op->path->program;

	if (op->path->done)
		program->net->at(program->loop, op, due);
	else
		op->due = due;
	return PATHS_PASS_PARK;
}

enum paths_pass
paths__op_fail_text(struct paths_op *op, paths_status st, const char *why)
{
	if (op->status == PATHS_OK) {
		op->status = st;
		snprintf(op->why, sizeof(op->why), "%s", why);
	}
	return PATHS_PASS_FAIL;
}

enum paths_pass
paths_op_fail(struct paths_op *op, paths_status st, const char *fmt, ...)
{
	const struct paths_path *path = op->path;
	int used;
	va_list ap;

	if (op->status != PATHS_OK)
		return PATHS_PASS_FAIL;
	op->status = st;
	used = paths__program_item_text(path->program, paths__op_at(op)->item,
	    op->why, sizeof(op->why));
	va_start(ap, fmt);
	vsnprintf(op->why + used, sizeof(op->why) - (size_t)used, fmt, ap);
	va_end(ap);
	return PATHS_PASS_FAIL;
}
