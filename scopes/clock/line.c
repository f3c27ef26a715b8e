/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/line.c - aligns each clock by a straight line
 *
 * scopes/align has the algorithm.
 */

#include "scopes/clock/aligned_private.h"

static paths_status
line_solve(const struct es_analysis *a, struct es__clock_result *result)
{
	return es__clock_aligned(a, false, result);
}

const struct es__clock_method es__clock_line = {
	.name = "line",
	.about =
	    "a straight line for each clock, between the bounds of messages",
	.bounds = true,
	.logical = true,
	.solve = line_solve,
};
