/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/plan_private.h - the machine of eventspace place, and ranks
 * on it
 */

#ifndef SCOPES_PLACEMENT_PLAN_PRIVATE_H
#define SCOPES_PLACEMENT_PLAN_PRIVATE_H

#include "scopes/cluster/current_private.h"
#include "scopes/cluster/slots_private.h"
#include "scopes/place.h"
#include "scopes/placement/price_private.h"
#include "scopes/placement/traffic_private.h"

#include "libpaths/base/command.h"

/* The options of the user. */
struct es_place_asked {
	const char *machine; /* arities, or a file of hosts; NULL: of the run */
	const char *arity;   /* of switches; NULL: none */
	const char *links;   /* NULL: hops */
	const char *current; /* table of the present placement; NULL: none */
	struct paths_command_list topologies, without;
	uint64_t per_core;
	bool pus;
	bool renumber; /* use the slots of the present placement only */
	/* Costs are predicted times by it; NULL: weight times distance. */
	const struct es_model *model;
	struct es_place_options options;
};

struct es_place_plan {
	struct es__cluster cluster;
	struct es__slots slots;
	uint32_t ranks;
	uint32_t *usable; /* slots that ranks may be placed on */
	uint32_t usable_count;
	uint32_t *before, *after; /* slot of each rank */
	bool before_is_known;	  /* not only the order of ranks */
	struct es__current_notes notes;
	uint32_t moved; /* ranks that had to leave their host */
	struct es_place_cost cost_before, cost_after;
	struct es_place_result result;
	struct es_place_price price; /* with a model */
	/* Time of the rank whose messages take longest, by the model. */
	double slowest_before_s, slowest_after_s;
};

/*
 * Makes the machine and finds a placement.  The caller calls
 * es_place_plan_close, also after a failure.
 *
 * Returns	PATHS_OK
 *		PATHS_ERANGE	the machine does not hold the ranks
 *		a status of the functions of scopes/cluster, es_place and
 *		es_place_price_open
 */
paths_status es_place_plan_open(const struct es_place_asked *asked,
    const struct es_place_source *source, struct es_place_plan *plan)
    PATHS_CHECKED;

void es_place_plan_close(struct es_place_plan *plan);

#endif
