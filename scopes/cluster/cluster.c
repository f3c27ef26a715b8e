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

size_t
es__cluster_find(const struct es__cluster *cluster, const char *name)
{
	size_t n = 0;

	while (n < cluster->count && strcmp(cluster->hosts[n].name, name) != 0)
		n++;
	return n;
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
		sizeof(*cluster->hosts))) {
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
	*cluster = (struct es__cluster){ 0 };
}
