/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/growth_private.h - makes a placement greedily, slot by slot
 */

#ifndef SCOPES_PLACE_GROWTH_PRIVATE_H
#define SCOPES_PLACE_GROWTH_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

#include <stdbool.h>

/*
 * es__growth - fill the slots in the order of the tree, each with the process
 * that saves most by its traffic to those placed already
 *
 * heavy	begin with the process of most traffic, else of least
 * limit	largest number of looks at candidates; after that, the other
 *		processes follow in the order of their traffic
 * places	out: place of each process
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__growth(const struct es_machine *m, const struct es_traffic *t,
    bool heavy, uint64_t limit, uint32_t *places) PATHS_CHECKED;

#endif
