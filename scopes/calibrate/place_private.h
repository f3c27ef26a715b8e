/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/place_private.h - finds the localities of the pairs of ranks
 */

#ifndef SCOPES_CALIBRATE_PLACE_PRIVATE_H
#define SCOPES_CALIBRATE_PLACE_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Reads the topology of this host.  Must be called before MPI starts threads,
   because it sets an environment variable that makes hwloc leave out slow
   parts. */
void es__place_prepare(struct es__calibrate *c);

/*
 * es__place_find - find out where all ranks run, and what pairs there are
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__place_fini
 */
paths_status es__place_find(struct es__calibrate *c) PATHS_CHECKED;

void es__place_fini(struct es__calibrate *c);

/* Returns the number of hosts. */
uint32_t es__place_hosts(const struct es__calibrate *c);

/* Returns true if each rank of a list can have a processing unit of its own, or
   need not. */
bool es__place_fits(const struct es__calibrate *c, const uint32_t *ranks,
    uint32_t count);

/* As es__place_fits, for all ranks. */
bool es__place_all_fit(const struct es__calibrate *c);

/* Returns how many ranks may run on several cores. */
uint32_t es__place_unbound(const struct es__calibrate *c);

#endif
