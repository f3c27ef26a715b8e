/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/described_private.h - hosts that a text describes
 */

#ifndef SCOPES_CLUSTER_DESCRIBED_PRIVATE_H
#define SCOPES_CLUSTER_DESCRIBED_PRIVATE_H

#include "scopes/cluster/cluster_private.h"

/* Returns whether a text is one that es__cluster_synthetic reads, and no name
   of a file. */
bool es__described_is_arity(const char *text);

/*
 * es__described_synthetic - add the hosts of a symmetric machine
 *
 * arity	"CORES", "HOSTS:CORES", "HOSTS:PACKAGES:CORES", with numbers of
 *		switches before them.  Hosts are named node0, node1, ...
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	not such a text
 *		PATHS_ERANGE	too large
 *		PATHS_ENOMEM
 */
paths_status es__described_synthetic(struct es__cluster *cluster,
    const char *arity) PATHS_CHECKED;

/*
 * es__described_read - add the hosts that a file describes
 *
 * A line is "host NAME TOPOLOGY ?SWITCH/SWITCH?".  The topology is "CORES",
 * "PACKAGES:CORES", or a file of hwloc's XML, relative to the folder of the
 * description.  "#" begins a comment.
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	a line is none of these
 *		PATHS_ENOENT, PATHS_EIO
 *		a status of paths_topology_read and es__cluster_add
 */
paths_status es__described_read(struct es__cluster *cluster, const char *file)
    PATHS_CHECKED;

/*
 * es__described_switches - group hosts below switches, in their order
 *
 * arity	"4" or "2:4": numbers of switches or hosts below each group of
 *		the level above, from the top
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	not such a text
 *		PATHS_ERANGE	room for fewer hosts than there are
 *		PATHS_EINVAL	the hosts have switches
 *		PATHS_ENOMEM
 */
paths_status es__described_switches(struct es__cluster *cluster,
    const char *arity) PATHS_CHECKED;

#endif
