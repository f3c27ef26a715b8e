/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/count.c - reduces the tuples of a batch to their numbers
 *
 * A batch has one COUNT record for each collector that had tuples in it.  All
 * other records stay as they are.
 *
 * Arguments	none
 * Counters	0	tuples counted
 * Errors	PATHS_EDAMAGED	a read returned no batch
 */

#include "scopes/gather/count_private.h"

#include "scopes/gather/gather_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdatomic.h>
#include <stdlib.h>

struct count {
	struct es__record *counts; /* of the collectors in this batch */
	size_t count, room;
	size_t last; /* used last */
	bool varies;
	_Atomic uint64_t tuples;
};

static paths_status
count_open(void *self, const struct paths_stage_env *env)
{
	struct count *c = self;

	c->varies = env->above.varies;
	return PATHS_OK;
}

/* Returns the count of a collector; NULL: no memory. */
static struct es__record *
count_of(struct count *c, uint64_t space, uint32_t collector)
{
	for (size_t n = 0; n < c->count; n++) {
		size_t at = (c->last + n) % c->count;

		if (c->counts[at].space == space &&
		    c->counts[at].collector == collector) {
			c->last = at;
			return &c->counts[at];
		}
	}
	if (!paths__array_grow(&c->counts, c->count, &c->room,
		sizeof(*c->counts)))
		return NULL;
	c->last = c->count;
	c->counts[c->count] = (struct es__record){
		.bytes = sizeof(*c->counts),
		.kind = ES__RECORD_COUNT,
		.space = space,
		.collector = collector,
	};
	return &c->counts[c->count++];
}

static bool
count_left(struct count *c, uint64_t space, uint32_t collector, uint32_t left)
{
	struct es__record *to = count_of(c, space, collector);

	if (to != NULL)
		to->left += left;
	return to != NULL;
}

/* Counts the tuples of a RUN or a MIX.  Returns false without memory. */
static bool
count_record(struct count *c, struct es__batch *b, const struct es__record *r)
{
	const struct es__batch_source *source;
	struct es__batch_part part;
	struct es__record *to;

	if (r->kind == ES__RECORD_RUN) {
		if (!count_left(c, r->space, r->collector, r->left))
			return false;
	} else {
		source = es__batch_sources(r);
		for (uint32_t n = 0; n < r->count; n++)
			if (!count_left(c, source[n].space, source[n].collector,
				source[n].left))
				return false;
	}
	while (es__batch_tuples(b, r, &part)) {
		to = count_of(c, part.head.space, part.head.collector);
		if (to == NULL)
			return false;
		to->first += part.head.count;
		/* Relaxed: a total. */
		atomic_fetch_add_explicit(&c->tuples, part.head.count,
		    memory_order_relaxed);
	}
	return true;
}

/* Appends the counts to the other records.  They fit: a collector that is
   counted had a RUN, or a source and a tuple in a MIX, that was as long. */
static paths_status
count_put(struct count *c, struct es__batch_out *out)
{
	for (size_t n = 0; n < c->count; n++)
		if (!es__batch_copy(out, &c->counts[n]))
			return paths_log_fail(PATHS_EDAMAGED,
			    "a batch has no room for its counts");
	return PATHS_OK;
}

static paths_status
count_batch(struct count *c, struct es__batch *b, struct es__batch_out *out)
{
	const struct es__record *r;
	paths_status st = PATHS_OK;

	c->count = c->last = 0;
	while ((r = es__batch_next(b, &st)) != NULL) {
		uint32_t bytes = r->bytes;

		if (r->kind != ES__RECORD_RUN && r->kind != ES__RECORD_MIX) {
			memmove(out->base + out->used, r, bytes);
			out->used += bytes;
		} else if (!count_record(c, b, r)) {
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for counts");
		}
	}
	return st == PATHS_OK ? count_put(c, out) : st;
}

static enum paths_pass
count_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)slot;
	return es__gather_pass(op);
}

static void
count_up(void *self, struct paths_op *op, uint64_t *slot)
{
	struct count *c = self;
	struct es__batch_out out = { .base = op->tuple, .room = op->bytes };
	struct es__batch b;
	paths_status st;

	(void)slot;
	if (op->status != PATHS_OK)
		return;
	es__batch_init(&b, op->tuple, op->bytes);
	st = count_batch(c, &b, &out);
	if (st == PATHS_OK)
		es__gather_end(op, out.used, c->varies);
	else
		(void)paths_op_fail(op, st, "%s", paths_log_last());
}

static void
count_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct count *c = self;

	emit(to, 0, atomic_load_explicit(&c->tuples, memory_order_relaxed));
}

static void
count_close(void *self)
{
	struct count *c = self;

	free(c->counts);
}

const struct paths_stage_ops es__stage_count = {
	.abi = PATHS_STAGE_ABI,
	.name = "count",
	.about = "reduce the tuples of batches to their numbers",
	.example = "count",
	.size = sizeof(struct count),
	.open = count_open,
	.down = count_down,
	.up = count_up,
	.stat = count_stat,
	.close = count_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ),
};
