/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/relabel.c - equal placements in which less moves
 *
 * Level 0 is the whole machine here, level n + 1 is the level n of the machine,
 * and the last level has the places.
 */

#include "scopes/place/relabel_private.h"

#include "libpaths/log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define RELABEL_LEVELS (ES_MACHINE_LEVELS + 2)
#define RELABEL_NONE UINT32_MAX

/* A group of the placement that takes the number of another one, and the
   number of processes that can stay then. */
struct relabel_pair {
	uint32_t from, to;
	uint32_t parent_from, parent_to;
	uint32_t stay;
	bool chosen; /* if their parents are paired */
};

struct relabel {
	const struct es_machine *m;
	uint32_t last;			 /* level of the places */
	uint32_t *shape[RELABEL_LEVELS]; /* equal for groups of one shape */
	struct relabel_pair *pairs[RELABEL_LEVELS];
	uint32_t pair_count[RELABEL_LEVELS];
	uint32_t *target[RELABEL_LEVELS]; /* of each group */
	/* For each group of a level: the number of its last use, and the next
	   group in lists by shape. */
	uint32_t *used_from, *used_to, *head, *next;
};

static uint32_t
relabel_count(const struct relabel *r, uint32_t level)
{
	if (level == 0)
		return 1;
	return level == r->last ? r->m->slot_count :
				  r->m->group_count[level - 1];
}

/* Returns the first place of a group; behind the last group, the number of
   places. */
static uint32_t
relabel_start(const struct relabel *r, uint32_t level, uint32_t group)
{
	if (level == 0)
		return group == 0 ? 0 : r->m->slot_count;
	return level == r->last ? group : r->m->first[level - 1][group];
}

/* Returns the group of a place; behind the last place, the number of groups. */
static uint32_t
relabel_group(const struct relabel *r, uint32_t level, uint32_t at)
{
	if (at == r->m->slot_count)
		return relabel_count(r, level);
	if (level == 0)
		return 0;
	return level == r->last ?
	    at :
	    r->m->group[(size_t)(level - 1) * r->m->slot_count + at];
}

/* Returns the first part of a group, which is a group one level lower. */
static uint32_t
relabel_part(const struct relabel *r, uint32_t level, uint32_t group)
{
	return relabel_group(r, level + 1, relabel_start(r, level, group));
}

static uint32_t
relabel_parent(const struct relabel *r, uint32_t level, uint32_t group)
{
	return relabel_group(r, level - 1, relabel_start(r, level, group));
}

static paths_status
relabel_allocate(struct relabel *r, uint32_t processes)
{
	size_t slots = r->m->slot_count;

	for (uint32_t n = 0; n <= r->last; n++) {
		size_t count = relabel_count(r, n);

		r->shape[n] = calloc(count, sizeof(**r->shape));
		r->target[n] = calloc(count, sizeof(**r->target));
		r->pairs[n] = calloc(processes, sizeof(**r->pairs));
		if (r->shape[n] == NULL || r->target[n] == NULL ||
		    r->pairs[n] == NULL)
			return PATHS_ENOMEM;
	}
	r->used_from = calloc(slots, sizeof(*r->used_from));
	r->used_to = calloc(slots, sizeof(*r->used_to));
	r->head = calloc(slots, sizeof(*r->head));
	r->next = calloc(slots, sizeof(*r->next));
	return r->used_from == NULL || r->used_to == NULL || r->head == NULL ||
		r->next == NULL ?
	    PATHS_ENOMEM :
	    PATHS_OK;
}

static void
relabel_free(struct relabel *r)
{
	for (uint32_t n = 0; n <= r->last; n++) {
		free(r->shape[n]);
		free(r->target[n]);
		free(r->pairs[n]);
	}
	free(r->used_from);
	free(r->used_to);
	free(r->head);
	free(r->next);
}

static int
relabel_order_numbers(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* The groups of a level, for their order by shape. */
struct relabel_shapes {
	const struct relabel *r;
	uint32_t level;
	const uint32_t *parts; /* shapes, in ascending order in each group */
};

static int
relabel_order_shapes(const void *a, const void *b, void *context)
{
	const struct relabel_shapes *s = context;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	uint32_t one = relabel_part(s->r, s->level, left);
	uint32_t two = relabel_part(s->r, s->level, right);
	uint32_t count = relabel_part(s->r, s->level, left + 1) - one;
	uint32_t other = relabel_part(s->r, s->level, right + 1) - two;

	if (count != other)
		return count < other ? -1 : 1;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t x = s->parts[one + n], y = s->parts[two + n];

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Numbers the shapes of the groups of a level, whose parts have theirs. */
static paths_status
relabel_shape(struct relabel *r, uint32_t level)
{
	uint32_t count = relabel_count(r, level);
	size_t part_count = relabel_count(r, level + 1);
	uint32_t *parts = malloc(part_count * sizeof(*parts));
	uint32_t *order = malloc(count * sizeof(*order)), shape = 0;
	struct relabel_shapes shapes = { r, level, parts };

	if (parts == NULL || order == NULL) {
		free(parts);
		free(order);
		return PATHS_ENOMEM;
	}
	memcpy(parts, r->shape[level + 1], part_count * sizeof(*parts));
	for (uint32_t n = 0; n < count; n++) {
		uint32_t first = relabel_part(r, level, n);

		qsort(parts + first, relabel_part(r, level, n + 1) - first,
		    sizeof(*parts), relabel_order_numbers);
		order[n] = n;
	}
	qsort_r(order, count, sizeof(*order), relabel_order_shapes, &shapes);
	for (uint32_t n = 0; n < count; n++) {
		if (n > 0 &&
		    relabel_order_shapes(&order[n - 1], &order[n], &shapes) !=
			0)
			shape++;
		r->shape[level][order[n]] = shape;
	}
	free(parts);
	free(order);
	return PATHS_OK;
}

/* By parents, then those first in which most can stay. */
static int
relabel_order_pairs(const void *a, const void *b)
{
	const struct relabel_pair *x = a, *y = b;

	if (x->parent_from != y->parent_from)
		return x->parent_from < y->parent_from ? -1 : 1;
	if (x->parent_to != y->parent_to)
		return x->parent_to < y->parent_to ? -1 : 1;
	if (x->stay != y->stay)
		return x->stay > y->stay ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static void
relabel_add(struct relabel *r, uint32_t level, uint32_t from, uint32_t to,
    uint32_t stay)
{
	struct relabel_pair pair = { .from = from, .to = to, .stay = stay };

	if (r->shape[level][from] != r->shape[level][to])
		return;
	if (level > 0) {
		pair.parent_from = relabel_parent(r, level, from);
		pair.parent_to = relabel_parent(r, level, to);
	}
	r->pairs[level][r->pair_count[level]++] = pair;
}

/* Chooses pairs of a level for each pair of their parents, which is added one
   level higher.  Each group is in at most one pair that is chosen for its
   parent. */
static void
relabel_choose(struct relabel *r, uint32_t level)
{
	struct relabel_pair *pairs = r->pairs[level];
	uint32_t count = r->pair_count[level], stay = 0, turn = 0;
	size_t bytes = relabel_count(r, level) * sizeof(*r->used_to);

	qsort(pairs, count, sizeof(*pairs), relabel_order_pairs);
	memset(r->used_from, 0, bytes);
	memset(r->used_to, 0, bytes);
	for (uint32_t n = 0; n < count; n++) {
		struct relabel_pair *p = &pairs[n];
		bool is_first = n == 0 ||
		    pairs[n - 1].parent_from != p->parent_from ||
		    pairs[n - 1].parent_to != p->parent_to;

		if (is_first) {
			turn++;
			stay = 0;
		}
		if (r->used_from[p->from] != turn &&
		    r->used_to[p->to] != turn) {
			r->used_from[p->from] = r->used_to[p->to] = turn;
			p->chosen = true;
			stay += p->stay;
		}
		if (n + 1 == count ||
		    pairs[n + 1].parent_from != p->parent_from ||
		    pairs[n + 1].parent_to != p->parent_to)
			relabel_add(r, level - 1, p->parent_from, p->parent_to,
			    stay);
	}
}

/* Gives each part of a group without a target a part of the group's target, of
   the same shape. */
static void
relabel_rest(struct relabel *r, uint32_t level, uint32_t group)
{
	uint32_t to = r->target[level][group];
	const uint32_t *shape = r->shape[level + 1];
	uint32_t *target = r->target[level + 1];

	for (uint32_t n = relabel_part(r, level, to + 1);
	     n-- > relabel_part(r, level, to);) {
		if (r->used_to[n] != 0)
			continue;
		r->next[n] = r->head[shape[n]];
		r->head[shape[n]] = n;
	}
	for (uint32_t n = relabel_part(r, level, group);
	     n < relabel_part(r, level, group + 1); n++) {
		if (target[n] != RELABEL_NONE)
			continue;
		target[n] = r->head[shape[n]];
		r->head[shape[n]] = r->next[target[n]];
	}
}

/* Gives all groups of a level their targets; their parents have theirs. */
static void
relabel_target(struct relabel *r, uint32_t level)
{
	size_t bytes = relabel_count(r, level) * sizeof(**r->target);

	memset(r->used_to, 0, bytes);
	memset(r->head, 0xff, bytes);
	memset(r->target[level], 0xff, bytes);
	for (uint32_t n = 0; n < r->pair_count[level]; n++) {
		const struct relabel_pair *p = &r->pairs[level][n];

		if (!p->chosen ||
		    r->target[level - 1][p->parent_from] != p->parent_to)
			continue;
		r->target[level][p->from] = p->to;
		r->used_to[p->to] = 1;
	}
	for (uint32_t n = 0; n < relabel_count(r, level - 1); n++)
		relabel_rest(r, level - 1, n);
}

static paths_status
relabel_run(struct relabel *r, uint32_t count, const uint32_t *current,
    uint32_t *places)
{
	paths_status st = relabel_allocate(r, count);

	for (uint32_t level = r->last; level-- > 0 && st == PATHS_OK;)
		st = relabel_shape(r, level);
	if (st != PATHS_OK)
		return paths_log_fail(st, "no memory for a placement");
	for (uint32_t n = 0; n < count; n++)
		relabel_add(r, r->last, places[n], current[n], 1);
	for (uint32_t level = r->last; level > 0; level--)
		relabel_choose(r, level);
	for (uint32_t level = 1; level <= r->last; level++)
		relabel_target(r, level);
	for (uint32_t n = 0; n < count; n++)
		places[n] = r->target[r->last][places[n]];
	return PATHS_OK;
}

paths_status
es__relabel(const struct es_machine *m, uint32_t count, const uint32_t *current,
    uint32_t *places)
{
	struct relabel r = { .m = m, .last = m->level_count + 1 };
	paths_status st = relabel_run(&r, count, current, places);

	relabel_free(&r);
	return st;
}
