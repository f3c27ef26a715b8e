/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/matching_private.h - makes a placement from the bottom of the
 * tree up
 */

#ifndef SCOPES_PLACE_MATCHING_PRIVATE_H
#define SCOPES_PLACE_MATCHING_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

/*
 * es__matching - join processes into groups, and groups into larger ones
 *
 * places	out: place of each process
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 *		PATHS_ENOENT	the groups of the machine have different sizes
 */
paths_status es__matching(const struct es_machine *m,
    const struct es_traffic *t, uint32_t *places) PATHS_CHECKED;

#endif
