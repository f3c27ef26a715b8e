/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/repair_private.h - makes a placement valid
 */

#ifndef SCOPES_PLACE_REPAIR_PRIVATE_H
#define SCOPES_PLACE_REPAIR_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

/*
 * es__repair - move processes from places that are given twice
 *
 * Each goes to the free place of least cost.
 *
 * places	of each process; in and out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__repair(const struct es_machine *m, const struct es_traffic *t,
    uint32_t *places) PATHS_CHECKED;

#endif
