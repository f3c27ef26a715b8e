/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/tee.c - sends a copy of each tuple along a second chain
 *
 * Writes and exchanges go on unchanged, and a copy of the tuple is written
 * along the second chain at the same time.  The next tuple waits until the
 * previous copy has ended.  Reads and deletes only pass.  The second chain ends
 * when the path above and the last copy have ended.
 *
 * Arguments	CHAIN, the second chain
 * Counters	0	copies sent
 *		1	copies that failed
 *		2	operations that had to wait for the previous copy
 * Errors	the status of the first copy that failed since the last such
 *		report, for the next write or exchange here
 */

#include "libpaths/stages/behind_private.h"

#include <string.h>

struct tee {
	struct behind behind; /* parked: waits for the previous copy */
	uint64_t copies;      /* under the lock */
};

/* Copies a tuple into the operation of the copy.  With the lock held. */
static void
tee_load(struct tee *t, const struct paths_op *from, struct paths_op *copy)
{
	memcpy(copy->tuple, from->tuple, from->bytes);
	copy->bytes = from->bytes;
	copy->seq = from->seq;
	copy->step = from->step;
	t->behind.sending = true;
	t->copies++;
}

static void
tee_done(struct behind *behind, const struct paths_op *op)
{
	struct tee *t = (struct tee *)behind;

	if (op->status == PATHS_OK)
		return;
	pthread_mutex_lock(&t->behind.lock);
	behind_keep_failure(behind, op);
	pthread_mutex_unlock(&t->behind.lock);
}

/* Lets a parked operation go on and copies its tuple, or fails it. */
static bool
tee_next(struct behind *behind, struct paths_op *copy)
{
	struct tee *t = (struct tee *)behind;
	struct paths_op *op;
	bool failed = false, last;

	pthread_mutex_lock(&t->behind.lock);
	op = t->behind.parked;
	t->behind.parked = NULL;
	t->behind.sending = false;
	if (op != NULL) {
		failed = behind_report(&t->behind, op);
		if (!failed)
			tee_load(t, op, copy);
	}
	last = op == NULL && t->behind.ended;
	pthread_mutex_unlock(&t->behind.lock);
	if (last)
		behind_end(&t->behind);
	if (op == NULL)
		return false;
	if (failed)
		paths_op_resume(op);
	else
		paths_op_go_on(op);
	return !failed;
}

static enum paths_pass
tee_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct tee *t = self;
	enum paths_pass pass = PATHS_PASS_ON;

	(void)slot;
	if (op->kind != PATHS_WRITE && op->kind != PATHS_EXCHANGE)
		return PATHS_PASS_ON;
	pthread_mutex_lock(&t->behind.lock);
	if (behind_report(&t->behind, op)) {
		pass = PATHS_PASS_FAIL;
	} else if (t->behind.sending) {
		t->behind.parked = op;
		t->behind.waits++;
		pass = PATHS_PASS_PARK;
	} else {
		tee_load(t, op, behind_op(&t->behind));
	}
	pthread_mutex_unlock(&t->behind.lock);
	if (pass == PATHS_PASS_ON)
		behind_run(&t->behind);
	return pass;
}

static paths_status
tee_open(void *self, const struct paths_stage_env *env)
{
	struct tee *t = self;

	t->behind.subject = "an earlier copy";
	t->behind.next = tee_next;
	t->behind.done = tee_done;
	return behind_open(&t->behind, env);
}

static void
tee_stat(const void *self, paths_stat_emit *emit, void *to)
{
	/* Changes only the lock. */
	struct tee *t = (struct tee *)(uintptr_t)self;
	uint64_t counters[3];

	pthread_mutex_lock(&t->behind.lock);
	counters[0] = t->copies;
	counters[1] = t->behind.failures;
	counters[2] = t->behind.waits;
	pthread_mutex_unlock(&t->behind.lock);
	for (unsigned n = 0; n < 3; n++)
		emit(to, n, counters[n]);
}

static const struct paths_option tee_options[] = {
	{ "chain", PATHS_OPTION_CHAIN, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "second chain, for the copies" },
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
	.cancel = behind_cancel,
	.lost = behind_lost,
	.reopen = behind_reopen,
	.stat = tee_stat,
	.close = behind_close,
};
