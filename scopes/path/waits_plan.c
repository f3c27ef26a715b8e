/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_plan.c - lays out the sums of the operations of a tree
 */

#include "scopes/path/waits_plan_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

/* Other trees are ignored if, with them, fewer than this share of the
   operations of the tree could be used. */
#define COPIES_LEAST 0.9

/* Largest number of pairs of waiter and culprit that have sums in a tree. */
#define BLAMES_MAX (1u << 22)

static bool
slot_waits(const struct es_analysis *a, const struct es__waits_plan *plan,
    uint32_t collector)
{
	uint32_t join = a->graph.segments[collector].join;

	if (join != PATHS_NONE)
		return a->graph.joins[a->graph.join_of[join]].observed;
	return (plan->reads || plan->writes_wait) &&
	    collector == plan->tree->last;
}

static paths_status
plan_blames(const struct es_analysis *a, struct es__waits_plan *plan)
{
	const struct es__list *collectors = &plan->tree->collectors;

	plan->blame_of = calloc(collectors->count + 1, sizeof(uint32_t));
	if (plan->blame_of == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < collectors->count; n++)
		plan->blame_of[n] = slot_waits(a, plan, collectors->ids[n]) ?
		    plan->blame_rows++ :
		    PATHS_NONE;
	plan->culprits = es__waits_plan_copied(plan) + plan->copied.count;
	return PATHS_OK;
}

/* Makes the path of an origin a culprit. */
static paths_status
plan_origin(const struct es_analysis *a, struct es__waits_plan *plan,
    struct es__waits_origin *origin)
{
	const struct es__track *track = &a->graph.tracks[origin->path];
	struct es__waits_ids *copied = &plan->copied;
	uint32_t n = 0;

	if (&a->graph.trees[track->tree] == plan->tree) {
		origin->path = track->slot;
		return PATHS_OK;
	}
	while (n < copied->count && copied->ids[n] != origin->path)
		n++;
	if (n == copied->count) {
		if (!paths__array_grow(&copied->ids, n, &copied->room,
			sizeof(*copied->ids)))
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for culprits");
		copied->ids[copied->count++] = origin->path;
	}
	origin->path = es__waits_plan_copied(plan) + n;
	return PATHS_OK;
}

/* Numbers the culprits of all inputs of joins. */
static paths_status
plan_origins(const struct es_analysis *a, struct es__waits_plan *plan)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < plan->joins.count; n++) {
		struct es__waits_join *join = &plan->joins.joins[n];

		for (uint32_t i = 0;
		     st == PATHS_OK && i < join->join->input_count; i++) {
			if (join->origins[i].path != PATHS_NONE)
				st = plan_origin(a, plan, &join->origins[i]);
			else
				join->origins[i].path =
				    es__waits_plan_unknown(plan);
		}
	}
	return st;
}

/* Finds the joins, and the operations that are known with those of other
   trees. */
static paths_status
plan_joins(const struct es_analysis *a, struct es__waits_plan *plan)
{
	uint32_t number = (uint32_t)(plan->tree - a->graph.trees);
	const struct es__list *own = &plan->tree->collectors;
	struct es__range alone = es__walk_range(a, own->ids, own->count);
	paths_status st = es__waits_joins_init(&plan->joins, a, number, true);
	const struct es__waits_ids *all = &plan->joins.collectors;

	if (st != PATHS_OK)
		return st;
	plan->range = es__walk_range(a, all->ids, all->count);
	if ((double)(plan->range.end - plan->range.begin) <
	    COPIES_LEAST * (double)(alone.end - alone.begin)) {
		es__waits_joins_fini(&plan->joins);
		st = es__waits_joins_init(&plan->joins, a, number, false);
		plan->range = alone;
	}
	return st == PATHS_OK ? plan_origins(a, plan) : st;
}

/* Drops the culprits of a tree that has too many pairs. */
static void
plan_narrow(const struct es_analysis *a, struct es__waits_plan *plan)
{
	const struct paths_map_chain *root = &a->map->chains[plan->tree->root];

	if ((uint64_t)plan->blame_rows * plan->culprits <= BLAMES_MAX)
		return;
	plan->culprits = 0;
	es_run_diagnose(a->run, ES_WARNING,
	    a->map->instances[a->map->items[root->first].instance].name,
	    "%u paths meet above it: waits are not split by culprit",
	    plan->tree->tracks.count);
}

/* Returns the reason why reads of the tree cannot be matched with writes; NULL:
   they can. */
static const char *
plan_reads(const struct es_analysis *a, const struct es__waits_plan *plan)
{
	const struct es__overview *o = &a->overviews[plan->tree->last];

	if (!es__overview_is_pure(o) && (o->gaps > 0 || o->seq_first > 0))
		return "some reads were not recorded";
	return es__order_usable(a, plan->element);
}

static void
plan_element(const struct es_analysis *a, struct es__waits_plan *plan)
{
	uint64_t kinds = a->overviews[plan->tree->last].kinds;
	uint32_t element = a->graph.segments[plan->tree->last].element;
	const char *name = a->map->elements[element].name, *why = "";

	plan->element = element;
	if ((kinds & ES__KIND(PATHS_READ)) != 0)
		why = plan_reads(a, plan);
	plan->reads = why == NULL;
	if (why != NULL && *why != '\0')
		es_run_diagnose(a->run, ES_NOTE, name,
		    "its reads are not matched with writes: %s", why);
	why = "";
	if ((kinds & ES__KINDS_WRITE) != 0)
		why = es__order_writes_wait(a, element);
	plan->writes_wait = why == NULL;
	plan->writes_unknown = why != NULL && *why != '\0';
	if (why != NULL && *why != '\0')
		es_run_diagnose(a->run, ES_NOTE, name,
		    "its writes are not matched with reads: %s", why);
	if (!plan->reads && !plan->writes_wait)
		return;
	while (es__order_writer(a, element, plan->writers) != PATHS_NONE)
		plan->writers++;
	while (es__order_reader(a, element, plan->readers) != PATHS_NONE)
		plan->readers++;
}

paths_status
es__waits_plan_init(struct es__waits_plan *plan, const struct es_analysis *a,
    const struct es__stage_tree *tree, struct es__steps steps)
{
	paths_status st;

	plan->tree = tree;
	plan->steps = steps;
	if (tree->last != PATHS_NONE)
		plan_element(a, plan);
	st = plan_joins(a, plan);
	if (st == PATHS_OK)
		st = plan_blames(a, plan);
	if (st != PATHS_OK)
		return st;
	plan_narrow(a, plan);
	plan->blocks = es__range_blocks(plan->range);
	/* To match reads and writes, all of them must be in one block. */
	if ((plan->reads || plan->writes_wait) && plan->blocks > 1)
		plan->blocks = 1;
	return PATHS_OK;
}

/* Returns the thread whose operations pass a chain, also through a buffer above
   it.  Returns PATHS_NONE below a join, which several threads pass. */
static uint32_t
plan_chain_thread(const struct es_analysis *a, uint32_t chain)
{
	const struct paths_map_chain *c = &a->map->chains[chain];

	while (c->path == PATHS_NONE && c->stage != PATHS_NONE &&
	    a->graph.join_of[c->stage] == PATHS_NONE) {
		const struct paths_map_instance *stage =
		    &a->map->instances[c->stage];

		if (stage->item == PATHS_NONE)
			return PATHS_NONE;
		c = &a->map->chains[a->map->items[stage->item].chain];
	}
	return c->path == PATHS_NONE ? PATHS_NONE :
				       a->map->paths[c->path].thread;
}

uint32_t
es__waits_plan_thread(const struct es__waits_plan *plan,
    const struct es_analysis *a, uint32_t culprit)
{
	uint32_t unknown = es__waits_plan_unknown(plan), user;
	uint32_t copied = es__waits_plan_copied(plan);

	if (culprit < unknown)
		return a->map->paths[plan->tree->tracks.ids[culprit]].thread;
	if (culprit == unknown)
		return PATHS_NONE;
	if (culprit >= copied)
		return a->map->paths[plan->copied.ids[culprit - copied]].thread;
	culprit -= unknown + 1;
	user = culprit < plan->writers ?
	    es__order_writer(a, plan->element, culprit) :
	    es__order_reader(a, plan->element, culprit - plan->writers);
	return plan_chain_thread(a, a->run->collectors[user].chain);
}

void
es__waits_plan_fini(struct es__waits_plan *plan)
{
	es__waits_joins_fini(&plan->joins);
	free(plan->copied.ids);
	free(plan->blame_of);
}
