/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/buffer.c - completes writes at once and sends them later
 *
 * A write is copied into a ring and is done at once.  The rest of the chain is
 * a path of its own, which takes one tuple after another out of the ring.  A
 * write to a full ring waits for room.  The tuples of the ring are sent also
 * when the path above has closed or was lost, and the rest of the chain ends
 * after the last of them.
 *
 * Arguments	-tuples N: room of the ring
 * Counters	0	tuples taken
 *		1	tuples that ended below
 *		2	tuples that failed below
 *		3	writes that had to wait for room
 * Errors	PATHS_EINVAL	an operation other than a write, because earlier
 *				writes may still be in the ring
 *		PATHS_ENOMEM	the ring is over 1 GiB
 *		the status of the first tuple that failed below since the last
 *		such report, for the next write here
 */

#include "libpaths/stages/behind_private.h"

#include "libpaths/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_BYTES_MAX (UINT64_C(1) << 30)

/* The operation that wrote a tuple of the ring. */
struct buffer_mark {
	uint32_t seq;
	uint32_t step;
	uint32_t bytes; /* of the tuple */
};

struct buffer {
	struct behind behind; /* parked: waits for room */

	/* Written by open. */
	const char *name; /* in the map */
	uint64_t tuples;
	uint32_t bytes; /* the greatest of a tuple */
	unsigned char *ring;
	struct buffer_mark *marks; /* of the tuples of the ring */

	/* The rest is read and written under the lock. */
	uint64_t head; /* slot of the oldest */
	uint64_t count;
	uint64_t taken;
	uint64_t sent;
};

/* Copies a tuple into the ring, which has room.  With the lock held. */
static void
buffer_take(struct buffer *b, const struct paths_op *op)
{
	uint64_t slot = b->head + b->count;

	if (slot >= b->tuples)
		slot -= b->tuples;
	memcpy(b->ring + slot * b->bytes, op->tuple, op->bytes);
	b->marks[slot] = (struct buffer_mark){ op->seq, op->step, op->bytes };
	b->count++;
	b->taken++;
}

/* Copies the oldest tuple into the operation below.  With the lock held. */
static void
buffer_load(struct buffer *b, struct paths_op *op)
{
	const struct buffer_mark *mark = &b->marks[b->head];

	memcpy(op->tuple, b->ring + b->head * b->bytes, mark->bytes);
	op->bytes = mark->bytes;
	op->seq = mark->seq;
	op->step = mark->step;
	b->behind.sending = true;
}

static bool
buffer_next(struct behind *behind, struct paths_op *op)
{
	struct buffer *b = (struct buffer *)behind;
	bool more, last;

	pthread_mutex_lock(&b->behind.lock);
	more = b->count > 0;
	b->behind.sending = false;
	if (more)
		buffer_load(b, op);
	last = !more && b->behind.ended;
	pthread_mutex_unlock(&b->behind.lock);
	if (last)
		behind_end(&b->behind);
	return more;
}

static void
buffer_done(struct behind *behind, const struct paths_op *op)
{
	struct buffer *b = (struct buffer *)behind;
	struct paths_op *parked;

	pthread_mutex_lock(&b->behind.lock);
	b->sent++;
	if (op->status != PATHS_OK)
		behind_keep_failure(behind, op);
	b->count--;
	if (++b->head == b->tuples)
		b->head = 0;
	parked = b->behind.parked;
	b->behind.parked = NULL;
	if (parked != NULL && !behind_report(&b->behind, parked))
		buffer_take(b, parked);
	pthread_mutex_unlock(&b->behind.lock);
	if (parked != NULL)
		paths_op_resume(parked);
}

static enum paths_pass
buffer_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct buffer *b = self;
	enum paths_pass pass = PATHS_PASS_TURN;
	bool run = false;

	(void)slot;
	if (op->kind != PATHS_WRITE)
		return paths_op_fail(op, PATHS_EINVAL, "takes no %s",
		    paths__kind_name(op->kind));
	pthread_mutex_lock(&b->behind.lock);
	if (behind_report(&b->behind, op)) {
		pass = PATHS_PASS_FAIL;
	} else if (b->count == b->tuples) {
		b->behind.parked = op;
		b->behind.waits++;
		pass = PATHS_PASS_PARK;
	} else {
		buffer_take(b, op);
		run = !b->behind.sending;
		if (run)
			buffer_load(b, behind_op(&b->behind));
	}
	pthread_mutex_unlock(&b->behind.lock);
	if (run)
		behind_run(&b->behind);
	return pass;
}

static paths_status
buffer_open(void *self, const struct paths_stage_env *env)
{
	struct buffer *b = self;
	const struct paths_map *map = paths_program_map(env->program);

	b->name = map->instances[env->instance].name;
	b->tuples = paths_map_option(env->item, "-tuples")->number;
	b->bytes = env->above.bytes;
	if (b->tuples > BUFFER_BYTES_MAX / (b->bytes + sizeof(*b->marks)))
		return paths_log_fail(PATHS_ENOMEM,
		    "buffer: %" PRIu64 " tuples of %u bytes are over 1 GiB",
		    b->tuples, b->bytes);
	b->ring = malloc(b->tuples * b->bytes + 1);
	b->marks = malloc(b->tuples * sizeof(*b->marks));
	if (b->ring == NULL || b->marks == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "buffer: no memory for %" PRIu64 " tuples of %u bytes",
		    b->tuples, b->bytes);
	b->behind.subject = "an earlier write";
	b->behind.next = buffer_next;
	b->behind.done = buffer_done;
	return behind_open(&b->behind, env);
}

static void
buffer_stat(const void *self, paths_stat_emit *emit, void *to)
{
	/* Changes only the lock. */
	struct buffer *b = (struct buffer *)(uintptr_t)self;
	uint64_t counters[4];

	pthread_mutex_lock(&b->behind.lock);
	counters[0] = b->taken;
	counters[1] = b->sent;
	counters[2] = b->behind.failures;
	counters[3] = b->behind.waits;
	pthread_mutex_unlock(&b->behind.lock);
	for (unsigned n = 0; n < 4; n++)
		emit(to, n, counters[n]);
}

static void
buffer_close(void *self)
{
	struct buffer *b = self;

	if (b->count > 0)
		paths_log_warn("buffer %s: %" PRIu64 " tuples were not sent",
		    b->name, b->count);
	behind_close(&b->behind);
	free(b->marks);
	free(b->ring);
}

static const struct paths_option buffer_options[] = {
	{ "-tuples", PATHS_OPTION_COUNT, PATHS_OPTION_POSITIVE, NULL, "64",
	    "room of the ring" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_buffer = {
	.abi = PATHS_STAGE_ABI,
	.name = "buffer",
	.about = "complete writes at once and send them later",
	.example = "buffer -tuples 4",
	.flags = PATHS_STAGE_BEHIND,
	.size = sizeof(struct buffer),
	.options = buffer_options,
	.open = buffer_open,
	.down = buffer_down,
	.cancel = behind_cancel,
	.lost = behind_lost,
	.reopen = behind_reopen,
	.stat = buffer_stat,
	.close = buffer_close,
	.kinds = PATHS_KIND_BIT(PATHS_WRITE),
};
