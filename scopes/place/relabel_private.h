/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/relabel_private.h - equal placements in which less moves
 */

#ifndef SCOPES_PLACE_RELABEL_PRIVATE_H
#define SCOPES_PLACE_RELABEL_PRIVATE_H

#include "scopes/place/machine_private.h"

/*
 * es__relabel - exchange groups of the same shape, so that less moves
 *
 * Two groups have the same shape if their parts can be paired so that those of
 * a pair have the same shape.  To exchange them changes no distance.  Groups
 * are paired from the bottom of the tree up, the pairs in which most processes
 * can stay first, so the number that stay need not be the largest there is.
 *
 * count	of processes
 * current	place of each process that it has now
 * places	of each process; in and out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__relabel(const struct es_machine *m, uint32_t count,
    const uint32_t *current, uint32_t *places) PATHS_CHECKED;

#endif
