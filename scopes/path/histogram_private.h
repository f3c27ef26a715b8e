/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/histogram_private.h - finds quantiles of a stream of numbers
 *
 * Logarithmic histogram.  Each number below 512 has a bin of its own.  Above,
 * each power of two has 256 bins, so the width of a bin is at most 1/256 (0.39
 * %) of its numbers.  The order of numbers does not matter.
 */

#ifndef SCOPES_PATH_HISTOGRAM_PRIVATE_H
#define SCOPES_PATH_HISTOGRAM_PRIVATE_H

#include <stdint.h>

#define ES__HISTOGRAM_BITS 8
#define ES__HISTOGRAM_BINS ((64 - ES__HISTOGRAM_BITS + 1) << ES__HISTOGRAM_BITS)

struct es__histogram {
	uint64_t count;
	uint64_t bins[ES__HISTOGRAM_BINS];
};

static inline uint32_t
es__histogram_bin(uint64_t n)
{
	uint32_t shift;

	if (n < (1u << ES__HISTOGRAM_BITS))
		return (uint32_t)n;
	shift = 63u - ES__HISTOGRAM_BITS - (uint32_t)__builtin_clzll(n);
	return (shift << ES__HISTOGRAM_BITS) + (uint32_t)(n >> shift);
}

/* Adds a number.  Negative ones, which errors of clocks make, count as 0. */
static inline void
es__histogram_add(struct es__histogram *histogram, int64_t n)
{
	histogram->count++;
	histogram->bins[es__histogram_bin(n < 0 ? 0 : (uint64_t)n)]++;
}

/*
 * es__histogram_at - get a quantile
 *
 * part	0: the least number .. 1: the largest; 0.5: the median, the lower of two
 *
 * Returns	the middle of the quantile's bin; 0 without numbers
 */
int64_t es__histogram_at(const struct es__histogram *histogram, double part);

#endif
