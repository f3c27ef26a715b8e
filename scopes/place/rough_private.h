/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/rough_private.h - weights and distances that stand for costs
 */

#ifndef SCOPES_PLACE_ROUGH_PRIVATE_H
#define SCOPES_PLACE_ROUGH_PRIVATE_H

#include "scopes/machine.h"
#include "scopes/traffic.h"

/* The problem that methods solve which know weights and distances only. */
struct es__rough {
	struct es_machine *machine; /* NULL: not needed */
	struct es_traffic *traffic;
};

/*
 * es__rough_make - approximate costs by weights and distances
 *
 * The weight of a pair is the cost that it saves at most on its way from the
 * largest depth to the smallest, and the distance of a depth is the cost of all
 * pairs there.
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
