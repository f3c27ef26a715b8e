/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/clock_private.h - the value of PATHS_CLOCK
 */

#ifndef LIBPATHS_BASE_CLOCK_PRIVATE_H
#define LIBPATHS_BASE_CLOCK_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* The largest error of a clock: 30 years, and a tenth of its rate. */
#define PATHS__CLOCK_OFFSET_NS_MAX INT64_C(1000000000000000000)
#define PATHS__CLOCK_PPM_MAX 100000.0

/* The error that PATHS_CLOCK gives a clock. */
struct paths__clock_error {
	int64_t offset_ns;
	double ppm;
};

/* Reads offset_ns,ppm.  Returns false for another text or a larger error;
   *error is written only on true. */
bool paths__clock_parse(const char *text, struct paths__clock_error *error);

#endif
