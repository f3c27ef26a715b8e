/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/delay.c - delays operations by a given or a random time
 *
 * Serves tests that need known times, and experiments with slower parts.  The
 * operation waits on its way down, for at least the delay.
 *
 * Arguments	TIME
 *		-random none|uniform|exponential: exactly TIME, a time from 0 to
 *		twice TIME, or one of exponential distribution with mean TIME
 *		-seed N of the random numbers, which differ between stages
 *		-every N: delays the first of each N operations
 * Counters	0	operations delayed
 *		1	sum of their delays, in ticks
 * Errors	none
 * Source	Marsaglia: Xorshift RNGs, Journal of Statistical Software 8,
 *		2003: the shifts 13, 7, 17
 */

#include "libpaths/map/stage_private.h"

#include "libpaths/clock.h"

#include <math.h>

#define DELAY_RANDOM "none|uniform|exponential"
enum { DELAY_NONE, DELAY_UNIFORM, DELAY_EXPONENTIAL };

struct delay {
	/* Written by open. */
	uint64_t ticks;
	uint64_t every;
	uint64_t distribution; /* index in DELAY_RANDOM */

	/* Written by the thread that carries the operation. */
	uint64_t passed; /* operations since the last one that was delayed */
	uint64_t random;
	_Atomic uint64_t delayed;
	_Atomic uint64_t delayed_ticks;
};

static paths_status
delay_open(void *self, const struct paths_stage_env *env)
{
	struct delay *d = self;
	uint64_t seed = paths_map_option(env->item, "-seed")->number;

	d->ticks = paths_clock_ns_to_ticks(
	    paths_map_option(env->item, "time")->number);
	d->distribution = paths_map_option(env->item, "-random")->number;
	d->every = paths_map_option(env->item, "-every")->number;
	/* The constants are odd and without a pattern, so neighbouring seeds
	   and instances begin far apart.  The generator would never leave 0. */
	d->random = seed * UINT64_C(0x9e3779b97f4a7c15) ^
	    (env->instance + UINT64_C(1)) * UINT64_C(0xbf58476d1ce4e5b9);
	if (d->random == 0)
		d->random = 1;
	d->passed = d->every - 1;
	return PATHS_OK;
}

/* Returns a random number of uniform distribution in (0, 1]. */
static double
delay_uniform(struct delay *d)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 7;
	d->random ^= d->random << 17;
	return (double)((d->random >> 11) + 1) * 0x1p-53;
}

static uint64_t
delay_draw(struct delay *d)
{
	switch (d->distribution) {
	case DELAY_UNIFORM:
		return (uint64_t)(2 * delay_uniform(d) * (double)d->ticks);
	case DELAY_EXPONENTIAL:
		return (uint64_t)(-log(delay_uniform(d)) * (double)d->ticks);
	default:
		return d->ticks;
	}
}

static enum paths_pass
delay_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct delay *d = self;
	uint64_t ticks;

	(void)slot;
	if (++d->passed < d->every)
		return PATHS_PASS_ON;
	d->passed = 0;
	ticks = delay_draw(d);
	paths__stage_count(&d->delayed, 1);
	paths__stage_count(&d->delayed_ticks, ticks);
	return paths_op_go_on_at(op, paths_clock_ticks() + ticks);
}

static void
delay_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct delay *d = self;

	emit(to, 0, atomic_load_explicit(&d->delayed, memory_order_relaxed));
	emit(to, 1,
	    atomic_load_explicit(&d->delayed_ticks, memory_order_relaxed));
}

static const struct paths_option delay_options[] = {
	{ "time", PATHS_OPTION_TIME, PATHS_OPTION_REQUIRED, NULL, NULL,
	    "delay of an operation" },
	{ "-random", PATHS_OPTION_CHOICE, 0, DELAY_RANDOM, "none",
	    "distribution of the time" },
	{ "-seed", PATHS_OPTION_COUNT, 0, NULL, "1",
	    "seed of the random numbers" },
	{ "-every", PATHS_OPTION_COUNT, PATHS_OPTION_POSITIVE, NULL, "1",
	    "operations of which one is delayed" },
	{ 0 },
};

const struct paths_stage_ops paths__stage_delay = {
	.abi = PATHS_STAGE_ABI,
	.name = "delay",
	.about = "delay operations by a given or a random time",
	.example = "delay 1us",
	.flags = PATHS_STAGE_ANY_BYTES,
	.size = sizeof(struct delay),
	.options = delay_options,
	.open = delay_open,
	.down = delay_down,
	.stat = delay_stat,
};
