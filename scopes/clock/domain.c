/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/domain.c - finds the clocks of a run
 *
 * Ticks become local nanoseconds by two calibrations: the first and the last
 * that any process of the domain took.  So all processes of a domain convert
 * alike.
 */

#include "scopes/clock/domain_private.h"

#include "scopes/clock/analysis_private.h"

#include <stdlib.h>
#include <string.h>

/* Calibrations closer together than this give a worse rate than hz. */
#define APART_NS 100000000u

/* Returns the index of a domain; the count of domains when it is new. */
static uint32_t
domain_index(struct es__clocks *clocks, const char *text)
{
	uint32_t d = 0;

	while (d < clocks->domain_count &&
	    strcmp(clocks->domains[d].text, text) != 0)
		d++;
	return d;
}

static void
domain_add(struct es__clocks *clocks, uint32_t process,
    const struct es_space_info *info)
{
	uint32_t d = domain_index(clocks, info->clock_domain);
	struct es__clock_domain *domain = &clocks->domains[d];

	clocks->domain_of[process] = d;
	if (d == clocks->domain_count) {
		clocks->domain_count++;
		domain->text = info->clock_domain;
		domain->process = process;
		domain->first = info->start;
		domain->last = info->latest;
		domain->hz = info->hz;
	}
	if (info->start.ticks < domain->first.ticks)
		domain->first = info->start;
	if (info->latest.ticks > domain->last.ticks)
		domain->last = info->latest;
}

/* Returns whether a rate is possible: a damaged file may contain any. */
static bool
domain_mult_is_possible(int64_t mult)
{
	/* 1 MHz .. 1 THz */
	return mult >= ((int64_t)1 << 48) / 1000 &&
	    mult <= ((int64_t)1 << 48) / 1000 * 1000000;
}

/* Returns ns per tick, times 2^48. */
static int64_t
domain_mult(uint64_t ns, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 wide;

	if (ticks == 0)
		return 0;
	return (int64_t)((((wide)ns << 48) + ticks / 2) / ticks);
}

void
es__clock_domain_rate(struct es__clock_domain *domain)
{
	uint64_t ticks = domain->last.ticks - domain->first.ticks;
	uint64_t ns = domain->last.monotonic_ns - domain->first.monotonic_ns;
	int64_t mult = 0;

	if (domain->last.ticks > domain->first.ticks && ns >= APART_NS &&
	    ns < (uint64_t)1 << 62)
		mult = domain_mult(ns, ticks);
	if (!domain_mult_is_possible(mult))
		mult = domain_mult(1000000000u, domain->hz);
	if (!domain_mult_is_possible(mult))
		mult = (int64_t)1 << 48;
	domain->local = (struct es_timebase){ .origin = domain->first.ticks,
		.ns = (int64_t)domain->first.monotonic_ns,
		.mult = mult };
}

paths_status
es__clock_domain_find(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	uint32_t processes = a->map->process_count;
	struct es_space_info info;

	clocks->domains = calloc(processes + 1, sizeof(*clocks->domains));
	clocks->domain_of = calloc(processes + 1, sizeof(uint32_t));
	if (clocks->domains == NULL || clocks->domain_of == NULL)
		return PATHS_ENOMEM;
	for (uint32_t p = 0; p < processes; p++) {
		clocks->domain_of[p] = PATHS_NONE;
		if (a->run->spaces[p] == NULL)
			continue;
		es_space_info(a->run->spaces[p], &info);
		domain_add(clocks, p, &info);
	}
	for (uint32_t d = 0; d < clocks->domain_count; d++)
		es__clock_domain_rate(&clocks->domains[d]);
	return PATHS_OK;
}
