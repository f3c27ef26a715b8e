/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/histogram.c - finds quantiles in a histogram
 */

#include "scopes/path/histogram_private.h"

#include <math.h>

/* Returns the middle of the numbers in a bin. */
static int64_t
bin_middle(uint32_t bin)
{
	uint32_t shift = bin >> ES__HISTOGRAM_BITS;
	uint64_t lowest, width;

	if (shift > 0)
		shift--;
	lowest = (uint64_t)(bin - (shift << ES__HISTOGRAM_BITS)) << shift;
	width = (uint64_t)1 << shift;
	return (int64_t)(lowest + (width - 1) / 2);
}

int64_t
es__histogram_at(const struct es__histogram *histogram, double part)
{
	uint64_t rank, below = 0;

	if (histogram->count == 0)
		return 0;
	rank = (uint64_t)ceil(part * (double)histogram->count);
	if (rank == 0)
		rank = 1;
	for (uint32_t bin = 0; bin < ES__HISTOGRAM_BINS; bin++) {
		below += histogram->bins[bin];
		if (below >= rank)
			return bin_middle(bin);
	}
	return 0;
}
