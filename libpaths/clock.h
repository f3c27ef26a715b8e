/* SPDX-License-Identifier: MIT */
/*
 * libpaths/clock.h - the clock that stamps operations
 *
 * Raw ticks of the time stamp counter where it is invariant (cntvct_el0 on
 * arm64), of CLOCK_MONOTONIC elsewhere.  Ticks are converted to nanoseconds
 * by whoever reads them later, with the calibration of paths_clock_pair.
 *
 * PATHS_CLOCK=offset_ns,ppm gives a process a clock that is wrong by a known
 * amount, so that clock alignment has an exact truth to be compared with.  It
 * moves everything here alike: ticks, monotonic and wall-clock time.
 */

#ifndef LIBPATHS_CLOCK_H
#define LIBPATHS_CLOCK_H

#include "libpaths/status.h"

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum paths_clock_source {
	PATHS_CLOCK_RAW = 0,	   /* the counter of the processor, as it is */
	PATHS_CLOCK_MONOTONIC = 1, /* clock_gettime: one tick is one ns */
	PATHS_CLOCK_MOVED = 2	   /* either, moved by PATHS_CLOCK */
};

/* Written once, before main; read by the two functions below. */
extern PATHS_API enum paths_clock_source paths_clock_how;

/*
 * paths_clock_slow - the readings that are not just the raw counter
 *
 * For the two functions below; ordered after earlier work.
 *
 * Returns	ticks since some moment in the past
 * Threads	any
 * Since	0.1
 */
PATHS_API uint64_t paths_clock_slow(void);

/*
 * paths_clock_ticks - now, in ticks; may run a little early
 *
 * For the start of an operation: nothing orders it after earlier work.
 *
 * Returns	ticks since some moment in the past
 * Threads	any
 * Source	reference: recording, sections 1 and 4
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
 * For the stop of an operation.  A plain reading may execute a whole reorder
 * buffer early and stamp a 141 ns operation as 9 ns.
 *
 * Returns	ticks since some moment in the past
 * Threads	any
 * Source	reference: recording, section 4
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
 * Two pairs give the rate of the ticks: the further apart, the better.
 *
 * pair	out: ticks lie within the reading of the other two, the tightest of
 *	several tries
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
PATHS_API void paths_clock_pair(struct paths_clock_pair *pair);

/*
 * paths_clock_hz - how many ticks one second has, about
 *
 * Measured once when the library is loaded, to about 20 ppm: good for
 * deadlines and delays, not for analysis.
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
 * Returns	ticks; durations below it are not real
 * Threads	any
 * Since	0.1
 */
PATHS_API uint64_t paths_clock_resolution(void);

/*
 * paths_clock_domain - which clock this process stamps with
 *
 * Two processes with equal texts share one clock exactly.
 *
 * Returns	"BOOTID/SOURCE" or "BOOTID/SOURCE/PATHS_CLOCK's value"
 * Ownership	the library's, constant
 * Threads	any
 * Since	0.1
 */
PATHS_API const char *paths_clock_domain(void);

#endif
