/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/throttle.c - limits the bytes per second that pass
 *
 * Acts like a link of that speed.  A tuple occupies the link for its length
 * divided by the rate, from the time when the previous tuple has left it, and
 * then goes on.  A read occupies the link on its way down.
 *
 * Arguments	RATE in bytes per second, -burst BYTES that an idle link passes
 *		at once
 * Counters	0	operations that had to wait
 *		1	time that they waited, in ticks
 * Errors	none
 */

#include "libpaths/map/stage_private.h"

#include "libpaths/clock.h"

struct throttle {
	/* Written by open. */
	double ticks_per_byte;
	uint64_t burst_ticks;

	/* Written by the thread that carries the operation. */
	uint64_t busy_until; /* ticks */
	_Atomic uint64_t held;
	_Atomic uint64_t held_ticks;
};

static paths_status
throttle_open(void *self, const struct paths_stage_env *env)
{
	struct throttle *t = self;
	uint64_t rate = paths_map_option(env->item, "rate")->number;
	uint64_t burst = paths_map_option(env->item, "-burst")->number;

	t->ticks_per_byte = (double)paths_clock_hz() / (double)rate;
	t->burst_ticks = (uint64_t)((double)burst * t->ticks_per_byte);
	return PATHS_OK;
}

static enum paths_pass
throttle_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct throttle *t = self;
	uint64_t now = paths_clock_ticks();
	/* After a pause, a tuple may start up to burst_ticks in the past. */
	uint64_t start = now > t->burst_ticks ? now - t->burst_ticks : 0;

	(void)slot;
	if (t->busy_until > start)
		start = t->busy_until;
	t->busy_until =
	    start + (uint64_t)((double)op->bytes * t->ticks_per_byte);
	if (t->busy_until <= now)
		return PATHS_PASS_ON;
	paths__stage_count(&t->held, 1);
	paths__stage_count(&t->held_ticks, t->busy_until - now);
	return paths_op_go_on_at(op, t->busy_until);
}

static void
throttle_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct throttle *t = self;

	emit(to, 0, atomic_load_explicit(&t->held, memory_order_relaxed));
	emit(to, 1, atomic_load_explicit(&t->held_ticks, memory_order_relaxed));
}

static const struct paths_option throttle_options[] = {
	{ "rate", PATHS_OPTION_RATE,
	    PATHS_OPTION_REQUIRED | PATHS_OPTION_POSITIVE, NULL, NULL,
	    "bytes per second" },
	{ "-burst", PATHS_OPTION_BYTES, 0, NULL, "0",
	    "bytes that pass at once after a pause" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_throttle = {
	.abi = PATHS_STAGE_ABI,
	.name = "throttle",
	.about = "limit the bytes per second that pass",
	.example = "throttle 1G",
	.flags = PATHS_STAGE_ANY_BYTES,
	.size = sizeof(struct throttle),
	.options = throttle_options,
	.open = throttle_open,
	.down = throttle_down,
	.stat = throttle_stat,
};
