/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/advise_place.c - a better placement of ranks, in
 * eventspace advise
 */

#include "scopes/command/advise_place.h"

#include "scopes/placement/plan_private.h"

#include "libpaths/unit.h"

#include <sys/stat.h>

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

/* Writes why the placement is better. */
static void
place_evidence(struct es_advise_place *found)
{
	char texts[2][PATHS_UNIT_TEXT_BYTES];

	if (found->timed)
		snprintf(found->evidence, sizeof(found->evidence),
		    "messages between ranks take %s instead of %s by the model "
		    "of the run",
		    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(found->after),
			texts[0]),
		    paths_unit_text(PATHS_UNIT_TIME, es_model_ns(found->before),
			texts[1]));
	else
		snprintf(found->evidence, sizeof(found->evidence),
		    "bytes times links between cores are %.0f instead of %.0f",
		    found->after, found->before);
}

static void
place_take(const struct es_place_plan *plan, enum es_place_unit unit,
    const char *name, struct es_advise_place *found)
{
	found->before = plan->cost_before.total;
	found->after = plan->cost_after.total;
	if (found->before <= 0 ||
	    (found->before - found->after) / found->before < PLACE_LEAST ||
	    !place_is_known(plan))
		return;
	found->gain = (found->before - found->after) / found->before;
	snprintf(found->change, sizeof(found->change),
	    "eventspace place %s%s%s%s --format %s", name,
	    found->timed ? " --with " : "", found->timed ? name : "",
	    found->timed ? "/" ES_MODEL_KEPT : "",
	    unit == ES_PLACE_RANK ? "table" : "map");
	snprintf(found->about, sizeof(found->about),
	    "other cores for %u of %u %s", place_moved(plan), plan->ranks,
	    es_place_unit_name(unit, true));
	place_evidence(found);
}

/* Finds a placement by a model; NULL: by bytes. */
static paths_status
place_find(const char *name, const struct es_model *model,
    struct es_advise_place *found)
{
	const struct es_place_count count = { .sizes = model != NULL,
		.collectives = model == NULL ? ES_PLACE_PAIRS : ES_PLACE_NONE };
	const struct es_place_asked asked = { .per_core = 1, .model = model };
	struct es_place_source source;
	struct es_place_plan plan = { 0 };
	paths_status st = es_place_source_open(name, &count, &source);

	*found = (struct es_advise_place){ .timed = model != NULL };
	if (st == PATHS_OK)
		st = es_place_plan_open(&asked, &source, &plan);
	if (st == PATHS_OK)
		place_take(&plan, source.unit, name, found);
	es_place_plan_close(&plan);
	es_place_source_close(&source);
	return st;
}

/* Reads the model that is kept with a run; NULL: there is none. */
static struct es_model *
place_model(const char *name)
{
	char file[PATH_MAX];
	struct es_model *model = NULL;
	struct stat about;

	/* The read of a pipe would wait. */
	if (snprintf(file, sizeof(file), "%s/" ES_MODEL_KEPT, name) >=
		PATH_MAX ||
	    stat(file, &about) != 0 || !S_ISREG(about.st_mode) ||
	    es_model_read(file, &model) != PATHS_OK)
		return NULL;
	return model;
}

void
es_advise_place_find(const char *name, struct es_advise_place *found)
{
	struct es_model *model = place_model(name);

	/* A run of collectives only has no messages to price.  Without a
	   result, *found has no gain. */
	if (model == NULL || place_find(name, model, found) != PATHS_OK ||
	    found->before <= 0)
		(void)(place_find(name, NULL, found) == PATHS_OK);
	es_model_free(model);
}

void
es_advise_place_print(const struct es_advise_place *found, FILE *to)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	if (found->gain <= 0)
		return;
	(void)paths_unit_text(PATHS_UNIT_SHARE, found->gain, text);
	if (found->timed)
		fprintf(to,
		    "\nWith %s, the messages of the run would take %s less by "
		    "its model:\n%s, which is\nnot the time of the run.  "
		    "Change:\n%s\n",
		    found->about, text, found->evidence, found->change);
	else
		fprintf(to,
		    "\nWith %s, the messages of the run would cost %s less,\n"
		    "by bytes times the links between the cores, which is no "
		    "time.  Change:\n%s\n",
		    found->about, text, found->change);
}
