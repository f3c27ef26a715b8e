/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/stage_graph_sort.c - what belongs to what in a graph, as lists
 */

#include "scopes/run/stage_graph_sort_private.h"

#include "scopes/run/run_private.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * Sort ids into lists: each goes into list into[id], those of PATHS_NONE into
 * none, and they keep their order.
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

/* The same into one list of each tree, which is at `member` in it. */
static paths_status
trees_sort(struct es__stage_graph *f, size_t member, const uint32_t *into,
    uint32_t id_count, uint32_t **memory)
{
	struct es__list *lists = calloc(f->tree_count + 1, sizeof(*lists));
	paths_status st = PATHS_ENOMEM;

	if (lists != NULL)
		st = lists_sort(lists, f->tree_count, into, id_count, memory);
	for (uint32_t t = 0; st == PATHS_OK && t < f->tree_count; t++)
		*(struct es__list *)((char *)&f->trees[t] + member) = lists[t];
	free(lists);
	return st;
}

/* `into` has room for each id of any kind. */
static paths_status
sort_into_trees(struct es__stage_graph *f, const struct es_run *run,
    uint32_t *into)
{
	uint32_t n;
	paths_status st;

	for (n = 0; n < run->collector_count; n++)
		into[n] = f->segments[n].tree;
	st = trees_sort(f, offsetof(struct es__stage_tree, collectors), into, n,
	    &f->lists[0]);
	for (n = 0; n < f->join_count; n++)
		into[n] = f->joins[n].tree;
	if (st == PATHS_OK)
		st = trees_sort(f, offsetof(struct es__stage_tree, joins), into,
		    n, &f->lists[1]);
	for (n = 0; n < run->map->path_count; n++)
		into[n] = f->tracks[n].tree;
	if (st == PATHS_OK)
		st = trees_sort(f, offsetof(struct es__stage_tree, tracks),
		    into, n, &f->lists[2]);
	return st;
}

static void
tree_number(struct es__stage_graph *f, const struct es_run *run,
    struct es__stage_tree *tree)
{
	for (uint32_t n = 0; n < tree->collectors.count; n++) {
		uint32_t c = tree->collectors.ids[n];

		f->segments[c].slot = n;
		if (run->collectors[c].chain == tree->root &&
		    f->segments[c].element != PATHS_NONE)
			tree->last = c;
	}
	for (uint32_t n = 0; n < tree->joins.count; n++)
		f->joins[tree->joins.ids[n]].slot = n;
	for (uint32_t n = 0; n < tree->tracks.count; n++)
		f->tracks[tree->tracks.ids[n]].slot = n;
}

/* The element that a tree ends at; NONE. */
static uint32_t
tree_element(const struct paths_map *map, const struct es__stage_tree *tree)
{
	const struct paths_map_chain *root = &map->chains[tree->root];
	const struct paths_map_item *end =
	    &map->items[root->first + root->count - 1];

	return map->instances[end->instance].element;
}

static paths_status
sort_users(struct es__stage_graph *f, const struct es_run *run, uint32_t *into)
{
	for (uint32_t t = 0; t < f->tree_count; t++)
		into[t] = tree_element(run->map, &f->trees[t]);
	return lists_sort(f->users, run->map->element_count, into,
	    f->tree_count, &f->lists[3]);
}

/* By paths first, which then give way to their first collectors. */
static paths_status
sort_heads(struct es__stage_graph *f, const struct es_run *run, uint32_t *into)
{
	uint32_t paths = run->map->path_count;
	paths_status st;

	for (uint32_t p = 0; p < paths; p++)
		into[p] = f->tracks[p].times == PATHS_NONE ?
		    PATHS_NONE :
		    run->map->paths[p].thread;
	st = lists_sort(f->heads, run->map->thread_count, into, paths,
	    &f->lists[4]);
	for (uint32_t t = 0; st == PATHS_OK && t < run->map->thread_count;
	     t++) {
		const struct es__list *list = &f->heads[t];

		for (uint32_t n = 0; n < list->count; n++)
			list->ids[n] = f->tracks[list->ids[n]].times;
	}
	return st;
}

paths_status
es__stage_graph_sort(struct es__stage_graph *f, const struct es_run *run)
{
	size_t most = (size_t)run->map->item_count + run->map->chain_count +
	    run->map->instance_count;
	uint32_t *into = calloc(most + 1, sizeof(*into));
	paths_status st = PATHS_ENOMEM;

	if (into != NULL)
		st = sort_into_trees(f, run, into);
	for (uint32_t t = 0; st == PATHS_OK && t < f->tree_count; t++)
		tree_number(f, run, &f->trees[t]);
	if (st == PATHS_OK)
		st = sort_users(f, run, into);
	if (st == PATHS_OK)
		st = sort_heads(f, run, into);
	free(into);
	return st;
}
