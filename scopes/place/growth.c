/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/growth.c - placement slot by slot
 *
 * The next slot takes the process that saves most by sharing the groups of the
 * slot with the processes that are there.  Processes with traffic to the
 * current group of a level are in the list of the level; the list of the top
 * level has those of all.
 */

#include "scopes/place/growth_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define GROWTH_NONE UINT32_MAX

struct growth {
	const struct es_machine *m;
	const struct es_traffic *t;
	uint32_t levels; /* those of the machine, and at least one */
	double *pull;	 /* of process p to the current groups: [p * levels] */
	uint32_t *touched[ES_MACHINE_LEVELS + 1]; /* lists */
	uint32_t count[ES_MACHINE_LEVELS + 1];
	uint32_t *order; /* of processes by traffic, for the first of a group */
	uint32_t next;	 /* in order */
	bool *placed;
	uint64_t looks; /* at processes of a list */
	double saved[ES_MACHINE_LEVELS + 1];
};

static int
growth_light(const void *a, const void *b, void *context)
{
	const struct es_traffic *t = context;
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	if (t->sum[one] != t->sum[two])
		return t->sum[one] < t->sum[two] ? -1 : 1;
	return one < two ? -1 : one > two;
}

static void
growth_fini(struct growth *g)
{
	free(g->pull);
	free(g->order);
	free(g->placed);
	for (uint32_t level = 0; level < g->levels; level++)
		free(g->touched[level]);
}

static paths_status
growth_init(struct growth *g, const struct es_machine *m,
    const struct es_traffic *t)
{
	bool good;

	*g = (struct growth){ .m = m, .t = t, .levels = m->level_count };
	g->pull = calloc((size_t)t->count * (g->levels + 1), sizeof(*g->pull));
	g->order = calloc(t->count, sizeof(*g->order));
	g->placed = calloc(t->count, sizeof(*g->placed));
	good = g->pull != NULL && g->order != NULL && g->placed != NULL;
	for (uint32_t level = 0; level < g->levels; level++) {
		g->touched[level] = calloc(t->count, sizeof(**g->touched));
		good &= g->touched[level] != NULL;
		g->saved[level] = m->distance[level] - m->distance[level + 1];
	}
	if (!good)
		return paths_log_fail(PATHS_ENOMEM, "no memory for growth");
	for (uint32_t n = 0; n < t->count; n++)
		g->order[n] = n;
	qsort_r(g->order, t->count, sizeof(*g->order), growth_light,
	    (void *)(uintptr_t)t);
	return PATHS_OK;
}

/* Forgets the groups that end before a place. */
static void
growth_enter(struct growth *g, uint32_t at)
{
	for (uint32_t level = 0; level < g->levels; level++) {
		const uint32_t *group =
		    g->m->group + (size_t)level * g->m->slot_count;

		if (at > 0 && group[at] == group[at - 1])
			continue;
		for (uint32_t n = 0; n < g->count[level]; n++)
			g->pull[(size_t)g->touched[level][n] * g->levels +
			    level] = 0;
		g->count[level] = 0;
	}
}

/* Adds the weights of a process to its partners that have no slot. */
static void
growth_place(struct growth *g, uint32_t p)
{
	const struct es_traffic *t = g->t;

	g->placed[p] = true;
	for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
		uint32_t q = t->partner[n];

		for (uint32_t level = 0; level < g->levels; level++) {
			double *pull = &g->pull[(size_t)q * g->levels + level];

			if (g->placed[q])
				break;
			if (*pull == 0)
				g->touched[level][g->count[level]++] = q;
			*pull += t->weight[n];
		}
	}
}

/* Takes those that are placed out of the list of the top level. */
static void
growth_shorten(struct growth *g)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < g->count[0]; n++)
		if (!g->placed[g->touched[0][n]])
			g->touched[0][count++] = g->touched[0][n];
	g->looks += g->count[0];
	g->count[0] = count;
}

/* Returns the process that has traffic with the current groups and saves most;
   GROWTH_NONE: none has. */
static uint32_t
growth_best(struct growth *g)
{
	uint32_t best = GROWTH_NONE;
	double most = 0;

	if (g->levels > 0)
		growth_shorten(g);
	for (uint32_t n = 0; g->levels > 0 && n < g->count[0]; n++) {
		uint32_t p = g->touched[0][n];
		double saves = 0;

		for (uint32_t level = 0; level < g->levels; level++)
			saves += g->saved[level] *
			    g->pull[(size_t)p * g->levels + level];
		if (best == GROWTH_NONE || saves > most ||
		    (saves == most && g->t->sum[p] < g->t->sum[best])) {
			best = p;
			most = saves;
		}
	}
	return best;
}

static uint32_t
growth_lightest(struct growth *g)
{
	while (g->placed[g->order[g->next]])
		g->next++;
	return g->order[g->next];
}

paths_status
es__growth(const struct es_machine *m, const struct es_traffic *t, bool heavy,
    uint64_t limit, uint32_t *places)
{
	struct growth g;
	paths_status st = growth_init(&g, m, t);

	for (uint32_t at = 0; st == PATHS_OK && at < t->count; at++) {
		uint32_t p = GROWTH_NONE;

		if (g.looks <= limit) {
			growth_enter(&g, at);
			p = growth_best(&g);
		}
		if (p == GROWTH_NONE)
			p = at == 0 && heavy ? g.order[t->count - 1] :
					       growth_lightest(&g);
		places[p] = at;
		growth_place(&g, p);
	}
	growth_fini(&g);
	return st;
}
