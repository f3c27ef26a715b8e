/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/placement.c - the placement of a run, found once
 *
 * The search takes up to seconds of CPU time, and a chart is drawn again and
 * again.
 */

#include "viewer/plot/placement.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>

#define COSTS ((size_t)ES_PLACE_PICTURE_TIME + 1)
#define WHY_BYTES 256

struct esv_placement {
	bool looked;	       /* for the cores; lacks is set */
	char lacks[WHY_BYTES]; /* "": they are known */
	struct {
		bool sought;
		struct es_place_picture *picture;
		char why[WHY_BYTES];
	} costs[COSTS];
};

static void
placement_close(struct esv_placement *placement)
{
	for (size_t n = 0; n < COSTS; n++)
		es_place_picture_close(placement->costs[n].picture);
	free(placement);
}

/* Makes the last error a sentence. */
static void
placement_why(char why[WHY_BYTES])
{
	(void)snprintf(why, WHY_BYTES, "There is no placement: %s.",
	    paths_log_last());
}

/* NULL: there is no memory. */
static struct esv_placement *
placement_of(struct esv_model *model)
{
	if (model->placement == NULL) {
		model->placement = calloc(1, sizeof(*model->placement));
		model->placement_close = placement_close;
	}
	return model->placement;
}

const char *
esv__placement_lacks(struct esv_model *model)
{
	struct esv_placement *p = placement_of(model);

	if (p == NULL)
		return "There is no memory for a placement.";
	if (!p->looked && model->run == NULL)
		(void)snprintf(p->lacks, WHY_BYTES,
		    "A placement needs the event spaces, which are not here.");
	else if (!p->looked && es_place_picture_ready(model->run) != PATHS_OK)
		placement_why(p->lacks);
	p->looked = true;
	return p->lacks[0] == '\0' ? NULL : p->lacks;
}

const struct es_place_picture *
esv__placement_get(struct esv_model *model, enum es_place_picture_cost cost,
    const char **why)
{
	struct esv_placement *p;

	*why = esv__placement_lacks(model);
	if (*why != NULL)
		return NULL;
	p = model->placement;
	if (!p->costs[cost].sought &&
	    es_place_picture_open(es_run_dir(model->run), cost,
		&p->costs[cost].picture) != PATHS_OK)
		placement_why(p->costs[cost].why);
	p->costs[cost].sought = true;
	*why = p->costs[cost].why;
	return p->costs[cost].picture;
}
