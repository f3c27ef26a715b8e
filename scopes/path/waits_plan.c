/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_plan.c - plans the sums of a tree
 */

#include "scopes/path/waits_plan_private.h"

/* Limit of pairs of waiter and culprit with their own sums in a tree. */
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
	plan->culprits =
	    plan->tree->tracks.count + 1 + plan->writers + plan->readers;
	return PATHS_OK;
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

/* Returns why reads of the tree cannot be matched with writes; NULL: they
   can. */
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
	const struct es__list *collectors = &tree->collectors;
	paths_status st;

	plan->tree = tree;
	plan->steps = steps;
	plan->range = es__walk_range(a, collectors->ids, collectors->count);
	if (tree->last != PATHS_NONE)
		plan_element(a, plan);
	st = plan_blames(a, plan);
	if (st != PATHS_OK)
		return st;
	plan_narrow(a, plan);
	plan->blocks = es__range_blocks(plan->range);
	/* Matching reads and writes needs all of them in one block. */
	if ((plan->reads || plan->writes_wait) && plan->blocks > 1)
		plan->blocks = 1;
	return PATHS_OK;
}

void
es__waits_plan_fini(struct es__waits_plan *plan)
{
	free(plan->blame_of);
}
