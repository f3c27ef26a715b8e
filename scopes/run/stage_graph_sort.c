/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/stage_graph_sort.c - fills in the lists of a stage graph
 */

#include "scopes/run/stage_graph_sort_private.h"

#include "scopes/run/run_private.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * Sorts ids into lists: id n into list into[n], or into none if into[n] is
 * PATHS_NONE.  Ids of a list keep their order.
 */
static paths_status
lists_sort(struct es__list *lists, uint32_t list_count, const uint32_t *into,
    uint32_t id_count, uint32_t **memory)
{
	uint32_t *at = *memory = calloc((size_t)id_count + 1, sizeof(*at));

	if (at == NULL)
		return PATHS_ENOMEM;
	for (uint32_t id = 0; id < id_count; id++) {
		if (into[id] != PATHS_NONE)
			lists[into[id]].count++;
	}
	for (uint32_t l = 0; l < list_count; l++) {
		lists[l].ids = at;
		at += lists[l].count;
		lists[l].count = 0;
	}
	for (uint32_t id = 0; id < id_count; id++) {
		if (into[id] != PATHS_NONE) {
			struct es__list *list = &lists[into[id]];

			list->ids[list->count++] = id;
		}
	}
	return PATHS_OK;
}

/* Sorts ids into lists of trees; member: offset of the list in a tree. */
static paths_status
trees_sort(struct es__stage_graph *g, size_t member, const uint32_t *into,
    uint32_t id_count, uint32_t **memory)
{
	struct es__list *lists = calloc(g->tree_count + 1, sizeof(*lists));
	paths_status st = PATHS_ENOMEM;

	if (lists != NULL)
		st = lists_sort(lists, g->tree_count, into, id_count, memory);
	for (uint32_t t = 0; st == PATHS_OK && t < g->tree_count; t++)
		*(struct es__list *)((char *)&g->trees[t] + member) = lists[t];
	free(lists);
	return st;
}

/* Sorts collectors, joins and tracks; into: room for the tree of each. */
static paths_status
sort_into_trees(struct es__stage_graph *g, const struct es_run *run,
    uint32_t *into)
{
	uint32_t n;
	paths_status st;

	for (n = 0; n < run->collector_count; n++)
		into[n] = g->segments[n].tree;
	st = trees_sort(g, offsetof(struct es__stage_tree, collectors), into, n,
	    &g->lists[0]);
	for (n = 0; n < g->join_count; n++)
		into[n] = g->joins[n].tree;
	if (st == PATHS_OK)
		st = trees_sort(g, offsetof(struct es__stage_tree, joins), into,
		    n, &g->lists[1]);
	for (n = 0; n < run->map->path_count; n++)
		into[n] = g->tracks[n].tree;
	if (st == PATHS_OK)
		st = trees_sort(g, offsetof(struct es__stage_tree, tracks),
		    into, n, &g->lists[2]);
	return st;
}

/* Sets the slots of the items in the lists of a tree. */
static void
tree_number(struct es__stage_graph *g, const struct es_run *run,
    struct es__stage_tree *tree)
{
	for (uint32_t n = 0; n < tree->collectors.count; n++) {
		uint32_t c = tree->collectors.ids[n];

		g->segments[c].slot = n;
		if (run->collectors[c].chain == tree->root &&
		    g->segments[c].element != PATHS_NONE)
			tree->last = c;
	}
	for (uint32_t n = 0; n < tree->joins.count; n++)
		g->joins[tree->joins.ids[n]].slot = n;
	for (uint32_t n = 0; n < tree->tracks.count; n++)
		g->tracks[tree->tracks.ids[n]].slot = n;
}

/* Returns the element that a tree ends at, or PATHS_NONE. */
static uint32_t
tree_element(const struct paths_map *map, const struct es__stage_tree *tree)
{
	const struct paths_map_chain *root = &map->chains[tree->root];
	const struct paths_map_item *end =
	    &map->items[root->first + root->count - 1];

	return map->instances[end->instance].element;
}

static paths_status
sort_users(struct es__stage_graph *g, const struct es_run *run, uint32_t *into)
{
	for (uint32_t t = 0; t < g->tree_count; t++)
		into[t] = tree_element(run->map, &g->trees[t]);
	return lists_sort(g->users, run->map->element_count, into,
	    g->tree_count, &g->lists[3]);
}

/* Sorts paths by their threads, then replaces each by its first collector. */
static paths_status
sort_heads(struct es__stage_graph *g, const struct es_run *run, uint32_t *into)
{
	uint32_t paths = run->map->path_count;
	paths_status st;

	for (uint32_t p = 0; p < paths; p++)
		into[p] = g->tracks[p].times == PATHS_NONE ?
		    PATHS_NONE :
		    run->map->paths[p].thread;
	st = lists_sort(g->heads, run->map->thread_count, into, paths,
	    &g->lists[4]);
	for (uint32_t t = 0; st == PATHS_OK && t < run->map->thread_count;
	     t++) {
		const struct es__list *list = &g->heads[t];

		for (uint32_t n = 0; n < list->count; n++)
			list->ids[n] = g->tracks[list->ids[n]].times;
	}
	return st;
}

paths_status
es__stage_graph_sort(struct es__stage_graph *g, const struct es_run *run)
{
	size_t most = (size_t)run->map->item_count + run->map->chain_count +
	    run->map->instance_count;
	uint32_t *into = calloc(most + 1, sizeof(*into));
	paths_status st = PATHS_ENOMEM;

	if (into != NULL)
		st = sort_into_trees(g, run, into);
	for (uint32_t t = 0; st == PATHS_OK && t < g->tree_count; t++)
		tree_number(g, run, &g->trees[t]);
	if (st == PATHS_OK)
		st = sort_users(g, run, into);
	if (st == PATHS_OK)
		st = sort_heads(g, run, into);
	free(into);
	return st;
}
