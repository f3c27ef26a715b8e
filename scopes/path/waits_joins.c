/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_joins.c - finds the paths whose operations arrive at the
 * joins of a tree
 */

#include "scopes/path/waits_joins_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <string.h>

struct finder {
	struct es__waits_joins *joins;
	const struct es_analysis *a;
	uint32_t tree;
	bool copies;
	bool no_memory;
};

static uint32_t finder_join(struct finder *f, uint32_t id);

/* Returns the lane of a collector.  Adds a lane for a collector of another
   tree. */
static uint32_t
finder_lane(struct finder *f, uint32_t collector)
{
	const struct es__segment *s = &f->a->graph.segments[collector];
	struct es__waits_ids *all = &f->joins->collectors;
	uint32_t n = f->a->graph.trees[f->tree].collectors.count;

	if (s->tree == f->tree)
		return s->slot;
	while (n < all->count && all->ids[n] != collector)
		n++;
	if (n < all->count)
		return n;
	if (!paths__array_grow(&all->ids, all->count, &all->room,
		sizeof(*all->ids))) {
		f->no_memory = true;
		return 0;
	}
	all->ids[all->count] = collector;
	return all->count++;
}

/* Finds the path, or the join, that a chain continues. */
static void
finder_origin(struct finder *f, uint32_t chain, struct es__waits_origin *origin)
{
	const struct paths_map *map = f->a->map;
	const struct paths_map_chain *c = &map->chains[chain];
	uint32_t join = PATHS_NONE, item;

	while (c->path == PATHS_NONE && c->stage != PATHS_NONE) {
		join = f->a->graph.join_of[c->stage];
		item = map->instances[c->stage].item;
		if (join != PATHS_NONE || item == PATHS_NONE)
			break;
		/* The chain is below a buffer or a tee, so go on above it. */
		c = &map->chains[map->items[item].chain];
	}
	origin->path = c->path;
	origin->join = join != PATHS_NONE && c->path == PATHS_NONE ?
	    finder_join(f, join) :
	    PATHS_NONE;
}

/* Returns the number of a join that was found already, or PATHS_NONE. */
static uint32_t
finder_known(const struct finder *f, const struct es__join *join)
{
	uint32_t n = 0;

	if (join->tree == f->tree)
		return f->joins->own[join->slot];
	while (n < f->joins->count && f->joins->joins[n].join != join)
		n++;
	return n < f->joins->count ? n : PATHS_NONE;
}

/* Adds a join after the joins above it.  Returns its number; PATHS_NONE: it is
   not compared, because an input has no collector or it is of another tree. */
static uint32_t
finder_join(struct finder *f, uint32_t id)
{
	const struct es__join *join = &f->a->graph.joins[id];
	uint32_t known = finder_known(f, join);
	struct es__waits_join found = { .join = join };

	if (known != PATHS_NONE || !join->observed || f->no_memory ||
	    (join->tree != f->tree && !f->copies))
		return known;
	found.origins = calloc(join->input_count, sizeof(*found.origins));
	for (uint32_t i = 0; found.origins != NULL && i < join->input_count;
	     i++) {
		found.origins[i].lane =
		    finder_lane(f, join->inputs[i].collector);
		finder_origin(f, join->inputs[i].chain, &found.origins[i]);
	}
	if (found.origins == NULL ||
	    !paths__array_grow(&f->joins->joins, f->joins->count,
		&f->joins->room, sizeof(found))) {
		free(found.origins);
		f->no_memory = true;
		return PATHS_NONE;
	}
	if (join->tree == f->tree)
		f->joins->own[join->slot] = f->joins->count;
	f->joins->joins[f->joins->count] = found;
	return f->joins->count++;
}

paths_status
es__waits_joins_init(struct es__waits_joins *joins, const struct es_analysis *a,
    uint32_t tree, bool copies)
{
	const struct es__stage_tree *t = &a->graph.trees[tree];
	struct finder f = { joins, a, tree, copies, false };

	*joins = (struct es__waits_joins){ 0 };
	joins->own = malloc((t->joins.count + (size_t)1) * sizeof(uint32_t));
	if (joins->own == NULL ||
	    !paths__array_reserve(&joins->collectors.ids,
		t->collectors.count + (size_t)1, &joins->collectors.room,
		sizeof(uint32_t)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for joins");
	memset(joins->own, 0xff, t->joins.count * sizeof(uint32_t));
	joins->collectors.count = t->collectors.count;
	if (t->collectors.count > 0)
		memcpy(joins->collectors.ids, t->collectors.ids,
		    t->collectors.count * sizeof(uint32_t));
	for (uint32_t n = 0; n < t->joins.count; n++)
		(void)finder_join(&f, t->joins.ids[n]);
	return f.no_memory ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for joins") :
	    PATHS_OK;
}

void
es__waits_joins_fini(struct es__waits_joins *joins)
{
	for (uint32_t n = 0; n < joins->count; n++)
		free(joins->joins[n].origins);
	free(joins->joins);
	free(joins->own);
	free(joins->collectors.ids);
}
