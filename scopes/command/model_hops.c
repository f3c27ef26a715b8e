/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_hops.c - links between the hosts of a run, in a tree of
 * switches
 *
 * A byte passes the links from a host up to the lowest switch that is above
 * both, and as many down.
 */

#include "scopes/command/model_hops.h"

#include "scopes/cluster/described_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

/* Returns the number of switches, from the top, that two hosts share.
   switches: as in struct es__cluster_host. */
static uint32_t
switches_shared(const char *a, const char *b)
{
	uint32_t shared = 0;

	while (*a != 0 && *b != 0) {
		size_t length = strcspn(a, "/");

		if (length != strcspn(b, "/") || strncmp(a, b, length) != 0)
			break;
		shared++;
		a += length + (a[length] == '/');
		b += length + (b[length] == '/');
	}
	return shared;
}

/* Adds the hosts of a map.  Their processors do not matter. */
static paths_status
hosts_add(const struct paths_map *map, struct es__cluster *cluster)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < map->host_count; n++) {
		struct paths_topology nothing = { 0 };

		st = es__cluster_add(cluster, map->hosts[n].name, &nothing, "");
	}
	return st;
}

/* Sets the links between hosts, which have the numbers of the map. */
static void
links_fill(const struct es__cluster *cluster, uint32_t *links)
{
	uint32_t levels = es__cluster_switches(cluster);

	for (size_t a = 0; a < cluster->count; a++)
		for (size_t b = 0; b < cluster->count; b++)
			if (a != b)
				links[a * cluster->count + b] = 2 *
				    (levels + 1 -
					switches_shared(
					    cluster->hosts[a].switches,
					    cluster->hosts[b].switches));
}

paths_status
es_command_model_hops(const struct es_run *run, const char *arity,
    uint32_t **links)
{
	const struct paths_map *map = es_run_map(run);
	struct es__cluster cluster = { 0 };
	uint32_t *made = calloc((size_t)map->host_count * map->host_count + 1,
	    sizeof(*made));
	paths_status st = made == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for hosts") :
	    hosts_add(map, &cluster);

	if (st == PATHS_OK)
		st = es__described_switches(&cluster, arity);
	if (st == PATHS_OK) {
		links_fill(&cluster, made);
		*links = made;
	} else
		free(made);
	es__cluster_fini(&cluster);
	return st;
}
