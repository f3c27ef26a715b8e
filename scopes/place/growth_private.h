/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/growth_private.h - placement slot by slot
 */

#ifndef SCOPES_PLACE_GROWTH_PRIVATE_H
#define SCOPES_PLACE_GROWTH_PRIVATE_H

#include "scopes/place/machine_private.h"
#include "scopes/place/traffic_private.h"

#include <stdbool.h>

/*
 * es__growth - fill slots in the order of the tree, by what is there
 *
 * heavy	begin with the process of most traffic, and not of least
 * limit	looks at processes beside those that are placed; the others then
 *		follow in the order of their traffic
 * places	out: of each process
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__growth(const struct es_machine *m, const struct es_traffic *t,
    bool heavy, uint64_t limit, uint32_t *places) PATHS_CHECKED;

#endif
