/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/wall.c - trusts each host's wall clock
 *
 * NTP or an administrator has set the clock.  Hosts that no recorded operation
 * connects have no other method, and other methods are compared with it.
 */

#include "scopes/clock/clock_private.h"

/* Returns a domain's own clock minus wall-clock time. */
static int64_t
domain_ahead(const struct es__clock_domain *domain)
{
	return (int64_t)domain->first.monotonic_ns -
	    (int64_t)domain->first.realtime_ns;
}

static void
wall_solve(const struct es__clocks *clocks,
    struct es__clock_solution *solutions)
{
	for (uint32_t d = 0; d < clocks->domain_count; d++) {
		const struct es__clock_domain *domain = &clocks->domains[d];
		bool reference = d == clocks->reference;

		solutions[d].offset_ns = domain_ahead(domain) -
		    domain_ahead(&clocks->domains[clocks->reference]);
		solutions[d].rate_ppb = 0;
		solutions[d].bound_ns = reference ? 0 : -1;
	}
}

const struct es__clock_method es__clock_wall = {
	.name = "wall",
	.about = "the wall clocks of the hosts, as they were set",
	.solve = wall_solve,
};
