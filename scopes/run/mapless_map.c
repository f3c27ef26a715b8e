/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mapless_map.c - makes the map of a run of MPI processes
 */

#include "scopes/run/mapless_map_private.h"

#include "libpaths/log.h"
#include "libpaths/map_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The stage that records, which es_run_open registers. */
#define COLLECTOR_STAGE "collector"

/* The names of hosts, sorted, each once.  The map has them in this order. */
struct hosts {
	char (*names)[ES_SPACE_TEXT_BYTES];
	uint32_t count;
};

/* Writes the name of the host of a process.  It is unknown for a process that
   left no space. */
static void
host_name(const struct es__mapless *mapless, char name[ES_SPACE_TEXT_BYTES])
{
	snprintf(name, ES_SPACE_TEXT_BYTES, "%s",
	    mapless->space != NULL ? mapless->info.host_name : "unknown");
	es__mapless_fit_name(name);
}

static int
host_order(const void *left, const void *right)
{
	return strcmp(left, right);
}

static paths_status
hosts_read(struct hosts *hosts, const struct es__mapless_list *list)
{
	uint32_t kept = 0;

	hosts->names = calloc(list->count + (size_t)1, sizeof(*hosts->names));
	if (hosts->names == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a map");
	for (uint32_t n = 0; n < list->count; n++)
		host_name(&list->all[n], hosts->names[n]);
	qsort(hosts->names, list->count, sizeof(*hosts->names), host_order);
	for (uint32_t n = 0; n < list->count; n++) {
		if (kept == 0 ||
		    strcmp(hosts->names[kept - 1], hosts->names[n]) != 0)
			memmove(hosts->names[kept++], hosts->names[n],
			    sizeof(*hosts->names));
	}
	hosts->count = kept;
	return PATHS_OK;
}

static uint32_t
hosts_find(const struct hosts *hosts, const struct es__mapless *mapless)
{
	char name[ES_SPACE_TEXT_BYTES];
	char(*found)[ES_SPACE_TEXT_BYTES];

	host_name(mapless, name);
	found = bsearch(name, hosts->names, hosts->count, sizeof(*hosts->names),
	    host_order);
	return (uint32_t)(found - hosts->names);
}

static paths_status
map_add_hosts(struct paths_map *map, const struct hosts *hosts)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < hosts->count; n++)
		st = paths_map_build_host(map, hosts->names[n]);
	return st;
}

/* Adds a process and its element, which has the name and the size of the tuples
   of its first collector. */
static paths_status
map_add_process(struct paths_map *map, const struct es__mapless *mapless,
    uint32_t host)
{
	uint32_t process = map->process_count;
	struct es_space_collector collector;
	char tuples[ES_SPACE_TEXT_BYTES] = "mpi", type[24] = "mpi";
	char *element;
	paths_status st = paths_map_build_process(map, mapless->name, host);

	if (st != PATHS_OK)
		return st;
	if (mapless->other &&
	    es_space_collector(mapless->space, 0, &collector) == PATHS_OK) {
		snprintf(tuples, sizeof(tuples), "%s", collector.type->name);
		es__mapless_fit_name(tuples);
		snprintf(type, sizeof(type), "u8*%" PRIu32,
		    collector.type->bytes);
	}
	if (asprintf(&element, "%s.%s", mapless->name, tuples) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a map");
	st = paths_map_build_element(map, element, process, type);
	free(element);
	return st;
}

/* Adds a thread and its path; owner: its number in the space, 0 for the first
   thread. */
static paths_status
map_add_thread(struct paths_map *map, const char *process_name,
    uint32_t process, uint32_t owner)
{
	uint32_t thread = map->thread_count;
	char *name;
	int bytes = owner == 0 ?
	    asprintf(&name, "%s", process_name) :
	    asprintf(&name, "%s.%" PRIu32, process_name, owner);
	paths_status st;

	if (bytes < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a map");
	st = paths_map_build_thread(map, name, process);
	free(name);
	return st == PATHS_OK ?
	    paths_map_build_path(map, thread, process, COLLECTOR_STAGE) :
	    st;
}

/* Adds the threads of all processes: a process and its element have the same
   index, and so have a thread, its path and its collector. */
static paths_status
map_add_threads(struct paths_map *map, struct es__mapless_list *list)
{
	paths_status st = PATHS_OK;

	for (uint32_t p = 0; st == PATHS_OK && p < list->count; p++) {
		struct es__mapless *m = &list->all[p];

		m->first = map->thread_count;
		for (uint32_t n = 0;
		     st == PATHS_OK && n < es__mapless_threads(m); n++)
			st = map_add_thread(map, m->name, p,
			    n == 0 ? 0 : m->owners[n]);
	}
	return st;
}

static paths_status
map_fill(struct paths_map *map, struct es__mapless_list *list)
{
	struct hosts hosts = { .count = 0 };
	paths_status st = hosts_read(&hosts, list);

	if (st == PATHS_OK)
		st = map_add_hosts(map, &hosts);
	for (uint32_t n = 0; st == PATHS_OK && n < list->count; n++)
		st = map_add_process(map, &list->all[n],
		    hosts_find(&hosts, &list->all[n]));
	free(hosts.names);
	return st == PATHS_OK ? map_add_threads(map, list) : st;
}

paths_status
es__mapless_map_make(struct es__mapless_list *list, const char *dir,
    struct paths_map **out)
{
	struct paths_map *map;
	paths_status st = paths_map_build_open(dir, &map);

	if (st != PATHS_OK)
		return st;
	st = map_fill(map, list);
	if (st == PATHS_OK)
		*out = map;
	else
		paths_map_close(map);
	return st;
}
