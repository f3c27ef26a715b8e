/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/tee.c - send a copy of each tuple along a second chain
 *
 * Tuples that are written or exchanged go on, as they came, and a copy of
 * each is written along the second chain at the same time.  The next tuple
 * waits until the copy of the one before has ended.  Reads and deletes only
 * pass.  The second chain hears of the end of the path above when the last
 * copy has ended.
 *
 * Arguments	CHAIN, the second chain
 * Counters	0	copies sent
 *		1	of them, those that failed
 *		2	operations that had to wait for the copy before
 * Errors	what failed a copy, for the next write or exchange here
 */

#include "libpaths/stages/behind_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct tee {
	/* Written by open. */
	uint32_t bytes;
	struct behind behind;

	/* All below under the lock. */
	pthread_mutex_t lock;
	bool lock_made;
	bool sending;		 /* a copy is under way */
	bool ended;		 /* nothing more comes from above */
	struct paths_op *parked; /* waits for the copy before */
	paths_status failed;	 /* for the next operation to tell */
	char why[PATHS_OP_WHY_BYTES];
	uint64_t copies;
	uint64_t failures;
	uint64_t waits;
};

/* With the lock held. */
static void
tee_load(struct tee *t, const struct paths_op *from, struct paths_op *copy)
{
	memcpy(copy->tuple, from->tuple, t->bytes);
	copy->seq = from->seq;
	copy->step = from->step;
	t->sending = true;
	t->copies++;
}

/* With the lock held: the failure of an earlier copy becomes op's. */
static bool
tee_tell(struct tee *t, struct paths_op *op)
{
	if (t->failed == PATHS_OK)
		return false;
	(void)paths_op_fail(op, t->failed, "an earlier copy: %s", t->why);
	t->failed = PATHS_OK;
	return true;
}

static void
tee_ended(void *stage, const struct paths_op *op)
{
	struct tee *t = stage;

	if (op->status == PATHS_OK)
		return;
	pthread_mutex_lock(&t->lock);
	t->failures++;
	if (t->failed == PATHS_OK) {
		t->failed = op->status;
		memcpy(t->why, op->why, sizeof(t->why));
	}
	pthread_mutex_unlock(&t->lock);
}

/* The copy has ended: that of the one that waits is next. */
static bool
tee_next(void *stage, struct paths_op *copy)
{
	struct tee *t = stage;
	struct paths_op *op;
	bool told = false, last;

	pthread_mutex_lock(&t->lock);
	op = t->parked;
	t->parked = NULL;
	t->sending = false;
	if (op != NULL) {
		told = tee_tell(t, op);
		if (!told)
			tee_load(t, op, copy);
	}
	last = op == NULL && t->ended;
	pthread_mutex_unlock(&t->lock);
	if (last)
		behind_end(&t->behind);
	if (op == NULL)
		return false;
	if (told)
		paths_op_resume(op);
	else
		paths_op_go_on(op);
	return !told;
}

static enum paths_pass
tee_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct tee *t = self;
	enum paths_pass pass = PATHS_PASS_ON;

	(void)slot;
	if (op->kind != PATHS_WRITE && op->kind != PATHS_EXCHANGE)
		return PATHS_PASS_ON;
	pthread_mutex_lock(&t->lock);
	if (tee_tell(t, op)) {
		pass = PATHS_PASS_FAIL;
	} else if (t->sending) {
		t->parked = op;
		t->waits++;
		pass = PATHS_PASS_PARK;
	} else {
		tee_load(t, op, behind_op(&t->behind));
	}
	pthread_mutex_unlock(&t->lock);
	if (pass == PATHS_PASS_ON)
		behind_run(&t->behind);
	return pass;
}

static bool
tee_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	struct tee *t = self;
	bool here;

	(void)slot;
	pthread_mutex_lock(&t->lock);
	here = t->parked == op;
	if (here)
		t->parked = NULL;
	pthread_mutex_unlock(&t->lock);
	return here;
}

static void
tee_lost(void *self, const char *why)
{
	struct tee *t = self;
	bool last;

	/* What was taken is sent, whatever became of who wrote it. */
	(void)why;
	pthread_mutex_lock(&t->lock);
	last = !t->ended && !t->sending;
	if (!t->ended && t->sending)
		behind_drain(&t->behind);
	t->ended = true;
	pthread_mutex_unlock(&t->lock);
	if (last)
		behind_end(&t->behind);
}

static paths_status
tee_open(void *self, const struct paths_stage_env *env)
{
	struct tee *t = self;

	t->bytes = env->above.bytes;
	if (pthread_mutex_init(&t->lock, NULL) != 0)
		return paths_log_fail(PATHS_ENOMEM, "tee: no lock");
	t->lock_made = true;
	t->behind.stage = t;
	t->behind.next = tee_next;
	t->behind.ended = tee_ended;
	return behind_open(&t->behind, env);
}

static void
tee_stat(const void *self, paths_stat_emit *emit, void *to)
{
	/* Only the lock is changed, and not for good. */
	struct tee *t = (struct tee *)(uintptr_t)self;
	uint64_t counters[3];

	pthread_mutex_lock(&t->lock);
	counters[0] = t->copies;
	counters[1] = t->failures;
	counters[2] = t->waits;
	pthread_mutex_unlock(&t->lock);
	for (unsigned n = 0; n < 3; n++)
		emit(to, n, counters[n]);
}

static void
tee_close(void *self)
{
	struct tee *t = self;

	behind_close(&t->behind);
	if (t->lock_made)
		pthread_mutex_destroy(&t->lock);
}

static const struct paths_option tee_options[] = {
	{ "chain", PATHS_OPTION_CHAIN, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "where the copies go" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_tee = {
	.abi = PATHS_STAGE_ABI,
	.name = "tee",
	.about = "send a copy of each tuple along a second chain",
	.example = "tee {{null}}",
	.flags = PATHS_STAGE_SIDE,
	.size = sizeof(struct tee),
	.options = tee_options,
	.open = tee_open,
	.down = tee_down,
	.cancel = tee_cancel,
	.lost = tee_lost,
	.stat = tee_stat,
	.close = tee_close,
};
