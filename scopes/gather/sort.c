/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/sort.c - puts the tuples of a batch in the order of their start
 *
 * A batch of the stage spaces has the tuples of one collector after those of
 * another.  The sorted batch can be longer; what does not fit is returned by
 * the next read.
 *
 * Arguments	none
 * Counters	0	batches sorted
 * Errors	PATHS_EDAMAGED	a read returned no batch
 */

#include "scopes/gather/sort_private.h"

#include "scopes/gather/gather_private.h"
#include "scopes/gather/order_private.h"

#include "libpaths/log.h"

#include <stdatomic.h>
#include <stdlib.h>

struct sort {
	uint8_t *batch; /* what is being sorted */
	size_t room;
	bool varies, more; /* more: the batch below had a MORE */
	struct es__order order;
	_Atomic uint64_t batches;
};

/* Values of a slot. */
enum { SORT_KEPT, SORT_READ };

static paths_status
sort_open(void *self, const struct paths_stage_env *env)
{
	struct sort *s = self;

	s->varies = env->above.varies;
	s->room = env->above.bytes;
	s->batch = malloc(s->room + 1);
	return s->batch != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a batch of %zu bytes",
		s->room);
}

static enum paths_pass
sort_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct sort *s = self;

	*slot = SORT_READ;
	if (op->kind == PATHS_READ && !es__order_is_empty(&s->order)) {
		*slot = SORT_KEPT;
		return PATHS_PASS_TURN;
	}
	return es__gather_pass(op);
}

/* Takes a batch that was read. */
static paths_status
sort_take(struct sort *s, const struct paths_op *op)
{
	s->more = false;
	if (op->bytes > s->room)
		return paths_log_fail(PATHS_EINVAL, "a batch of %u bytes",
		    op->bytes);
	memcpy(s->batch, op->tuple, op->bytes);
	/* Relaxed: a total. */
	atomic_fetch_add_explicit(&s->batches, 1, memory_order_relaxed);
	return es__order_add(&s->order, 0, s->batch, op->bytes, &s->more);
}

static paths_status
sort_give(struct sort *s, struct es__batch_out *out)
{
	static const bool wanted[1] = { false };
	paths_status st;

	if (out->room < sizeof(struct es__record))
		return PATHS_OK;
	out->room -= sizeof(struct es__record);
	st = es__order_take(&s->order, out, wanted);
	out->room += sizeof(struct es__record);
	if (st == PATHS_OK && out->used == 0 && !es__order_is_empty(&s->order))
		return paths_log_fail(PATHS_EINVAL,
		    "a batch of %zu bytes is too small", out->room);
	if (st == PATHS_OK && (s->more || !es__order_is_empty(&s->order)))
		(void)es__batch_put(out, ES__RECORD_MORE, 0);
	return st;
}

static void
sort_up(void *self, struct paths_op *op, uint64_t *slot)
{
	struct sort *s = self;
	struct es__batch_out out = { .base = op->tuple,
		.room = (s->varies ? s->room : op->bytes) & ~(size_t)7 };
	paths_status st = PATHS_OK;

	if (op->status != PATHS_OK)
		return;
	if (*slot == SORT_READ)
		st = sort_take(s, op);
	if (st == PATHS_OK)
		st = sort_give(s, &out);
	if (st == PATHS_OK)
		es__gather_end(op, out.used, s->varies);
	else
		(void)paths_op_fail(op, st, "%s", paths_log_last());
}

/* Forgets its tuples: after it is opened again, everything is sent anew. */
static void
sort_lost(void *self, const char *why)
{
	struct sort *s = self;

	(void)why;
	es__order_fini(&s->order);
	s->more = false;
}

static paths_status
sort_reopen(void *self)
{
	(void)self;
	return PATHS_OK;
}

static void
sort_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct sort *s = self;

	emit(to, 0, atomic_load_explicit(&s->batches, memory_order_relaxed));
}

static void
sort_close(void *self)
{
	struct sort *s = self;

	es__order_fini(&s->order);
	free(s->batch);
}

const struct paths_stage_ops es__stage_sort = {
	.abi = PATHS_STAGE_ABI,
	.name = "sort",
	.about = "put the tuples of batches in the order of their start",
	.example = "sort",
	.size = sizeof(struct sort),
	.open = sort_open,
	.down = sort_down,
	.up = sort_up,
	.lost = sort_lost,
	.reopen = sort_reopen,
	.stat = sort_stat,
	.close = sort_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ),
};
