/* SPDX-License-Identifier: MIT */
/*
 * scopes/forest.c - how collectors stand in relation to each other
 */

#include "scopes/forest_private.h"

#include "libpaths/log.h"
#include "scopes/run_private.h"

#include <stddef.h>
#include <stdlib.h>

/* What is needed while a forest is found. */
struct survey {
	struct es__forest *forest;
	const struct es_run *run;
	const struct paths_map *map;
	const bool *counts;
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
	struct es__segment *segment = &s->forest->segments[collector];
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
	struct es__forest *f = s->forest;

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
	struct es__input *input = &join->inputs[entry->input];
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

static void
survey_joins(const struct survey *s)
{
	struct es__forest *f = s->forest;
	struct es__input *inputs = f->inputs;

	for (uint32_t i = 0; i < s->map->instance_count; i++) {
		const struct paths_map_instance *stage = &s->map->instances[i];
		struct es__join *join = &f->joins[f->join_count];

		f->join_of[i] = PATHS_NONE;
		if (!(stage->ops->flags & PATHS_STAGE_JOIN))
			continue;
		f->join_of[i] = f->join_count++;
		join->stage = i;
		join->tree = f->chain_tree[stage->tail];
		join->input_count = stage->inputs;
		join->inputs = inputs;
		inputs += stage->inputs;
		for (uint32_t n = 0; n < join->input_count; n++)
			join->inputs[n].chain = join->inputs[n].collector =
			    PATHS_NONE;
	}
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

static void
survey_tracks(const struct survey *s)
{
	for (uint32_t p = 0; p < s->map->path_count; p++) {
		uint32_t chain = s->map->paths[p].chain;
		uint32_t item = s->map->chains[chain].first;
		uint32_t end = item + s->map->chains[chain].count;
		struct es__track *track = &s->forest->tracks[p];

		track->path = p;
		track->tree = s->forest->chain_tree[chain];
		track->head = PATHS_NONE;
		while (item < end && track->head == PATHS_NONE)
			track->head = survey_collector(s, item++);
	}
}

static struct es__list *
tree_list(struct es__forest *f, uint32_t tree, size_t which)
{
	return (struct es__list *)((char *)&f->trees[tree] + which);
}

/*
 * Make room for one list of all trees, whose counts are set.  They are 0
 * afterwards: appending counts anew.
 */
static paths_status
lists_open(struct es__forest *f, size_t which, uint32_t **memory)
{
	size_t total = 0;
	uint32_t *at;

	for (uint32_t t = 0; t < f->tree_count; t++)
		total += tree_list(f, t, which)->count;
	at = *memory = calloc(total + 1, sizeof(*at));
	if (at == NULL)
		return PATHS_ENOMEM;
	for (uint32_t t = 0; t < f->tree_count; t++) {
		struct es__list *list = tree_list(f, t, which);

		list->ids = at;
		at += list->count;
		list->count = 0;
	}
	return PATHS_OK;
}

/* Returns the id's place in the list. */
static uint32_t
list_append(struct es__list *list, uint32_t id)
{
	list->ids[list->count] = id;
	return list->count++;
}

/* The last collector of a root chain that an element is below. */
static void
tree_append_collector(const struct survey *s, struct es__tree *tree,
    uint32_t collector)
{
	struct es__segment *segment = &s->forest->segments[collector];

	segment->slot = list_append(&tree->collectors, collector);
	if (s->run->collectors[collector].chain == tree->root &&
	    segment->element != PATHS_NONE)
		tree->last = collector;
}

static paths_status
survey_list_collectors(const struct survey *s)
{
	struct es__forest *f = s->forest;
	paths_status st;

	for (uint32_t c = 0; c < s->run->collector_count; c++) {
		if (!s->counts[c])
			continue;
		f->segments[c].tree =
		    f->chain_tree[s->run->collectors[c].chain];
		f->trees[f->segments[c].tree].collectors.count++;
	}
	st = lists_open(f, offsetof(struct es__tree, collectors), &f->lists[0]);
	if (st != PATHS_OK)
		return st;
	for (uint32_t c = 0; c < s->run->collector_count; c++) {
		if (s->counts[c])
			tree_append_collector(s, &f->trees[f->segments[c].tree],
			    c);
	}
	return PATHS_OK;
}

static paths_status
survey_list_joins(const struct survey *s)
{
	struct es__forest *f = s->forest;
	uint32_t deepest = 0;
	paths_status st;

	for (uint32_t j = 0; j < f->join_count; j++)
		f->trees[f->joins[j].tree].joins.count++;
	for (uint32_t c = 0; c < s->map->chain_count; c++)
		deepest = s->depth[c] > deepest ? s->depth[c] : deepest;
	st = lists_open(f, offsetof(struct es__tree, joins), &f->lists[1]);
	if (st != PATHS_OK)
		return st;
	/* Operations reach the joins with most joins below them first. */
	for (uint32_t d = deepest + 1; d-- > 0;) {
		for (uint32_t j = 0; j < f->join_count; j++) {
			struct es__join *join = &f->joins[j];
			uint32_t tail = s->map->instances[join->stage].tail;

			if (s->depth[tail] == d)
				join->slot =
				    list_append(&f->trees[join->tree].joins, j);
		}
	}
	return PATHS_OK;
}

static paths_status
survey_list_tracks(const struct survey *s)
{
	struct es__forest *f = s->forest;
	paths_status st;

	for (uint32_t p = 0; p < s->map->path_count; p++)
		f->trees[f->tracks[p].tree].tracks.count++;
	st = lists_open(f, offsetof(struct es__tree, tracks), &f->lists[2]);
	if (st != PATHS_OK)
		return st;
	for (uint32_t p = 0; p < s->map->path_count; p++)
		f->tracks[p].slot =
		    list_append(&f->trees[f->tracks[p].tree].tracks, p);
	return PATHS_OK;
}

/* The element that a tree ends at; NONE. */
static uint32_t
tree_element(const struct paths_map *map, const struct es__tree *tree)
{
	const struct paths_map_chain *root = &map->chains[tree->root];
	const struct paths_map_item *end =
	    &map->items[root->first + root->count - 1];

	return map->instances[end->instance].element;
}

/* The thread of a path that has a first collector; NONE. */
static uint32_t
track_thread(const struct survey *s, uint32_t path)
{
	return s->forest->tracks[path].head == PATHS_NONE ?
	    PATHS_NONE :
	    s->map->paths[path].thread;
}

/*
 * Sort ids into lists: each goes into list into[id], those of PATHS_NONE into
 * none, in their order.
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
		if (into[id] != PATHS_NONE)
			list_append(&lists[into[id]], id);
	}
	return PATHS_OK;
}

/* Trees by the element they end at. */
static paths_status
survey_list_users(const struct survey *s)
{
	struct es__forest *f = s->forest;
	uint32_t *into = calloc((size_t)f->tree_count + 1, sizeof(*into));
	paths_status st = PATHS_ENOMEM;

	for (uint32_t t = 0; into && t < f->tree_count; t++)
		into[t] = tree_element(s->map, &f->trees[t]);
	if (into != NULL)
		st = lists_sort(f->users, s->map->element_count, into,
		    f->tree_count, &f->lists[3]);
	free(into);
	return st;
}

/* First collectors by the thread of their path, in the order of paths. */
static paths_status
survey_list_heads(const struct survey *s)
{
	struct es__forest *f = s->forest;
	uint32_t paths = s->map->path_count;
	uint32_t *into = calloc((size_t)paths + 1, sizeof(*into));
	paths_status st = PATHS_ENOMEM;

	for (uint32_t p = 0; into && p < paths; p++)
		into[p] = track_thread(s, p);
	if (into != NULL)
		st = lists_sort(f->heads, s->map->thread_count, into, paths,
		    &f->lists[4]);
	for (uint32_t t = 0; st == PATHS_OK && t < s->map->thread_count; t++) {
		for (uint32_t n = 0; n < f->heads[t].count; n++)
			f->heads[t].ids[n] = f->tracks[f->heads[t].ids[n]].head;
	}
	free(into);
	return st;
}

static bool
forest_alloc(struct es__forest *f, const struct es_run *run)
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
es__forest_init(struct es__forest *forest, const struct es_run *run,
    const bool *counts)
{
	struct survey s = { forest, run, run->map, counts, NULL };
	paths_status st = PATHS_ENOMEM;

	s.depth = calloc(run->map->chain_count + 1, sizeof(*s.depth));
	if (s.depth != NULL && forest_alloc(forest, run)) {
		for (uint32_t c = 0; c < run->collector_count; c++)
			survey_segment(&s, c);
		survey_trees(&s);
		survey_joins(&s);
		survey_tracks(&s);
		st = survey_list_collectors(&s);
		if (st == PATHS_OK)
			st = survey_list_joins(&s);
		if (st == PATHS_OK)
			st = survey_list_tracks(&s);
		if (st == PATHS_OK)
			st = survey_list_users(&s);
		if (st == PATHS_OK)
			st = survey_list_heads(&s);
	}
	free(s.depth);
	return st == PATHS_OK ? st : paths_log_fail(st, "no memory for a map");
}

void
es__forest_fini(struct es__forest *forest)
{
	for (size_t n = 0; n < 5; n++)
		free(forest->lists[n]);
	free(forest->heads);
	free(forest->users);
	free(forest->trees);
	free(forest->tracks);
	free(forest->join_of);
	free(forest->inputs);
	free(forest->joins);
	free(forest->chain_tree);
	free(forest->segments);
}
