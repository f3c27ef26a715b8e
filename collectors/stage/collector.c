/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/collector.c - the stage that records each operation
 *
 * A word in the event space holds the mode, and may change at any moment.  The
 * down-pass reads the word once; the slot keeps the mode, so that every
 * operation ends in the mode in which it began.  Paths leave out a collector
 * that is off, and read one word to know when modes change.  The slot holds
 *
 *	in its lowest 3 bits	the modes of this operation
 *	above, with trace	the offset of the tuple in the ring, in bytes
 *	profile, no trace	the start in ticks, without its highest 3 bits
 *	else			0
 *
 * The stage's own state is constant after open.
 *
 * Arguments	-mode, -keep; see collector_options
 * Counters	0	tuples recorded
 *		1	tuples discarded
 * Errors	none: without a space the collectors are off
 */

#include "collectors/stage/collector_private.h"

#include "collectors/stage/cpu_sample_private.h"
#include "collectors/stage/session_private.h"

#include "libpaths/log.h"

#include <stddef.h>

#define MODE_BITS 3

/* The passes use one cache line; only close uses the session. */
struct collector {
	struct es_record_ring ring;
	struct es__session *session;
};

/* The counts of a collector without an event space: the mode is off, and
   nothing is written. */
static struct es_space_hot collector_off;

static const struct paths_option collector_options[] = {
	[ES__COLLECTOR_MODE] = {
		.name = "-mode",
		.kind = PATHS_OPTION_CHOICE,
		.choices = "trace|profile|matrix|off",
		.default_text = "trace",
		.about = "initial mode: records tuples, times, sizes, or nothing",
	},
	[ES__COLLECTOR_KEEP] = {
		.name = "-keep",
		.kind = PATHS_OPTION_COUNT,
		.flags = PATHS_OPTION_POSITIVE,
		.about = "tuples that the ring holds",
	},
	{ .name = NULL },
};

static paths_status
collector_open(void *self, const struct paths_stage_env *env)
{
	struct collector *c = self;
	paths_status st;

	c->ring.hot = &collector_off;
	if (env->program == NULL)
		return PATHS_OK;
	st = es__session_ref(env->program, &es__stage_collector, &c->session);
	if (st == PATHS_OK)
		es__session_ring(c->session, env->instance, &c->ring);
	return st;
}

/* Begins a tuple; returns its offset in the ring. */
static inline uint64_t
collector_trace(const struct collector *c, const struct paths_op *op,
    uint64_t start)
{
	/* A copy, which the compiler need not read again after a store. */
	const struct es_record_ring ring = c->ring;
	struct es_tuple_path *t = es_record_reserve(&ring);

	t->start = start;
	t->stop = 0;
	t->seq = op->seq;
	t->op = (uint16_t)op->kind;
	t->status = 0;
	t->element = op->element;
	t->bytes = op->bytes;
	t->step = op->step;
	es_record_fill(&ring);
	return (uint64_t)((char *)t - ring.tuples);
}

/* Returns the tuple of an operation with trace; a value without meaning for
   other operations. */
static inline struct es_tuple_path *
collector_tuple(const struct collector *c, uint64_t slot)
{
	uintptr_t tuples = (uintptr_t)c->ring.tuples;

	return (struct es_tuple_path *)(tuples + (slot >> MODE_BITS));
}

static inline void
collector_complete(const struct collector *c, const struct paths_op *op,
    struct es_tuple_path *t, uint64_t stop)
{
	t->status = (uint16_t)-op->status;
	t->bytes = op->bytes; /* of a read: it is known only now */
	/* Both are stored first: if the process is killed here, a tuple with a
	   stop has its status. */
	atomic_signal_fence(memory_order_release);
	t->stop = stop;
	es_record_complete(&c->ring, stop);
}

/* Returns the start of an operation, after a sample that is due. */
static uint64_t
collector_start(const struct collector *c)
{
	uint64_t start = paths_clock_ticks();

	if (__builtin_expect(start > es__cpu_sample_due, 0))
		start = es__cpu_sample_enter(&c->ring, start);
	return start;
}

/* The down-pass of all modes and clocks. */
__attribute__((noinline)) static enum paths_pass
collector_begin(const struct collector *c, const struct paths_op *op,
    uint64_t *slot, uint32_t mode)
{
	*slot = mode;
	if (mode & ES_MODE_TRACE)
		*slot |= collector_trace(c, op, collector_start(c))
		    << MODE_BITS;
	else if (mode & ES_MODE_PROFILE)
		*slot |= collector_start(c) << MODE_BITS;
	return PATHS_PASS_ON;
}

/* Returns true in the fast path: trace alone, and a clock that is read without
   a call.  Without a call in it, the fast path saves no registers. */
static inline bool
collector_is_fast(uint64_t mode)
{
	return __builtin_expect(mode == ES_MODE_TRACE &&
		paths_clock_how == PATHS_CLOCK_RAW,
	    1);
}

static enum paths_pass
collector_down(void *self, struct paths_op *op, uint64_t *slot)
{
	const struct collector *c = self;
	/* Relaxed: a switch takes effect with the operation that sees it. */
	uint32_t mode = ES_MODE_ALL &
	    atomic_load_explicit(&c->ring.hot->mode, memory_order_relaxed);

	if (collector_is_fast(mode)) {
		uint64_t start = paths_clock_ticks();

		if (__builtin_expect(start > es__cpu_sample_due, 0))
			return collector_begin(c, op, slot, mode);
		*slot =
		    collector_trace(c, op, start) << MODE_BITS | ES_MODE_TRACE;
		return PATHS_PASS_ON;
	}
	if (mode != ES_MODE_OFF)
		return collector_begin(c, op, slot, mode);
	*slot = ES_MODE_OFF;
	return PATHS_PASS_ON;
}

/* Returns the ticks from start to stop.  The slot has lost the highest bits of
   start. */
static uint64_t
collector_ticks(uint64_t start, uint64_t stop)
{
	int64_t ticks = (int64_t)((stop - start) << MODE_BITS) >> MODE_BITS;

	/* The clocks of two cores may differ, so the time can be negative. */
	return ticks > 0 ? (uint64_t)ticks : 0;
}

/* The up-pass of all modes and clocks. */
__attribute__((noinline)) static void
collector_end(const struct collector *c, const struct paths_op *op,
    uint64_t slot)
{
	uint64_t start = slot >> MODE_BITS;
	bool ok = op->status == PATHS_OK;
	uint64_t stop;

	if (slot & (ES_MODE_TRACE | ES_MODE_PROFILE)) {
		stop = paths_clock_ticks_ordered();
		if (slot & ES_MODE_TRACE) {
			start = collector_tuple(c, slot)->start;
			collector_complete(c, op, collector_tuple(c, slot),
			    stop);
		}
		if (slot & ES_MODE_PROFILE)
			es_record_profile(&c->ring, op->kind,
			    collector_ticks(start, stop), ok);
		if (__builtin_expect(stop > es__cpu_sample_due, 0))
			es__cpu_sample_leave(&c->ring, stop);
	}
	if ((slot & ES_MODE_MATRIX) && ok)
		es_record_matrix(&c->ring, op->kind, op->bytes);
}

/* The end of a fast up-pass after which a sample is due.  Without a call in it,
   the up-pass saves no registers. */
__attribute__((noinline, cold)) static void
collector_sample(const struct collector *c, const struct paths_op *op,
    struct es_tuple_path *t, uint64_t stop)
{
	collector_complete(c, op, t, stop);
	es__cpu_sample_leave(&c->ring, stop);
}

static void
collector_up(void *self, struct paths_op *op, uint64_t *slot)
{
	const struct collector *c = self;
	uint64_t mode = *slot & ES_MODE_ALL;
	/* Computed before the clock is read, which waits for earlier work. */
	struct es_tuple_path *t = collector_tuple(c, *slot);

	if (collector_is_fast(mode)) {
		uint64_t stop = paths_clock_ticks_ordered();

		if (__builtin_expect(stop > es__cpu_sample_due, 0))
			collector_sample(c, op, t, stop);
		else
			collector_complete(c, op, t, stop);
	} else if (mode != ES_MODE_OFF)
		collector_end(c, op, *slot);
}

static void
collector_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct collector *c = self;
	struct es_space_hot *hot = c->ring.hot;
	uint64_t count =
	    atomic_load_explicit(&hot->reserved, memory_order_relaxed);
	uint64_t first = atomic_load_explicit(&hot->base, memory_order_relaxed);
	uint64_t slots = c->ring.tuple_bytes == 0 ?
	    0 :
	    atomic_load_explicit(&hot->limit, memory_order_relaxed) /
		c->ring.tuple_bytes;

	if (count > slots && count - slots > first)
		first = count - slots;
	emit(to, 0, count);
	emit(to, 1, first);
}

/* A collector that is off rests until a mode of its space changes.  Without a
   space it rests for ever. */
static bool
collector_rests(const void *self, const paths_atomic_u32 **word)
{
	const struct collector *c = self;

	*word = c->ring.record != NULL ? es_record_switches(c->ring.record) :
					 &collector_off.mode;
	/* Relaxed: the path has acquired the word. */
	return atomic_load_explicit(&c->ring.hot->mode, memory_order_relaxed) ==
	    ES_MODE_OFF;
}

static void
collector_close(void *self)
{
	struct collector *c = self;

	es__session_unref(c->session);
}

const struct paths_stage_ops es__stage_collector = {
	.abi = PATHS_STAGE_ABI,
	.name = "collector",
	.about = "record the operations that pass",
	.example = "collector -keep 64",
	.flags = PATHS_STAGE_ANY_BYTES,
	.size = sizeof(struct collector),
	.options = collector_options,
	.open = collector_open,
	.down = collector_down,
	.up = collector_up,
	.stat = collector_stat,
	.close = collector_close,
	.rests = collector_rests,
};
