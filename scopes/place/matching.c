/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/matching.c - placement from the bottom of the tree
 *
 * The heaviest edges join processes into groups of the smallest size; then the
 * groups are the processes, and so on to the top.  Each level is taken apart
 * into levels of prime arity, because small groups are chosen better.
 */

#include "scopes/place/matching_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define MATCHING_NONE UINT32_MAX

/* Items are processes at first; later groups of them. */
struct matching {
	struct es_traffic *t; /* between items; owned */
	uint32_t count;	      /* of items */
	uint32_t size;	      /* processes of an item */
	uint32_t *members;    /* of item i: at [i * size] */
	uint32_t *group;      /* of each item */
	uint32_t *filled;     /* items of each group */
	uint32_t *next;	      /* members, after joining */
	uint32_t arity;
	uint32_t groups; /* that were begun */
};

/* Heavy edges first, then those of small numbers. */
static int
matching_order(const void *a, const void *b)
{
	const struct es_traffic_edge *one = a, *two = b;

	if (one->weight != two->weight)
		return one->weight > two->weight ? -1 : 1;
	if (one->from != two->from)
		return one->from < two->from ? -1 : 1;
	return one->to < two->to ? -1 : one->to > two->to;
}

/* Returns all pairs of items, each once; NULL: no memory. */
static struct es_traffic_edge *
matching_edges(const struct es_traffic *t, size_t *count)
{
	struct es_traffic_edge *edges =
	    calloc(es_traffic_pairs(t) + 1, sizeof(*edges));

	*count = 0;
	if (edges == NULL)
		return NULL;
	for (uint32_t p = 0; p < t->count; p++)
		for (size_t n = t->row[p]; n < t->row[p + 1]; n++)
			if (t->partner[n] > p)
				edges[(*count)++] = (struct es_traffic_edge){ p,
					t->partner[n], t->weight[n] };
	return edges;
}

static void
matching_put(struct matching *g, uint32_t item, uint32_t group)
{
	uint32_t at = group * g->arity + g->filled[group]++;

	g->group[item] = group;
	memcpy(g->next + (size_t)at * g->size,
	    g->members + (size_t)item * g->size, g->size * sizeof(*g->next));
}

/* Joins the two ends of an edge if there is a group for them. */
static void
matching_edge(struct matching *g, uint32_t a, uint32_t b)
{
	if (g->group[a] != MATCHING_NONE && g->group[b] != MATCHING_NONE)
		return;
	if (g->group[a] == MATCHING_NONE && g->group[b] == MATCHING_NONE) {
		if (g->groups == g->count / g->arity)
			return;
		matching_put(g, a, g->groups);
		matching_put(g, b, g->groups++);
		return;
	}
	if (g->group[a] == MATCHING_NONE) {
		uint32_t other = a;

		a = b;
		b = other;
	}
	if (g->filled[g->group[a]] < g->arity)
		matching_put(g, b, g->group[a]);
}

/* Puts items that no edge has joined into the groups with room. */
static void
matching_rest(struct matching *g)
{
	uint32_t group = 0;

	for (uint32_t item = 0; item < g->count; item++) {
		if (g->group[item] != MATCHING_NONE)
			continue;
		while (g->filled[group] == g->arity)
			group++;
		matching_put(g, item, group);
	}
}

/* Joins items into groups of `arity`, which become the items. */
static paths_status
matching_join(struct matching *g, uint32_t arity)
{
	size_t count;
	struct es_traffic_edge *edges = matching_edges(g->t, &count);
	struct es_traffic *t = NULL;
	uint32_t *other = g->members;
	paths_status st;

	if (edges == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for matching");
	qsort(edges, count, sizeof(*edges), matching_order);
	memset(g->group, 0xff, g->count * sizeof(*g->group));
	memset(g->filled, 0, g->count * sizeof(*g->filled));
	g->arity = arity;
	g->groups = 0;
	for (size_t n = 0; n < count; n++)
		matching_edge(g, edges[n].from, edges[n].to);
	matching_rest(g);
	for (size_t n = 0; n < count; n++) {
		edges[n].from = g->group[edges[n].from];
		edges[n].to = g->group[edges[n].to];
	}
	st = es_traffic_create(g->count / arity, edges, count, &t);
	free(edges);
	if (st != PATHS_OK)
		return st;
	es_traffic_destroy(g->t);
	g->t = t;
	g->members = g->next;
	g->next = other;
	g->count /= arity;
	g->size *= arity;
	return PATHS_OK;
}

/* Joins items by the prime factors of an arity, the smallest first. */
static paths_status
matching_level(struct matching *g, uint32_t arity)
{
	paths_status st = PATHS_OK;

	for (uint32_t prime = 2; arity > 1 && st == PATHS_OK; prime++)
		for (; arity % prime == 0 && st == PATHS_OK; arity /= prime)
			st = matching_join(g, prime);
	return st;
}

static void
matching_fini(struct matching *g)
{
	es_traffic_destroy(g->t);
	free(g->members);
	free(g->group);
	free(g->filled);
	free(g->next);
}

/* Items are the processes, and processes without traffic for the other slots.
 */
static paths_status
matching_init(struct matching *g, const struct es_traffic *t, uint32_t slots)
{
	size_t count;
	struct es_traffic_edge *edges = matching_edges(t, &count);
	paths_status st;

	*g = (struct matching){ .count = slots, .size = 1 };
	g->members = calloc(slots, sizeof(*g->members));
	g->group = calloc(slots, sizeof(*g->group));
	g->filled = calloc(slots, sizeof(*g->filled));
	g->next = calloc(slots, sizeof(*g->next));
	if (edges == NULL || g->members == NULL || g->group == NULL ||
	    g->filled == NULL || g->next == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for matching");
	else
		st = es_traffic_create(slots, edges, count, &g->t);
	for (uint32_t n = 0; st == PATHS_OK && n < slots; n++)
		g->members[n] = n;
	free(edges);
	return st;
}

/* Returns the number of children of each group of a level; 0: they differ.
   Level 0 is the machine, level level_count the smallest groups. */
static uint32_t
matching_arity(const struct es_machine *m, uint32_t level)
{
	uint32_t groups = level == 0 ? 1 : m->group_count[level - 1];
	uint32_t below =
	    level == m->level_count ? m->slot_count : m->group_count[level];
	uint32_t arity = below / groups;

	for (uint32_t g = 0; g < groups; g++) {
		uint32_t first = level == 0 ? 0 : m->first[level - 1][g];
		uint32_t child = level == m->level_count ?
		    first :
		    m->group[(size_t)level * m->slot_count + first];

		if (child != g * arity)
			return 0;
	}
	return below % groups == 0 ? arity : 0;
}

paths_status
es__matching(const struct es_machine *m, const struct es_traffic *t,
    uint32_t *places)
{
	struct matching g;
	paths_status st;

	for (uint32_t level = 0; level <= m->level_count; level++)
		if (matching_arity(m, level) == 0)
			return PATHS_ENOENT;
	st = matching_init(&g, t, m->slot_count);
	for (uint32_t level = m->level_count + 1; level-- > 0;)
		if (st == PATHS_OK)
			st = matching_level(&g, matching_arity(m, level));
	for (uint32_t at = 0; st == PATHS_OK && at < m->slot_count; at++)
		if (g.members[at] < t->count)
			places[g.members[at]] = at;
	matching_fini(&g);
	return st;
}
