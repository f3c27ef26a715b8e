/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/walk_private.h - numbers the processing units of a host
 *
 * Numbers are those that launchers and path maps use: they count what the host
 * allows, in hwloc's order.
 */

#ifndef SCOPES_CLUSTER_WALK_PRIVATE_H
#define SCOPES_CLUSTER_WALK_PRIVATE_H

#include "libpaths/topology.h"

#include <stdbool.h>
#include <stdint.h>

/* All zeros before the first PU. */
struct es__walk {
	const struct paths_topology_pu *before; /* the PU before; NULL: none */
	uint32_t package;			/* of the host */
	uint32_t core;				/* of the package */
	uint32_t host_core;			/* the same core, of the host */
	uint32_t pu;				/* of the host */
};

/* Moves the numbers on to a PU that is allowed.  Returns whether it is the
   first of its core. */
bool es__walk_to(struct es__walk *walk, const struct paths_topology_pu *pu);

#endif
