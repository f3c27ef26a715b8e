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
place_print(const struct es_place_plan *plan, enum es_place_unit unit,
    const char *name, FILE *to)
{
	char text[PATHS_UNIT_TEXT_BYTES];
	double before = plan->cost_before.total;
	double gain =
	    before > 0 ? (before - plan->cost_after.total) / before : 0;

	if (gain < PLACE_LEAST || !place_is_known(plan))
		return;
	fprintf(to,
	    "\nOn other cores, for %u of %u %s, the messages of the run "
	    "would cost %s less,\nby bytes times the links between the cores, "
	    "which is no time.  Change:\neventspace place %s --format %s\n",
	    place_moved(plan), plan->ranks, es_place_unit_name(unit, true),
	    paths_unit_text(PATHS_UNIT_SHARE, gain, text), name,
	    unit == ES_PLACE_RANK ? "table" : "map");
}

void
es_advise_place(const char *name, FILE *to)
{
	const struct es_place_count count = { .messages = false };
	const struct es_place_asked asked = { .per_core = 1 };
	struct es_place_source source;
	struct es_place_plan plan = { 0 };
	paths_status st = es_place_source_open(name, &count, &source);

	if (st == PATHS_OK)
		st = es_place_plan_open(&asked, &source, &plan);
	if (st == PATHS_OK)
		place_print(&plan, source.unit, name, to);
	es_place_plan_close(&plan);
	es_place_source_close(&source);
}
