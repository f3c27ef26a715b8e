/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/threads.c - the traffic between the threads of a path
 * map
 */

#include "scopes/placement/threads_private.h"

#include "scopes/path/flow_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* The threads that stand for joins, elements and processes. */
struct leaders {
	const struct paths_map *map;
	uint32_t *instance; /* of each instance; PATHS_NONE: not found */
	uint32_t *process;  /* the first of each process; PATHS_NONE: none */
	const struct es_place_edges *edges;
};

/* Gives the instances of a chain a thread, up to a proxy.  Returns whether one
   had none. */
static bool
leaders_take(const struct leaders *all, const struct paths_map_chain *chain,
    uint32_t thread)
{
	bool found = false;

	for (uint32_t n = 0; n < chain->count; n++) {
		const struct paths_map_item *item =
		    &all->map->items[chain->first + n];

		if (item->process != chain->process)
			break;
		/* A proxy has no instance that another chain enters. */
		if (all->instance[item->instance] != PATHS_NONE)
			continue;
		all->instance[item->instance] = thread;
		found = true;
	}
	return found;
}

/* Finds the threads of instances that only other stages enter.  A chain of
   stages can be in any order. */
static void
leaders_follow(const struct leaders *all)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t n = 0; n < all->map->chain_count; n++) {
			const struct paths_map_chain *chain =
			    &all->map->chains[n];

			if (chain->path == PATHS_NONE &&
			    chain->stage != PATHS_NONE &&
			    all->instance[chain->stage] != PATHS_NONE &&
			    leaders_take(all, chain,
				all->instance[chain->stage]))
				more = true;
		}
	}
}

static void
leaders_find(const struct leaders *all)
{
	const struct paths_map *map = all->map;

	for (uint32_t n = map->thread_count; n-- > 0;)
		all->process[map->threads[n].process] = n;
	for (uint32_t n = 0; n < map->path_count; n++)
		leaders_take(all, &map->chains[map->paths[n].chain],
		    map->paths[n].thread);
	leaders_follow(all);
}

static uint32_t
leader_of(const struct leaders *all, uint32_t instance, uint32_t process)
{
	return instance != PATHS_NONE && all->instance[instance] != PATHS_NONE ?
	    all->instance[instance] :
	    all->process[process];
}

static paths_status
leaders_add(void *leaders, const struct es__path_flow *flow)
{
	const struct leaders *all = leaders;
	const struct paths_map_chain *chain = &all->map->chains[flow->chain];
	const struct paths_map_item *end =
	    &all->map->items[chain->first + chain->count - 1];
	uint32_t from = chain->path != PATHS_NONE ?
	    all->map->paths[chain->path].thread :
	    leader_of(all, chain->stage, chain->process);

	return all->edges->add(all->edges->to, from,
	    leader_of(all,
		end->process == flow->target ? end->instance : PATHS_NONE,
		flow->target),
	    &(struct es_place_messages){ (double)flow->counts.messages,
		(double)flow->counts.bytes, flow->counts.classes });
}

paths_status
es_place_threads(const struct es_run *run, const struct es_place_edges *edges)
{
	const struct paths_map *map = es_run_map(run);
	size_t instances = (map->instance_count + (size_t)1) * sizeof(uint32_t);
	size_t processes = (map->process_count + (size_t)1) * sizeof(uint32_t);
	struct leaders all = { .map = map,
		.instance = malloc(instances),
		.process = malloc(processes),
		.edges = edges };
	paths_status st;

	if (all.instance == NULL || all.process == NULL) {
		st = paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	} else {
		memset(all.instance, 0xff, instances);
		memset(all.process, 0xff, processes);
		leaders_find(&all);
		st = es__path_flows(run, leaders_add, &all);
	}
	free(all.instance);
	free(all.process);
	return st;
}
