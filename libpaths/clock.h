/* SPDX-License-Identifier: MIT */
/*
 * libpaths/clock.h - the clock that stamps operations
 *
 * Stamps are raw ticks of the time stamp counter if it is invariant (cntvct_el0
 * on arm64), and otherwise of CLOCK_MONOTONIC.  Readers convert them to
 * nanoseconds with the calibration of paths_clock_pair.
 *
 * PATHS_CLOCK=offset_ns,ppm[,wave_ns,period_s][@base,hz] gives a process a
 * clock with a known error, as the ground truth for clock alignment.  It moves
 * ticks, monotonic time and wall-clock time alike.  base and hz are raw ticks
 * and their rate: processes with one value read one clock to the tick.  Without
 * them each process takes its own.
 */

#ifndef LIBPATHS_CLOCK_H
#define LIBPATHS_CLOCK_H

#include "libpaths/status.h"

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

PATHS_BEGIN_DECLS

enum paths_clock_source {
	PATHS_CLOCK_RAW = 0,	   /* the counter of the processor */
	PATHS_CLOCK_MONOTONIC = 1, /* clock_gettime: one tick is one ns */
	PATHS_CLOCK_MOVED = 2	   /* either, moved by PATHS_CLOCK */
};

/* Written once, before main; read by the two functions below. */
extern PATHS_API enum paths_clock_source paths_clock_how;

/*
 * paths_clock_slow - now, in ticks, of any source
 *
 * The two functions below call it when the source is not the raw counter.  The
 * reading is ordered after earlier work.
 *
 * Returns	ticks since some moment in the past
 * Threads	any
 * Since	0.1
 */
PATHS_API uint64_t paths_clock_slow(void);

/*
 * paths_clock_ticks - now, in ticks, not ordered after earlier work
 *
 * For the start of an operation.  The reading may be a little early.
 *
 * Returns	ticks since some moment in the past
 * Threads	any
 * Since	0.1
 */
static inline uint64_t
paths_clock_ticks(void)
{
	if (__builtin_expect(paths_clock_how != PATHS_CLOCK_RAW, 0))
		return paths_clock_slow();
#if defined(__x86_64__)
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#else
	return paths_clock_slow();
#endif
}

/*
 * paths_clock_ticks_ordered - now, in ticks, after all earlier work
 *
 * For the stop of an operation.  An unordered reading may execute before the
 * operation has ended, and stamp 141 ns as 9 ns.
 *
 * Returns	ticks since some moment in the past
 * Threads	any
 * Source	Intel 64 and IA-32 Architectures Software Developer's Manual,
 *		volume 2, RDTSC
 * Since	0.1
 */
static inline uint64_t
paths_clock_ticks_ordered(void)
{
	if (__builtin_expect(paths_clock_how != PATHS_CLOCK_RAW, 0))
		return paths_clock_slow();
#if defined(__x86_64__)
	_mm_lfence();
	return __rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(t) : : "memory");
	return t;
#else
	return paths_clock_slow();
#endif
}

/* One moment on three clocks. */
struct paths_clock_pair {
	uint64_t ticks;
	uint64_t monotonic_ns;
	uint64_t realtime_ns;
};

/*
 * paths_clock_pair - read all three clocks at one moment
 *
 * Two pairs give the rate of the ticks, the more exact the further they are
 * apart.
 *
 * pair	out: the clocks of the shortest of several tries; ticks and wall-clock
 *	time are read between two readings of the monotonic clock, of which
 *	the middle is taken
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
PATHS_API void paths_clock_pair(struct paths_clock_pair *pair);

/*
 * paths_clock_hz - the approximate rate of the ticks
 *
 * Measured once when the library is loaded, to about 20 ppm.  That is enough
 * for deadlines and delays, but not for analysis.
 *
 * Returns	ticks per second
 * Threads	any
 * Since	0.1
 */
PATHS_API uint64_t paths_clock_hz(void);

/*
 * paths_clock_ns_to_ticks, paths_clock_ticks_to_ns - convert a duration
 *
 * Returns	the duration in the other unit, by paths_clock_hz
 * Threads	any
 * Since	0.1
 */
PATHS_API uint64_t paths_clock_ns_to_ticks(uint64_t ns);
PATHS_API uint64_t paths_clock_ticks_to_ns(uint64_t ticks);

/*
 * paths_clock_resolution - the smallest step between two readings
 *
 * Returns	ticks; a shorter duration cannot be measured
 * Threads	any
 * Since	0.1
 */
PATHS_API uint64_t paths_clock_resolution(void);

/*
 * paths_clock_domain - the name of the clock that this process stamps with
 *
 * Two processes with equal texts share one clock exactly.
 *
 * Returns	"BOOTID/SOURCE", or with PATHS_CLOCK "BOOTID/SOURCE/VALUE"
 * Ownership	the library's, constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_clock_domain(void);

PATHS_END_DECLS

#endif
