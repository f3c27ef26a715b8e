/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/network.c - aligns all clocks together, piece by piece
 *
 * scopes/align has the algorithm.
 */

#include "scopes/clock/aligned_private.h"

static paths_status
network_solve(const struct es_analysis *a, struct es__clock_result *result)
{
	return es__clock_aligned(a, true, result);
}

const struct es__clock_method es__clock_network = {
	.name = "network",
	.about = "lines and corrections that fit all messages of all hosts",
	.bounds = true,
	.logical = true,
	.solve = network_solve,
};
