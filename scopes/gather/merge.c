/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/merge.c - a node of a gather tree: combines the batches of
 * several chains
 *
 * The chains are the children.  A read asks all children from which nothing is
 * left, all at once, and waits for their answers, at most for -wait.  It
 * returns what fits; the rest stays in the children's batches, one for each
 * child, and is returned by the next reads.  So the memory of a node is
 * bounded.
 *
 * Without an order, a read does not wait as long as a child holds something.
 * Until all that was there is returned, it asks only children that said that
 * there is more.  These answer while the batches of the others are returned.
 * Now and then it asks all, because children may always have more.
 *
 * In order, a read waits for all children that hold nothing.  A child that has
 * more is asked for its next batch while the one before is returned, so it has
 * memory for two.
 *
 * A child that does not answer in time is reported by a NOTE record and not
 * waited for any more until its answer arrives.  A child that fails is
 * reported; one whose process is gone is not asked again.
 *
 * The operation waits in the stage, parked, until the last child has answered.
 * Under the lock are all members that are not constant after open.
 *
 * Arguments	CHAIN ...	1 to 64 chains
 *		-order		time: tuples leave in the order of their start;
 *				none: in the batches of the children
 *		-wait		longest time that a read waits for a child
 * Counters	0	batches returned
 *		1	answers of children
 *		2	answers that were late
 *		3	children that are lost
 * Errors	PATHS_ELOST	all children are lost
 *		PATHS_EDAMAGED	a child returned no batch
 */

#include "scopes/gather/merge_private.h"

#include "scopes/gather/merge_fill_private.h"
#include "scopes/gather/merge_timer_private.h"

#include "libpaths/clock.h"
#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>

/* Reads after which all children are asked, also if some have more. */
#define MERGE_SKIPS 64

/* --- children ------------------------------------------------------------ */

/* Sets the text about a child that the next batch tells. */
__attribute__((format(printf, 2, 3))) static void
child_note(struct merge_child *child, const char *fmt, ...)
{
	va_list words;

	va_start(words, fmt);
	vsnprintf(child->note, sizeof(child->note), fmt, words);
	va_end(words);
}

/* Returns true if a read waits for the child. */
static bool
child_is_awaited(const struct merge_child *child)
{
	return child->asked && !child->late && !child->holds;
}

/* Returns true if a batch begins with a record. */
static bool
child_has_record(const struct paths_op *op)
{
	uint32_t bytes = 0;

	if (op->bytes >= sizeof(bytes))
		memcpy(&bytes, op->tuple, sizeof(bytes));
	return bytes != 0;
}

/* Takes the answer of a child.  With the lock held. */
static void
child_take(struct merge_child *child, const struct paths_op *op)
{
	struct merge *m = child->merge;

	child->asked = false;
	if (op->status == PATHS_OK) {
		m->answers++;
		m->late += child->late;
		if (child->late || child->failing)
			child_note(child, "%s: answers again", child->name);
		child->failing = false;
		if (!child_has_record(op))
			child->more = false;
		else if (child->holds)
			child->ready = true;
		else
			es__merge_begin(child);
	} else {
		child->lost =
		    op->status == PATHS_ELOST || op->status == PATHS_ECLOSED;
		if (!child->failing || child->lost)
			child_note(child, "%s: %s", child->name, op->why);
		child->failing = true;
		child->more = false;
	}
	child->late = false;
}

/* --- reads --------------------------------------------------------------- */

static bool
merge_is_waiting(const struct merge *m)
{
	for (uint32_t n = 0; n < m->count; n++)
		if (child_is_awaited(&m->children[n]))
			return true;
	return m->asking;
}

/* Ends a read, whose operation the caller holds.  With the lock held. */
static void
merge_end(struct merge *m, struct paths_op *op)
{
	struct es__batch_out out = { .base = op->tuple,
		.room = (m->varies ? m->room : op->bytes) & ~(size_t)7 };
	paths_status st = PATHS_OK;

	if (out.room >= sizeof(struct es__record))
		st = es__merge_fill(m, &out);
	if (st == PATHS_OK) {
		es__gather_end(op, out.used, m->varies);
		m->batches++;
	} else {
		(void)paths_op_fail(op, st, "%s", paths_log_last());
	}
}

/* Ends the read that waits, if there is nothing left to wait for.  Releases the
   lock. */
static void
merge_settle(struct merge *m)
{
	struct paths_op *op = m->parked;

	if (op != NULL && !merge_is_waiting(m)) {
		m->parked = NULL;
		merge_end(m, op);
	} else {
		op = NULL;
	}
	pthread_mutex_unlock(&m->lock);
	if (op != NULL)
		paths_op_resume(op);
}

static void
merge_done(void *to, struct paths_op *op)
{
	struct merge_child *child = to;
	struct merge *m = child->merge;
	bool ended;

	pthread_mutex_lock(&m->lock);
	child_take(child, op);
	ended = m->ended;
	merge_settle(m);
	if (ended)
		paths_inner_end(child->inner);
}

/* Returns true if a child holds something. */
static bool
merge_holds(const struct merge *m)
{
	for (uint32_t n = 0; n < m->count; n++)
		if (m->children[n].holds)
			return true;
	return false;
}

/* Returns true if a read asks all children, and not only those that have
   more. */
static bool
merge_asks_all(struct merge *m)
{
	bool all = m->ordered || !merge_holds(m);

	for (uint32_t n = 0; all && !m->ordered && n < m->count; n++)
		all = !m->children[n].more || m->children[n].late;
	if (!all && ++m->skipped < MERGE_SKIPS)
		return false;
	m->skipped = 0;
	return true;
}

/* Notes that a child is not waited for any more. */
static void
child_is_late(struct merge_child *child)
{
	child->late = true;
	child_note(child, "%s: no answer for %.3g s; not waited for",
	    child->name, (double)child->merge->wait_ns * 1e-9);
}

/* Finds children that are late, although no read has waited for them. */
static void
merge_find_late(struct merge *m, uint64_t now)
{
	for (uint32_t n = 0; n < m->count; n++) {
		struct merge_child *child = &m->children[n];

		if (child_is_awaited(child) &&
		    paths_clock_ticks_to_ns(now - child->asked_at) > m->wait_ns)
			child_is_late(child);
	}
}

/* Asks children from which nothing is left. */
static void
merge_ask(struct merge *m)
{
	bool ask[MERGE_CHILDREN] = { false };
	const uint64_t now = paths_clock_ticks();
	struct merge_child *child;
	bool all;

	pthread_mutex_lock(&m->lock);
	m->asking = true;
	merge_find_late(m, now);
	all = merge_asks_all(m);
	for (uint32_t n = 0; n < m->count; n++) {
		child = &m->children[n];
		ask[n] = !child->asked && !child->ready && !child->lost &&
		    (child->holds ? m->ordered && child->more :
				    all || child->more);
		child->asked |= ask[n];
		if (ask[n])
			child->asked_at = now;
	}
	pthread_mutex_unlock(&m->lock);
	for (uint32_t n = 0; n < m->count; n++) {
		struct paths_op *op;

		if (!ask[n])
			continue;
		child = &m->children[n];
		op = paths_inner_op(child->inner);
		op->bytes = m->room;
		paths_inner_start(child->inner, PATHS_READ, 0, 0);
	}
}

static enum paths_pass
merge_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct merge *m = self;
	enum paths_pass pass = PATHS_PASS_TURN;

	(void)slot;
	if (!es__gather_takes(op))
		return es__gather_refuse(op);
	merge_ask(m);
	pthread_mutex_lock(&m->lock);
	m->asking = false;
	if (merge_is_waiting(m) && (m->ordered || !merge_holds(m))) {
		m->parked = op;
		es__merge_timer_arm(m);
		pass = PATHS_PASS_PARK;
	} else {
		merge_end(m, op);
		if (op->status != PATHS_OK)
			pass = PATHS_PASS_FAIL;
	}
	pthread_mutex_unlock(&m->lock);
	return pass;
}

/* Gives up the children that have not answered, and ends the read that waits.
   With the lock held, which is released meanwhile. */
static void
merge_late(struct merge *m)
{
	for (uint32_t n = 0; n < m->count; n++) {
		struct merge_child *child = &m->children[n];

		if (child_is_awaited(child))
			child_is_late(child);
	}
	merge_settle(m);
	pthread_mutex_lock(&m->lock);
}

static bool
merge_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	struct merge *m = self;
	bool here;

	(void)slot;
	pthread_mutex_lock(&m->lock);
	here = m->parked == op;
	if (here)
		m->parked = NULL;
	pthread_mutex_unlock(&m->lock);
	return here;
}

/* --- opening and closing ------------------------------------------------- */

static void
merge_lost(void *self, const char *why)
{
	struct merge *m = self;
	bool asked[MERGE_CHILDREN];
	bool again;

	(void)why;
	pthread_mutex_lock(&m->lock);
	again = m->ended;
	m->ended = true;
	for (uint32_t n = 0; !again && n < m->count; n++) {
		asked[n] = m->children[n].asked;
		if (asked[n])
			paths_inner_drain(m->children[n].inner);
	}
	pthread_mutex_unlock(&m->lock);
	for (uint32_t n = 0; !again && n < m->count; n++) {
		if (asked[n])
			(void)paths_inner_cancel(m->children[n].inner,
			    "the read of the parent ended");
		else
			paths_inner_end(m->children[n].inner);
	}
}

static paths_status
merge_reopen(void *self)
{
	struct merge *m = self;
	bool asked[MERGE_CHILDREN];

	pthread_mutex_lock(&m->lock);
	m->ended = false;
	es__order_fini(&m->order);
	for (uint32_t n = 0; n < m->count; n++) {
		struct merge_child *child = &m->children[n];

		asked[n] = child->asked;
		if (asked[n])
			paths_inner_undrain(child->inner);
		child->holds = child->more = child->lost = false;
		child->fresh = child->ready = false;
		child->failing = false;
		child->note[0] = '\0';
	}
	pthread_mutex_unlock(&m->lock);
	for (uint32_t n = 0; n < m->count; n++) {
		struct merge_child *child = &m->children[n];

		if (asked[n] || paths_inner_reopen(child->inner) == PATHS_OK)
			continue;
		pthread_mutex_lock(&m->lock);
		child->lost = true;
		child_note(child, "%s: %s", child->name, paths_log_last());
		pthread_mutex_unlock(&m->lock);
	}
	return PATHS_OK;
}

/* Returns the name of a child: the first process that its chain leads to, or
   that of its first stage. */
static const char *
merge_name(const struct paths_map *map, uint32_t chain)
{
	const struct paths_map_chain *c = &map->chains[chain];

	for (uint32_t n = c->first; n < c->first + c->count; n++)
		if (map->items[n].target != PATHS_NONE)
			return map->processes[map->items[n].target].name;
	return map->instances[map->items[c->first].instance].name;
}

static paths_status
merge_open_child(struct merge *m, const struct paths_stage_env *env,
    uint32_t chain)
{
	const struct paths_map *map = paths_program_map(env->program);
	struct merge_child *child = &m->children[m->count];
	paths_status st;

	child->merge = m;
	child->index = m->count;
	child->name = merge_name(map, chain);
	if (m->ordered)
		child->spare = malloc(m->room + 1u);
	if (m->ordered && child->spare == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a batch");
	st = paths_inner_open(env->program, chain, merge_done, child,
	    &child->inner);
	if (st == PATHS_OK)
		m->count++;
	return st;
}

static paths_status
merge_open(void *self, const struct paths_stage_env *env)
{
	struct merge *m = self;
	const struct paths_map_value *values = env->item->values;
	paths_status st = PATHS_OK;

	m->varies = env->above.varies;
	m->room = env->above.bytes;
	m->ordered = values[MERGE_ORDER].number == 0;
	m->wait_ns = values[MERGE_WAIT].number;
	if (pthread_mutex_init(&m->lock, NULL) != 0)
		return paths_log_fail(PATHS_ENOMEM, "merge: no lock");
	m->lock_made = true;
	st = es__merge_timer_open(m, merge_late);
	for (uint32_t n = 0; st == PATHS_OK && n < MERGE_CHILDREN; n++)
		if (values[n].text != NULL)
			st = merge_open_child(m, env,
			    (uint32_t)values[n].number);
	return st;
}

static void
merge_stat(const void *self, paths_stat_emit *emit, void *to)
{
	/* Changes only the lock. */
	struct merge *m = (struct merge *)(uintptr_t)self;
	uint64_t counters[4];

	pthread_mutex_lock(&m->lock);
	counters[0] = m->batches;
	counters[1] = m->answers;
	counters[2] = m->late;
	counters[3] = 0;
	for (uint32_t n = 0; n < m->count; n++)
		counters[3] += m->children[n].lost;
	pthread_mutex_unlock(&m->lock);
	for (unsigned n = 0; n < 4; n++)
		emit(to, n, counters[n]);
}

static void
merge_close(void *self)
{
	struct merge *m = self;

	es__merge_timer_close(m);
	for (uint32_t n = 0; n < MERGE_CHILDREN; n++) {
		paths_inner_close(m->children[n].inner);
		free(m->children[n].spare);
	}
	es__order_fini(&m->order);
	if (m->lock_made)
		pthread_mutex_destroy(&m->lock);
}

#define MERGE_CHAIN \
	{ \
		.name = "chain", .kind = PATHS_OPTION_CHAIN, \
		.about = "one of the chains" \
	}
#define MERGE_CHAINS_4 MERGE_CHAIN, MERGE_CHAIN, MERGE_CHAIN, MERGE_CHAIN
#define MERGE_CHAINS_16 \
	MERGE_CHAINS_4, MERGE_CHAINS_4, MERGE_CHAINS_4, MERGE_CHAINS_4

static const struct paths_option merge_options[] = {
	/* MERGE_CHILDREN of them. */
	MERGE_CHAINS_16,
	MERGE_CHAINS_16,
	MERGE_CHAINS_16,
	MERGE_CHAINS_16,
	[MERGE_ORDER] = {
		.name = "-order",
		.kind = PATHS_OPTION_CHOICE,
		.choices = "time|none",
		.default_text = "time",
		.about = "order of the tuples",
	},
	[MERGE_WAIT] = {
		.name = "-wait",
		.kind = PATHS_OPTION_TIME,
		.default_text = "1s",
		.about = "longest time that a read waits for a chain",
	},
	{ .name = NULL },
};

const struct paths_stage_ops es__stage_merge = {
	.abi = PATHS_STAGE_ABI,
	.name = "merge",
	.about = "combine the batches of several chains",
	.example = "merge {{spaces -batch 64}} {{spaces -batch 64}}",
	.flags = PATHS_STAGE_SIDE | PATHS_STAGE_END,
	.size = sizeof(struct merge),
	.options = merge_options,
	.open = merge_open,
	.down = merge_down,
	.cancel = merge_cancel,
	.lost = merge_lost,
	.reopen = merge_reopen,
	.stat = merge_stat,
	.close = merge_close,
	.kinds = PATHS_KIND_BIT(PATHS_READ),
};
