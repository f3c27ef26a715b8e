/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/cost.c - evaluates placements
 *
 * Used for every method, so that their results can be compared.
 */

#include "scopes/place.h"
#include "scopes/place/pair_private.h"

#include "libpaths/log.h"

#include <string.h>

static paths_status
cost_check(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *slots)
{
	paths_status st = es__traffic_fits(t, m->level_count);

	if (st != PATHS_OK)
		return st;
	for (uint32_t p = 0; p < t->count; p++)
		if (slots[p] >= m->slot_count)
			return paths_log_fail(PATHS_ERANGE,
			    "process %u is on slot %u: there are %u slots", p,
			    slots[p], m->slot_count);
	return PATHS_OK;
}

static void
cost_row(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *slots, uint32_t p, struct es_place_cost *cost)
{
	uint64_t own = m->code[m->place[slots[p]]];

	for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
		uint32_t q = t->partner[n];
		unsigned at;

		if (q < p)
			continue;
		at = es__machine_differ(own, m->code[m->place[slots[q]]]);
		cost->pairs[m->depth[at]]++;
		cost->weight[m->depth[at]] += t->weight[n];
		cost->cost[m->depth[at]] += es__pair_cost(m, t, n, at);
	}
}

paths_status
es_place_evaluate(const struct es_machine *machine,
    const struct es_traffic *traffic, const uint32_t *slots,
    struct es_place_cost *cost)
{
	paths_status st = cost_check(machine, traffic, slots);

	if (st != PATHS_OK)
		return st;
	memset(cost, 0, sizeof(*cost));
	for (uint32_t p = 0; p < traffic->count; p++)
		cost_row(machine, traffic, slots, p, cost);
	for (uint32_t n = 0; n <= machine->level_count; n++)
		cost->total += cost->cost[n];
	return PATHS_OK;
}
