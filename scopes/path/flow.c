/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/flow.c - counts the messages of each chain of a path map
 */

#include "scopes/path/flow_private.h"

#include "scopes/operation.h"

#include "libpaths/log.h"

#include <stdbool.h>
#include <stdlib.h>

/* Returns the process at the end of a chain. */
static uint32_t
chain_target(const struct paths_map *map, uint32_t chain)
{
	const struct paths_map_chain *c = &map->chains[chain];

	return map->items[c->first + c->count - 1].process;
}

/* Passes the rows of a collector on. */
struct flows {
	const struct es_run *run;
	es__path_flow_add *add;
	void *to;
};

static paths_status
flows_add_row(const struct flows *all, const struct es_collector *place,
    const struct es_space_collector *c, uint32_t row, bool *counted)
{
	struct es__path_flow flow = { .chain = place->chain,
		.source = place->process,
		.category = (enum paths_kind)(row % c->matrix_categories) };

	/* A single peer is the end of the chain; several are processes. */
	flow.target = c->matrix_peers == 1 ?
	    chain_target(es_run_map(all->run), place->chain) :
	    row / c->matrix_categories;
	if (es_space_matrix(es_run_space(all->run, place->process),
		place->entry, row, &flow.counts) != PATHS_OK ||
	    flow.counts.messages == 0 ||
	    /* Only damaged rows have a process that the map lacks. */
	    flow.target >= es_run_map(all->run)->process_count ||
	    es_operation_name(ES_OPERATION_PATH, flow.category) == NULL)
		return PATHS_OK;
	*counted = true;
	return all->add(all->to, &flow);
}

static paths_status
flows_add_collector(const struct flows *all, const struct es_collector *place,
    bool *counted)
{
	struct es_space_collector c;
	paths_status st = PATHS_OK;

	if (place->entry == PATHS_NONE ||
	    es_space_collector(es_run_space(all->run, place->process),
		place->entry, &c) != PATHS_OK)
		return PATHS_OK;
	for (uint32_t row = 0;
	     st == PATHS_OK && row < c.matrix_peers * c.matrix_categories;
	     row++)
		st = flows_add_row(all, place, &c, row, counted);
	return st;
}

paths_status
es__path_flows(const struct es_run *run, es__path_flow_add *add, void *to)
{
	const struct flows all = { .run = run, .add = add, .to = to };
	bool *counted =
	    calloc(es_run_map(run)->chain_count + (size_t)1, sizeof(*counted));
	paths_status st = PATHS_OK;

	if (counted == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a matrix");
	/* Collectors are in the order of items, so the first of a chain comes
	   before its others. */
	for (uint32_t n = 0; st == PATHS_OK && n < es_run_collector_count(run);
	     n++) {
		const struct es_collector *place = es_run_collector(run, n);
		bool *chain = &counted[place->chain];

		if (!*chain)
			st = flows_add_collector(&all, place, chain);
	}
	free(counted);
	return st;
}
