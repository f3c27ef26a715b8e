/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/scotch_private.h - makes a placement with the library Scotch
 */

#ifndef SCOPES_PLACE_SCOTCH_PRIVATE_H
#define SCOPES_PLACE_SCOTCH_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

/* Strategies of Scotch. */
enum es__scotch_strategy {
	ES__SCOTCH_DEFAULT,
	ES__SCOTCH_QUALITY,
	ES__SCOTCH_RECURSIVE, /* and quality */
	ES__SCOTCH_PLAIN,     /* no flags */
};

/*
 * es__scotch - let Scotch map the processes
 *
 * Some places may be given twice; es__repair mends that.
 *
 * seed		seed of Scotch's random numbers
 * places	out: place of each process
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 *		PATHS_ENOENT	built without Scotch, or Scotch cannot map this
 * Threads	any; calls take turns
 */
paths_status es__scotch(const struct es_machine *m, const struct es_traffic *t,
    enum es__scotch_strategy strategy, uint32_t seed, uint32_t *places)
    PATHS_CHECKED;

#endif
