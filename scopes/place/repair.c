/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/repair.c - makes a placement valid
 */

#include "scopes/place/repair_private.h"

#include "scopes/place/pair_private.h"

#include "libpaths/log.h"

#include <stdbool.h>
#include <stdlib.h>

static double
repair_cost(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *places, uint32_t p, uint32_t place)
{
	double sum = 0;

	for (size_t n = t->row[p]; n < t->row[p + 1]; n++)
		sum += es__pair_cost(m, t, n,
		    es__machine_differ(m->code[place],
			m->code[places[t->partner[n]]]));
	return sum;
}

/* Moves a process to the free place of least cost. */
static void
repair_move(const struct es_machine *m, const struct es_traffic *t,
    uint32_t *places, uint32_t p, bool *taken)
{
	uint32_t best = UINT32_MAX;
	double least = 0;

	for (uint32_t place = 0; place < m->slot_count; place++) {
		double cost;

		if (taken[place])
			continue;
		cost = repair_cost(m, t, places, p, place);
		if (best == UINT32_MAX || cost < least) {
			best = place;
			least = cost;
		}
	}
	taken[best] = true;
	places[p] = best;
}

paths_status
es__repair(const struct es_machine *m, const struct es_traffic *t,
    uint32_t *places)
{
	bool *taken = calloc(m->slot_count, sizeof(*taken));
	uint32_t *surplus = calloc(t->count, sizeof(*surplus));
	uint32_t count = 0;

	if (taken == NULL || surplus == NULL) {
		free(taken);
		free(surplus);
		return paths_log_fail(PATHS_ENOMEM, "no memory for repair");
	}
	for (uint32_t p = 0; p < t->count; p++) {
		if (taken[places[p]])
			surplus[count++] = p;
		taken[places[p]] = true;
	}
	for (uint32_t n = 0; n < count; n++)
		repair_move(m, t, places, surplus[n], taken);
	free(taken);
	free(surplus);
	return PATHS_OK;
}
