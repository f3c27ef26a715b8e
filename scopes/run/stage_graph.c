/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/stage_graph.c - how collectors stand in relation to each other
 */

#include "scopes/run/stage_graph_private.h"

#include "libpaths/log.h"
#include "scopes/run/run_private.h"
#include "scopes/run/stage_graph_sort_private.h"

#include <stdlib.h>

/* What is needed while a graph is found. */
struct survey {
	struct es__stage_graph *graph;
	const struct es_run *run;
	const struct paths_map *map;
	const bool *counts;
	const bool *times;
	uint32_t *depth; /* of each chain: joins below it */
};

/* The chain that this one's operations go on with; NONE: it is a root. */
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

/* The collector that an item is, if it counts. */
static uint32_t
survey_collector(const struct survey *s, uint32_t item)
{
	uint32_t id = s->run->by_stage[s->map->items[item].instance];

	return id != PATHS_NONE && s->counts[id] ? id : PATHS_NONE;
}

static bool
survey_is_stage(const struct survey *s, uint32_t item)
{
	return s->run->by_stage[s->map->items[item].instance] == PATHS_NONE;
}

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

/* Depth of each chain and the trees' roots. */
static void
survey_trees(struct survey *s)
{
	struct es__stage_graph *f = s->graph;

	for (uint32_t c = 0; c < s->map->chain_count; c++) {
		f->chain_tree[c] = PATHS_NONE;
		if (chain_next(s->map, c) == PATHS_NONE) {
			f->trees[f->tree_count].root = c;
			f->trees[f->tree_count].last = PATHS_NONE;
			f->chain_tree[c] = f->tree_count++;
		}
	}
	for (uint32_t c = 0; c < s->map->chain_count; c++) {
		uint32_t root = c, next;

		while ((next = chain_next(s->map, root)) != PATHS_NONE) {
			root = next;
			s->depth[c]++;
		}
		f->chain_tree[c] = f->chain_tree[root];
	}
}

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
	}
}

/* A join of the map, its inputs not known yet; returns their memory's end. */
static struct es__join_input *
survey_join(const struct survey *s, uint32_t stage,
    struct es__join_input *inputs)
{
	struct es__stage_graph *f = s->graph;
	const struct paths_map_instance *instance = &s->map->instances[stage];
	struct es__join *join = &f->joins[f->join_count];

	f->join_of[stage] = f->join_count++;
	join->stage = stage;
	join->tree = f->chain_tree[instance->tail];
	join->input_count = instance->inputs;
	join->inputs = inputs;
	for (uint32_t n = 0; n < join->input_count; n++)
		inputs[n].chain = inputs[n].collector = PATHS_NONE;
	return inputs + join->input_count;
}

/* Those with most joins below them first, as operations reach them. */
static void
survey_joins(const struct survey *s)
{
	struct es__stage_graph *f = s->graph;
	struct es__join_input *inputs = f->inputs;
	uint32_t deepest = 0;

	for (uint32_t c = 0; c < s->map->chain_count; c++)
		deepest = s->depth[c] > deepest ? s->depth[c] : deepest;
	for (uint32_t i = 0; i < s->map->instance_count; i++)
		f->join_of[i] = PATHS_NONE;
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
	struct es__stage_graph *f = s->graph;

	for (uint32_t i = 0; i < s->map->item_count; i++) {
		uint32_t join = f->join_of[s->map->items[i].instance];

		if (join != PATHS_NONE)
			survey_input(s, &f->joins[join], i);
	}
	for (uint32_t j = 0; j < f->join_count; j++) {
		f->joins[j].observed = f->joins[j].input_count > 0;
		for (uint32_t n = 0; n < f->joins[j].input_count; n++)
			f->joins[j].observed &=
			    f->joins[j].inputs[n].collector != PATHS_NONE;
	}
}

/* The collector that an item is, if it tells when its thread communicates. */
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
graph_alloc(struct es__stage_graph *f, const struct es_run *run)
{
	const struct paths_map *map = run->map;
	size_t inputs = 0, joins = 0;

	for (uint32_t i = 0; i < map->instance_count; i++) {
		if (map->instances[i].ops->flags & PATHS_STAGE_JOIN) {
			inputs += map->instances[i].inputs;
			joins++;
		}
	}
	f->segments = calloc(run->collector_count + 1, sizeof(*f->segments));
	f->chain_tree = calloc(map->chain_count + 1, sizeof(uint32_t));
	/* One more than there are: the next to be filled is looked at. */
	f->joins = calloc(joins + 1, sizeof(*f->joins));
	f->inputs = calloc(inputs + 1, sizeof(*f->inputs));
	f->join_of = calloc(map->instance_count + 1, sizeof(uint32_t));
	f->tracks = calloc(map->path_count + 1, sizeof(*f->tracks));
	f->trees = calloc(map->chain_count + 1, sizeof(*f->trees));
	f->users = calloc(map->element_count + 1, sizeof(*f->users));
	f->heads = calloc(map->thread_count + 1, sizeof(*f->heads));
	return f->users && f->heads && f->segments && f->chain_tree &&
	    f->joins && f->inputs && f->join_of && f->tracks && f->trees;
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
