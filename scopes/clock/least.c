/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/least.c - aligns each clock by one offset: that of the
 * shortest operation
 *
 * The operation that travels for the shortest time, down and up, was delayed
 * least, so the difference of its two ways is small.
 *
 * Source	Mills, Martin, Burbank, Kasch: Network Time Protocol Version 4,
 *		RFC 5905, section 10 (the clock filter)
 */

#include "scopes/clock/constant_private.h"

#include <stddef.h>

static int64_t
minimum_offset(const struct es__clock_edge *down,
    const struct es__clock_edge *up)
{
	if (up == NULL || (down != NULL && down->least_ns <= up->least_ns))
		return down->least_offset_ns;
	return -up->least_offset_ns;
}

static paths_status
minimum_solve(const struct es_analysis *a, struct es__clock_result *result)
{
	return es__clock_constant(a, minimum_offset, result);
}

const struct es__clock_method es__clock_minimum = {
	.name = "minimum",
	.about = "constant offsets, those of the shortest remote operations",
	.bounds = true,
	.measures = true,
	.solve = minimum_solve,
};
