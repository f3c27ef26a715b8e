/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/clock_private.h - the value of PATHS_CLOCK
 */

#ifndef LIBPATHS_BASE_CLOCK_PRIVATE_H
#define LIBPATHS_BASE_CLOCK_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* The largest error of a clock: 30 years, a tenth of its rate, and a wave of
   1 s that changes the rate by a tenth. */
#define PATHS__CLOCK_OFFSET_NS_MAX INT64_C(1000000000000000000)
#define PATHS__CLOCK_PPM_MAX 100000.0
#define PATHS__CLOCK_WAVE_NS_MAX 1e9
#define PATHS__CLOCK_PERIOD_S_MAX 1e6

/* The error that PATHS_CLOCK gives a clock. */
struct paths__clock_error {
	int64_t offset_ns;
	double ppm;
	double wave_ns, period_s; /* 0: no wave */
	/* Ticks at which the error was the offset alone, and ticks per second;
	   hz 0: the process takes its own. */
	uint64_t base;
	uint64_t hz;
};

/* Reads offset_ns,ppm[,wave_ns,period_s][@base,hz].  Returns false for another
   text or a larger error; *error is written only on true. */
bool paths__clock_parse(const char *text, struct paths__clock_error *error);

#endif
