/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/cluster_private.h - the hosts that processes are placed on
 */

#ifndef SCOPES_CLUSTER_CLUSTER_PRIVATE_H
#define SCOPES_CLUSTER_CLUSTER_PRIVATE_H

#include "libpaths/topology.h"

#include "libpaths/base/hash.h"

#include <stdbool.h>

struct es__cluster_host {
	char *name;
	struct paths_topology topology;
	/* The switches above it, as "row1/rack2" from the top; "": none. */
	char *switches;
};

/* All zeros when it is empty. */
struct es__cluster {
	struct es__cluster_host *hosts;
	size_t count, room;
	struct paths__hash names; /* of the hosts */
};

/*
 * es__cluster_add - add a host
 *
 * name		no other host has it
 * topology	taken: all zeros after the call
 * switches	names with '/' between them, from the top; ""
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the hosts before have another number of switches
 *				above them
 *		PATHS_ENOMEM
 */
paths_status es__cluster_add(struct es__cluster *cluster, const char *name,
    struct paths_topology *topology, const char *switches) PATHS_CHECKED;

/* Returns the number of a host; cluster->count: there is no such host. */
size_t es__cluster_find(const struct es__cluster *cluster, const char *name);

/* Returns the number of levels of switches. */
uint32_t es__cluster_switches(const struct es__cluster *cluster);

void es__cluster_fini(struct es__cluster *cluster);

#endif
