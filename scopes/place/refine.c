/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/refine.c - swaps as long as they gain
 *
 * A process goes to the best slot beside one of its partners.  When no process
 * gains, whole groups of the machine are swapped in the same way: each level
 * whose groups are alike is a smaller placement of its own.
 */

#include "scopes/place/refine_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* The largest number of partners, and of slots beside each, that are tried. */
#define REFINE_PARTNERS 64u
#define REFINE_SLOTS 32u
/* Work to sum up the traffic of groups, for each pair of processes. */
#define REFINE_PAIR 100u

struct refine {
	struct es__swap *s;
	uint64_t limit;	 /* of s->work */
	uint32_t *order; /* of processes */
	uint32_t *seen;	 /* number of the try that came to this place last */
	uint32_t try;
	/* The best place of the process at hand. */
	uint32_t place;
	double delta;
};

/* Finds the smallest group of a place that has other places: [first, end). */
static void
refine_near(const struct es_machine *m, uint32_t place, uint32_t *first,
    uint32_t *end)
{
	for (uint32_t level = m->level_count; level-- > 0;) {
		uint32_t group =
		    m->group[(size_t)level * m->slot_count + place];

		*first = m->first[level][group];
		*end = m->first[level][group + 1];
		if (*end - *first > 1)
			return;
	}
	*first = 0;
	*end = m->slot_count;
}

/* Tries the places beside a partner. */
static void
refine_beside(struct refine *r, uint32_t p, uint32_t partner)
{
	uint32_t first, end, count, at;

	refine_near(r->s->m, r->s->at[partner], &first, &end);
	if (r->seen[first] == r->try)
		return;
	r->seen[first] = r->try;
	if (r->s->at[p] >= first && r->s->at[p] < end)
		return;
	count = end - first;
	at = 0;
	if (count > REFINE_SLOTS) {
		at = es__random_below(&r->s->random, count);
		count = REFINE_SLOTS;
	}
	for (; count > 0; count--, at++) {
		uint32_t place = first + at % (end - first);
		double delta = es__swap_delta(r->s, p, place, r->delta);

		if (delta >= r->delta)
			continue;
		r->delta = delta;
		r->place = place;
	}
}

/* Moves a process to its best place.  Returns true if that gains. */
static bool
refine_process(struct refine *r, uint32_t p)
{
	const struct es_traffic *t = r->s->t;
	size_t degree = t->row[p + 1] - t->row[p], at = 0;
	size_t count = degree;

	if (count > REFINE_PARTNERS) {
		at = es__random_below(&r->s->random, (uint32_t)degree);
		count = REFINE_PARTNERS;
	}
	r->delta = -r->s->scale;
	r->place = ES__SWAP_EMPTY;
	r->try++;
	for (; count > 0; count--, at++)
		refine_beside(r, p, t->partner[t->row[p] + at % degree]);
	if (r->place == ES__SWAP_EMPTY)
		return false;
	es__swap_make(r->s, p, r->place);
	return true;
}

static void
refine_shuffle(struct refine *r)
{
	for (uint32_t n = r->s->t->count; n > 1; n--) {
		uint32_t k = es__random_below(&r->s->random, n);
		uint32_t other = r->order[k];

		r->order[k] = r->order[n - 1];
		r->order[n - 1] = other;
	}
}

/* Swaps processes in random order until none gains. */
static paths_status
refine_processes(struct es__swap *s, uint64_t limit)
{
	struct refine r = { .s = s, .limit = limit };
	bool gains = true;

	r.order = calloc(s->t->count, sizeof(*r.order));
	r.seen = calloc(s->m->slot_count, sizeof(*r.seen));
	if (r.order == NULL || r.seen == NULL) {
		free(r.order);
		free(r.seen);
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory to refine a placement");
	}
	for (uint32_t n = 0; n < s->t->count; n++)
		r.order[n] = n;
	while (gains && s->work < limit) {
		gains = false;
		refine_shuffle(&r);
		for (uint32_t n = 0; n < s->t->count && s->work < limit; n++)
			gains |= refine_process(&r, r.order[n]);
	}
	free(r.order);
	free(r.seen);
	return PATHS_OK;
}

/* Tells if all groups of a level have equal trees below them. */
static bool
refine_alike(const struct es_machine *m, uint32_t level)
{
	size_t slots = m->slot_count;
	uint32_t size = m->first[level][1];

	for (uint32_t g = 0; g < m->group_count[level]; g++)
		if (m->first[level][g + 1] - m->first[level][g] != size)
			return false;
	for (uint32_t below = level + 1; below < m->level_count; below++) {
		const uint32_t *group = m->group + below * slots;

		for (size_t at = 0; at < slots; at++)
			if (group[at] - group[at - at % size] !=
			    group[at % size])
				return false;
	}
	return true;
}

/* Makes the machine whose slots are the groups of a level. */
static paths_status
refine_machine(const struct es_machine *m, uint32_t level,
    struct es_machine **groups)
{
	struct es_machine_tree tree = {
		.slot_count = m->group_count[level],
		.level_count = level,
		.distances = m->distance,
	};
	uint32_t *paths =
	    calloc((size_t)tree.slot_count * level + 1, sizeof(*paths));
	paths_status st;

	if (paths == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for groups");
	for (uint32_t g = 0; g < tree.slot_count; g++)
		for (uint32_t n = 0; n < level; n++)
			paths[(size_t)g * level + n] =
			    m->group[(size_t)n * m->slot_count +
				m->first[level][g]];
	tree.groups = paths;
	st = es_machine_create(&tree, groups);
	free(paths);
	return st;
}

/* Entries between groups, and their costs if pairs have costs. */
struct refine_edges {
	struct es_traffic_edge *list;
	size_t count;
	double *costs;
	uint32_t depths;
};

static void
refine_edge(struct refine_edges *edges, const struct es_traffic *t,
    size_t entry, struct es_traffic_edge edge)
{
	if (t->cost != NULL)
		memcpy(edges->costs + edges->count * edges->depths,
		    t->cost + entry * t->depths,
		    edges->depths * sizeof(*edges->costs));
	edges->list[edges->count++] = edge;
}

/* Lists the entries between different groups of a level. */
static void
refine_list(const struct es__swap *s, uint32_t level,
    struct refine_edges *edges)
{
	const struct es_traffic *t = s->t;
	const uint32_t *group = s->m->group + (size_t)level * s->m->slot_count;

	for (uint32_t p = 0; p < t->count; p++)
		for (size_t n = t->row[p]; n < t->row[p + 1]; n++) {
			uint32_t one = group[s->at[p]];
			uint32_t two = group[s->at[t->partner[n]]];

			if (t->partner[n] > p && one != two)
				refine_edge(edges, t, n,
				    (struct es_traffic_edge){ one, two,
					t->weight[n] });
		}
}

/* Makes the traffic between the groups of a level. */
static paths_status
refine_traffic(const struct es__swap *s, uint32_t level,
    struct es_traffic **between)
{
	size_t most = s->t->row[s->t->count] / 2 + 1;
	struct refine_edges edges = { .depths = level + 1 };
	struct es_traffic_costs costs;
	paths_status st;

	edges.list = calloc(most, sizeof(*edges.list));
	if (s->t->cost != NULL)
		edges.costs = calloc(most * edges.depths, sizeof(double));
	if (edges.list == NULL || (s->t->cost != NULL && edges.costs == NULL)) {
		free(edges.list);
		free(edges.costs);
		return paths_log_fail(PATHS_ENOMEM, "no memory for groups");
	}
	refine_list(s, level, &edges);
	costs = (struct es_traffic_costs){ edges.depths, edges.costs };
	st = edges.costs == NULL ?
	    es_traffic_create(s->m->group_count[level], edges.list, edges.count,
		between) :
	    es_traffic_create_costs(s->m->group_count[level], edges.list,
		edges.count, &costs, between);
	free(edges.list);
	free(edges.costs);
	return st;
}

/* Moves the processes of each group to the place of the group. */
static paths_status
refine_move_groups(struct es__swap *s, const struct es__swap *groups,
    uint32_t level)
{
	const uint32_t *first = s->m->first[level];
	const uint32_t *group = s->m->group + (size_t)level * s->m->slot_count;
	uint32_t *places = calloc(s->t->count, sizeof(*places));

	if (places == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for groups");
	for (uint32_t p = 0; p < s->t->count; p++) {
		uint32_t g = group[s->at[p]];

		places[p] = s->at[p] - first[g] + first[groups->at[g]];
	}
	es__swap_set(s, places);
	free(places);
	return PATHS_OK;
}

struct refine_level {
	struct es_machine *m;
	struct es_traffic *t;
	uint32_t *places;
};

static paths_status
refine_swap_groups(struct es__swap *s, uint32_t level,
    const struct refine_level *l, uint64_t limit, bool *gains)
{
	struct es__swap groups;
	double before;
	paths_status st;

	for (uint32_t g = 0; g < l->m->slot_count; g++)
		l->places[g] = g;
	st = es__swap_init(&groups, l->m, l->t, l->places);
	if (st == PATHS_OK) {
		groups.random.state = es__random_next(&s->random);
		before = es__swap_cost(&groups);
		st = refine_processes(&groups,
		    limit > s->work ? limit - s->work : 0);
		s->work += groups.work;
		if (st == PATHS_OK &&
		    es__swap_cost(&groups) < before - s->scale) {
			*gains = true;
			st = refine_move_groups(s, &groups, level);
		}
	}
	es__swap_fini(&groups);
	return st;
}

/* Swaps the groups of a level.  Sets *gains if that gains. */
static paths_status
refine_level(struct es__swap *s, uint32_t level, uint64_t limit, bool *gains)
{
	struct refine_level l = { NULL, NULL, NULL };
	paths_status st = refine_machine(s->m, level, &l.m);

	s->work += REFINE_PAIR * es_traffic_pairs(s->t);
	if (st == PATHS_OK)
		st = refine_traffic(s, level, &l.t);
	if (st == PATHS_OK) {
		l.places = calloc(l.m->slot_count, sizeof(*l.places));
		st = l.places == NULL ?
		    paths_log_fail(PATHS_ENOMEM, "no memory for groups") :
		    refine_swap_groups(s, level, &l, limit, gains);
	}
	free(l.places);
	es_traffic_destroy(l.t);
	es_machine_destroy(l.m);
	return st;
}

paths_status
es__refine(struct es__swap *s, uint64_t limit)
{
	bool gains = true;
	paths_status st = PATHS_OK;

	while (gains && st == PATHS_OK && s->work < limit) {
		gains = false;
		st = refine_processes(s, limit);
		for (uint32_t n = s->m->level_count; n-- > 1;)
			if (st == PATHS_OK && s->work < limit &&
			    refine_alike(s->m, n))
				st = refine_level(s, n, limit, &gains);
	}
	return st;
}
