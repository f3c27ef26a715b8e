/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/average.c - aligns each clock by one offset: the mean over
 * operations
 *
 * The offset of clock B to clock A is the mean of o = t2 - (t1 + c), c = ((t4 -
 * t1) - (t3 - t2)) / 2.  A is the clock that is nearer to the reference.  The
 * mean is over the operations that A began, or over those of B when A began
 * none.  The formula takes the way down to be as long as the way up, so the
 * error is half the mean difference of the two.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Global Clock"
 */

#include "scopes/clock/constant_private.h"

#include <stddef.h>

static int64_t
average_offset(const struct es__clock_edge *down,
    const struct es__clock_edge *up)
{
	return down != NULL ? down->offset_ns : -up->offset_ns;
}

static paths_status
average_solve(const struct es_analysis *a, struct es__clock_result *result)
{
	return es__clock_constant(a, average_offset, result);
}

const struct es__clock_method es__clock_average = {
	.name = "average",
	.about = "constant offsets, the mean over remote operations",
	.bounds = true,
	.measures = true,
	.solve = average_solve,
};
