/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/repair_private.h - makes a placement valid, in which places were
 * given twice
 */

#ifndef SCOPES_PLACE_REPAIR_PRIVATE_H
#define SCOPES_PLACE_REPAIR_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

/*
 * es__repair - move processes from places that are given twice
 *
 * Each moved process goes to the free place of least cost.
 *
 * places	in and out: place of each process
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__repair(const struct es_machine *m, const struct es_traffic *t,
    uint32_t *places) PATHS_CHECKED;

#endif
