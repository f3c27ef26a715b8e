/* SPDX-License-Identifier: MIT */
/*
 * scopes/cluster/cluster.c - the hosts that processes are placed on
 */

#include "scopes/cluster/cluster_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of names in a list with '/' between them. */
static uint32_t
switches_count(const char *switches)
{
	uint32_t count = switches[0] != 0;

	for (; *switches != 0; switches++)
		count += *switches == '/';
	return count;
}

uint32_t
es__cluster_switches(const struct es__cluster *cluster)
{
	return cluster->count == 0 ? 0 :
				     switches_count(cluster->hosts[0].switches);
}

/* The number of a host in the table of names. */
struct named {
	const char *name; /* of the host */
	size_t number;
};

static bool
named_used(const void *item)
{
	return ((const struct named *)item)->name != NULL;
}

/* FNV-1a. */
static uint64_t
named_hash(const void *item)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char *at = ((const struct named *)item)->name; *at != 0;
	     at++)
		hash = (hash ^ (uint8_t)*at) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

static bool
named_equal(const void *left, const void *right)
{
	return strcmp(((const struct named *)left)->name,
		   ((const struct named *)right)->name) == 0;
}

static const struct paths__hash_kind named_kind = {
	sizeof(struct named),
	named_used,
	named_hash,
	named_equal,
};

size_t
es__cluster_find(const struct es__cluster *cluster, const char *name)
{
	const struct named *found = paths__hash_find(&cluster->names,
	    &named_kind, &(struct named){ name, 0 });

	return found == NULL ? cluster->count : found->number;
}

paths_status
es__cluster_add(struct es__cluster *cluster, const char *name,
    struct paths_topology *topology, const char *switches)
{
	struct es__cluster_host host = { .topology = *topology };

	*topology = (struct paths_topology){ 0 };
	if (cluster->count > 0 &&
	    switches_count(switches) != es__cluster_switches(cluster)) {
		paths_topology_fini(&host.topology);
		return paths_log_fail(PATHS_EINVAL,
		    "host %s: %u switches are above it, and %u above %s", name,
		    switches_count(switches), es__cluster_switches(cluster),
		    cluster->hosts[0].name);
	}
	host.name = strdup(name);
	host.switches = strdup(switches);
	if (host.name == NULL || host.switches == NULL ||
	    !paths__array_grow(&cluster->hosts, cluster->count, &cluster->room,
		sizeof(*cluster->hosts)) ||
	    paths__hash_put(&cluster->names, &named_kind,
		&(struct named){ host.name, cluster->count }) == NULL) {
		free(host.name);
		free(host.switches);
		paths_topology_fini(&host.topology);
		return paths_log_fail(PATHS_ENOMEM, "no memory for hosts");
	}
	cluster->hosts[cluster->count++] = host;
	return PATHS_OK;
}

void
es__cluster_fini(struct es__cluster *cluster)
{
	for (size_t n = 0; n < cluster->count; n++) {
		free(cluster->hosts[n].name);
		free(cluster->hosts[n].switches);
		paths_topology_fini(&cluster->hosts[n].topology);
	}
	free(cluster->hosts);
	free(cluster->names.slots);
	*cluster = (struct es__cluster){ 0 };
}
