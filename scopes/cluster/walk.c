/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/walk.c - numbers the processing units of a host
 */

#include "scopes/cluster/walk_private.h"

bool
es__walk_to(struct es__walk *walk, const struct paths_topology_pu *pu)
{
	const struct paths_topology_pu *before = walk->before;
	bool package = before == NULL || pu->package != before->package;
	bool core = package || pu->core != before->core;

	if (before != NULL) {
		walk->pu++;
		walk->package += package;
		walk->host_core += core;
		walk->core = package ? 0 : walk->core + core;
	}
	walk->before = pu;
	return core;
}
