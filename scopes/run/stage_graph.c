/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/stage_graph.c - makes the stage graph of a run from its map
 */

#include "scopes/run/stage_graph_private.h"

#include "libpaths/log.h"
#include "scopes/run/run_private.h"
#include "scopes/run/stage_graph_sort_private.h"

#include <stdlib.h>

/* A stage graph under construction. */
struct survey {
	struct es__stage_graph *graph;
	const struct es_run *run;
	const struct paths_map *map;
	const bool *counts;
	const bool *times;
	uint32_t *depth; /* of each chain: joins below it */
};

/* Returns the chain below the join at the end of a chain, or PATHS_NONE if the
   chain is a root. */
static uint32_t
chain_next(const struct paths_map *map, uint32_t chain)
{
	const struct paths_map_chain *c = &map->chains[chain];
	const struct paths_map_item *last =
	    &map->items[c->first + c->count - 1];

	return last->ops->flags & PATHS_STAGE_JOIN ?
	    map->instances[last->instance].tail :
	    PATHS_NONE;
}

/* Returns the collector at an item if it counts, or PATHS_NONE. */
static uint32_t
survey_collector(const struct survey *s, uint32_t item)
{
	uint32_t id = s->run->by_stage[s->map->items[item].instance];

	return id != PATHS_NONE && s->counts[id] ? id : PATHS_NONE;
}

/* Returns whether an item is no collector. */
static bool
survey_is_stage(const struct survey *s, uint32_t item)
{
	return s->run->by_stage[s->map->items[item].instance] == PATHS_NONE;
}

/* Extends a segment by a stage. */
static void
segment_pass(struct es__segment *segment, const struct paths_map *map,
    const struct paths_map_item *item)
{
	bool joins = item->ops->flags & PATHS_STAGE_JOIN;

	if (segment->stages++ == 0)
		segment->stage = item->instance;
	if (joins && segment->join == PATHS_NONE)
		segment->join = segment->stage = item->instance;
	segment->element = map->instances[item->instance].element;
}

/* Follows the operations from a collector down to the next one. */
static void
survey_segment(const struct survey *s, uint32_t collector)
{
	const struct es_collector *c = &s->run->collectors[collector];
	struct es__segment *segment = &s->graph->segments[collector];
	uint32_t item = paths_map_next(s->map, c->item);

	*segment = (struct es__segment){ .below = PATHS_NONE,
		.stage = c->stage,
		.join = PATHS_NONE,
		.element = PATHS_NONE,
		.tree = PATHS_NONE };
	for (; item != PATHS_NONE; item = paths_map_next(s->map, item)) {
		segment->below = survey_collector(s, item);
		if (segment->below != PATHS_NONE)
			break;
		if (!survey_is_stage(s, item))
			continue;
		segment_pass(segment, s->map, &s->map->items[item]);
		if (s->map->items[item].ops->flags & PATHS_STAGE_BEHIND)
			break;
	}
}

/* Finds the depth and the tree of each chain. */
static void
survey_trees(struct survey *s)
{
	struct es__stage_graph *g = s->graph;

	for (uint32_t c = 0; c < s->map->chain_count; c++) {
		g->chain_tree[c] = PATHS_NONE;
		if (chain_next(s->map, c) == PATHS_NONE) {
			g->trees[g->tree_count].root = c;
			g->trees[g->tree_count].last = PATHS_NONE;
			g->chain_tree[c] = g->tree_count++;
		}
	}
	for (uint32_t c = 0; c < s->map->chain_count; c++) {
		uint32_t root = c, next;

		while ((next = chain_next(s->map, root)) != PATHS_NONE) {
			root = next;
			s->depth[c]++;
		}
		g->chain_tree[c] = g->chain_tree[root];
	}
}

/* Finds the last collector on the chain of an input. */
static void
survey_input(const struct survey *s, struct es__join *join, uint32_t item)
{
	const struct paths_map_item *entry = &s->map->items[item];
	struct es__join_input *input = &join->inputs[entry->input];
	uint32_t first = s->map->chains[entry->chain].first;

	input->chain = entry->chain;
	while (item-- > first) {
		input->collector = survey_collector(s, item);
		if (input->collector != PATHS_NONE)
			return;
		if (survey_is_stage(s, item))
			input->stages++;
		else if (input->silent == PATHS_NONE)
			input->silent =
			    s->run->by_stage[s->map->items[item].instance];
	}
}

/* Adds a join with unknown inputs; returns the end of their memory. */
static struct es__join_input *
survey_join(const struct survey *s, uint32_t stage,
    struct es__join_input *inputs)
{
	struct es__stage_graph *g = s->graph;
	const struct paths_map_instance *instance = &s->map->instances[stage];
	struct es__join *join = &g->joins[g->join_count];

	g->join_of[stage] = g->join_count++;
	join->stage = stage;
	join->tree = g->chain_tree[instance->tail];
	join->input_count = instance->inputs;
	join->inputs = inputs;
	for (uint32_t n = 0; n < join->input_count; n++)
		inputs[n].chain = inputs[n].collector = inputs[n].silent =
		    PATHS_NONE;
	return inputs + join->input_count;
}

/* Adds all joins, those with most joins below them first: operations reach them
   in this order. */
static void
survey_joins(const struct survey *s)
{
	struct es__stage_graph *g = s->graph;
	struct es__join_input *inputs = g->inputs;
	uint32_t deepest = 0;

	for (uint32_t c = 0; c < s->map->chain_count; c++)
		deepest = s->depth[c] > deepest ? s->depth[c] : deepest;
	for (uint32_t i = 0; i < s->map->instance_count; i++)
		g->join_of[i] = PATHS_NONE;
	for (uint32_t d = deepest + 1; d-- > 0;) {
		for (uint32_t i = 0; i < s->map->instance_count; i++) {
			const struct paths_map_instance *stage =
			    &s->map->instances[i];

			if (stage->ops->flags & PATHS_STAGE_JOIN &&
			    s->depth[stage->tail] == d)
				inputs = survey_join(s, i, inputs);
		}
	}
}

static void
survey_inputs(const struct survey *s)
{
	struct es__stage_graph *g = s->graph;

	for (uint32_t i = 0; i < s->map->item_count; i++) {
		uint32_t join = g->join_of[s->map->items[i].instance];

		if (join != PATHS_NONE)
			survey_input(s, &g->joins[join], i);
	}
	for (uint32_t j = 0; j < g->join_count; j++) {
		g->joins[j].observed = g->joins[j].input_count > 0;
		for (uint32_t n = 0; n < g->joins[j].input_count; n++)
			g->joins[j].observed &=
			    g->joins[j].inputs[n].collector != PATHS_NONE;
	}
}

/* Returns the collector at an item if it records when its thread communicates,
   or PATHS_NONE. */
static uint32_t
survey_times(const struct survey *s, uint32_t item)
{
	uint32_t id = s->run->by_stage[s->map->items[item].instance];

	return id != PATHS_NONE && s->times[id] ? id : PATHS_NONE;
}

static void
survey_tracks(const struct survey *s)
{
	for (uint32_t p = 0; p < s->map->path_count; p++) {
		uint32_t chain = s->map->paths[p].chain;
		uint32_t item = s->map->chains[chain].first;
		uint32_t end = item + s->map->chains[chain].count;
		struct es__track *track = &s->graph->tracks[p];

		track->path = p;
		track->tree = s->graph->chain_tree[chain];
		track->head = track->times = PATHS_NONE;
		while (item < end && track->times == PATHS_NONE)
			track->times = survey_times(s, item++);
		item = s->map->chains[chain].first;
		while (item < end && track->head == PATHS_NONE)
			track->head = survey_collector(s, item++);
	}
}

static bool
graph_alloc(struct es__stage_graph *g, const struct es_run *run)
{
	const struct paths_map *map = run->map;
	size_t inputs = 0, joins = 0;

	for (uint32_t i = 0; i < map->instance_count; i++) {
		if (map->instances[i].ops->flags & PATHS_STAGE_JOIN) {
			inputs += map->instances[i].inputs;
			joins++;
		}
	}
	/* One more of each, because calloc of 0 items may return NULL. */
	g->segments = calloc(run->collector_count + 1, sizeof(*g->segments));
	g->chain_tree = calloc(map->chain_count + 1, sizeof(uint32_t));
	g->joins = calloc(joins + 1, sizeof(*g->joins));
	g->inputs = calloc(inputs + 1, sizeof(*g->inputs));
	g->join_of = calloc(map->instance_count + 1, sizeof(uint32_t));
	g->tracks = calloc(map->path_count + 1, sizeof(*g->tracks));
	g->trees = calloc(map->chain_count + 1, sizeof(*g->trees));
	g->users = calloc(map->element_count + 1, sizeof(*g->users));
	g->heads = calloc(map->thread_count + 1, sizeof(*g->heads));
	return g->users && g->heads && g->segments && g->chain_tree &&
	    g->joins && g->inputs && g->join_of && g->tracks && g->trees;
}

paths_status
es__stage_graph_init(struct es__stage_graph *graph, const struct es_run *run,
    const bool *counts, const bool *times)
{
	struct survey s = { graph, run, run->map, counts, times, NULL };
	paths_status st = PATHS_ENOMEM;

	s.depth = calloc(run->map->chain_count + 1, sizeof(*s.depth));
	if (s.depth != NULL && graph_alloc(graph, run)) {
		for (uint32_t c = 0; c < run->collector_count; c++)
			survey_segment(&s, c);
		survey_trees(&s);
		survey_joins(&s);
		survey_inputs(&s);
		survey_tracks(&s);
		for (uint32_t c = 0; c < run->collector_count; c++) {
			if (counts[c])
				graph->segments[c].tree =
				    graph->chain_tree[run->collectors[c].chain];
		}
		st = es__stage_graph_sort(graph, run);
	}
	free(s.depth);
	return st == PATHS_OK ? st : paths_log_fail(st, "no memory for a map");
}

void
es__stage_graph_fini(struct es__stage_graph *graph)
{
	for (size_t n = 0; n < 5; n++)
		free(graph->lists[n]);
	free(graph->heads);
	free(graph->users);
	free(graph->trees);
	free(graph->tracks);
	free(graph->join_of);
	free(graph->inputs);
	free(graph->joins);
	free(graph->chain_tree);
	free(graph->segments);
}
