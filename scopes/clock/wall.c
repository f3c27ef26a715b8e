/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/wall.c - trusts each host's wall clock
 *
 * NTP or an administrator has set the clock.  Hosts that no recorded operation
 * connects have no other method, and other methods are compared with it.
 */

#include "scopes/clock/analysis_private.h"

/* clock.c sets what a method leaves open by the wall clocks. */
static paths_status
wall_solve(const struct es_analysis *a, struct es__clock_result *result)
{
	if (a->clocks.order_count > 0)
		result->reference = a->clocks.order[0];
	for (uint32_t n = 0; n < a->clocks.order_count; n++)
		result->solutions[a->clocks.order[n]].connected = true;
	return PATHS_OK;
}

const struct es__clock_method es__clock_wall = {
	.name = "wall",
	.about = "the wall clocks of the hosts, as they were set",
	.measures = true,
	.solve = wall_solve,
};
