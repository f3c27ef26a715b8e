/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/rough_private.h - approximates the costs of pairs by weights and
 * distances
 */

#ifndef SCOPES_PLACE_ROUGH_PRIVATE_H
#define SCOPES_PLACE_ROUGH_PRIVATE_H

#include "scopes/machine.h"
#include "scopes/traffic.h"

/* The approximated problem, for methods that know only weights and
   distances. */
struct es__rough {
	struct es_machine *machine; /* NULL: not needed */
	struct es_traffic *traffic;
};

/*
 * es__rough_make - approximate costs by weights and distances
 *
 * The weight of a pair is the cost that it saves at the largest depth, compared
 * to the smallest.  The distance of a depth is the cost of all pairs at that
 * depth.
 *
 * t		with costs of pairs
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__rough_fini, also after a failure
 */
paths_status es__rough_make(const struct es_machine *m,
    const struct es_traffic *t, struct es__rough *rough) PATHS_CHECKED;

void es__rough_fini(struct es__rough *rough);

#endif
