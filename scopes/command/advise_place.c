/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/advise_place.c - a better placement of ranks, in
 * eventspace advise
 */

#include "scopes/command/advise_place.h"

#include "scopes/placement/plan_private.h"

#include "libpaths/unit.h"

/* The least part of the cost that is worth a sentence. */
#define PLACE_LEAST 0.05

static uint32_t
place_moved(const struct es_place_plan *plan)
{
	uint32_t moved = 0;

	for (uint32_t n = 0; n < plan->ranks; n++)
		moved += plan->before[n] != plan->after[n];
	return moved;
}

/* Returns whether the placement of the run is known well enough: on one host,
   the kernel moves ranks that may run on several cores or share one. */
static bool
place_is_known(const struct es_place_plan *plan)
{
	return plan->cluster.count > 1 ||
	    plan->notes.unknown + plan->notes.wide + plan->notes.taken == 0;
}

static void
place_take(const struct es_place_plan *plan, enum es_place_unit unit,
    const char *name, struct es_advise_place *found)
{
	double before = plan->cost_before.total;
	double after = plan->cost_after.total;

	if (before <= 0 || (before - after) / before < PLACE_LEAST ||
	    !place_is_known(plan))
		return;
	found->gain = (before - after) / before;
	snprintf(found->change, sizeof(found->change),
	    "eventspace place %s --format %s", name,
	    unit == ES_PLACE_RANK ? "table" : "map");
	snprintf(found->about, sizeof(found->about),
	    "other cores for %u of %u %s", place_moved(plan), plan->ranks,
	    es_place_unit_name(unit, true));
	snprintf(found->evidence, sizeof(found->evidence),
	    "bytes times links between cores are %.0f instead of %.0f", after,
	    before);
}

void
es_advise_place_find(const char *name, struct es_advise_place *found)
{
	const struct es_place_count count = { .messages = false };
	const struct es_place_asked asked = { .per_core = 1 };
	struct es_place_source source;
	struct es_place_plan plan = { 0 };
	paths_status st = es_place_source_open(name, &count, &source);

	*found = (struct es_advise_place){ 0 };
	if (st == PATHS_OK)
		st = es_place_plan_open(&asked, &source, &plan);
	if (st == PATHS_OK)
		place_take(&plan, source.unit, name, found);
	es_place_plan_close(&plan);
	es_place_source_close(&source);
}

void
es_advise_place_print(const struct es_advise_place *found, FILE *to)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	if (found->gain > 0)
		fprintf(to,
		    "\nWith %s, the messages of the run would cost %s less,\n"
		    "by bytes times the links between the cores, which is no "
		    "time.  Change:\n%s\n",
		    found->about,
		    paths_unit_text(PATHS_UNIT_SHARE, found->gain, text),
		    found->change);
}
