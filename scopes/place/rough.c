/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/rough.c - weights and distances that stand for costs
 *
 * Scotch, matching and growth know a pair's cost only as weight x distance.
 * Their placements are starts, which are improved by the costs themselves.
 */

#include "scopes/place/rough_private.h"

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static paths_status
rough_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a placement");
}

/* Makes a machine of the same groups, whose places are its slots. */
static paths_status
rough_machine(const struct es_machine *m, const struct es_traffic *t,
    struct es_machine **machine)
{
	double distances[ES_MACHINE_LEVELS + 1] = { 0 };
	struct es_machine_tree tree = { .slot_count = m->slot_count,
		.level_count = m->level_count,
		.distances = distances };
	uint32_t *groups =
	    calloc((size_t)m->slot_count * m->level_count + 1, sizeof(*groups));
	paths_status st;

	if (groups == NULL)
		return rough_no_memory();
	for (uint32_t at = 0; at < m->slot_count; at++)
		for (uint32_t n = 0; n < m->level_count; n++)
			groups[(size_t)at * m->level_count + n] =
			    m->group[(size_t)n * m->slot_count + at];
	for (size_t n = 0; n < t->row[t->count]; n++)
		for (uint32_t depth = 0; depth < t->depths; depth++)
			distances[depth] +=
			    t->cost[n * t->depths + depth] / t->most;
	/* Distances of a machine do not rise with the depth. */
	for (uint32_t n = 1; n <= m->level_count; n++)
		if (distances[n] > distances[n - 1])
			distances[n] = distances[n - 1];
	tree.groups = groups;
	st = es_machine_create(&tree, machine);
	free(groups);
	return st;
}

static paths_status
rough_traffic(const struct es_traffic *t, struct es_traffic **traffic)
{
	size_t count = 0;
	struct es_traffic_edge *edges =
	    calloc(t->row[t->count] / 2 + 1, sizeof(*edges));
	paths_status st;

	if (edges == NULL)
		return rough_no_memory();
	for (uint32_t p = 0; p < t->count; p++)
		for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
			const double *cost = t->cost + n * t->depths;
			double saves = cost[0] - cost[t->depths - 1];

			if (t->partner[n] > p && saves > 0)
				edges[count++] = (struct es_traffic_edge){ p,
					t->partner[n], saves };
		}
	st = es_traffic_create(t->count, edges, count, traffic);
	free(edges);
	return st;
}

paths_status
es__rough_make(const struct es_machine *m, const struct es_traffic *t,
    struct es__rough *rough)
{
	paths_status st = rough_machine(m, t, &rough->machine);

	return st == PATHS_OK ? rough_traffic(t, &rough->traffic) : st;
}

void
es__rough_fini(struct es__rough *rough)
{
	es_machine_destroy(rough->machine);
	es_traffic_destroy(rough->traffic);
}
