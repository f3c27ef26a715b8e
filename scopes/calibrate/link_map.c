/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/link_map.c - the map for measuring the proxies of a map
 *
 * Hosts and processes are those of the user's map.  A tuple through a link ends
 * in the stage null of the other process, so that only the proxy is measured.
 */

#include "scopes/calibrate/link_map_private.h"

#include "scopes/model/model_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <string.h>

/* Returns true if two links join the same hosts by the same means. */
static bool
link_same(const struct paths_map *map, const struct es__link *a,
    const struct es__link *b)
{
	uint32_t from[2] = { map->processes[a->from].host,
		map->processes[b->from].host };
	uint32_t to[2] = { map->processes[a->to].host,
		map->processes[b->to].host };

	return a->via == b->via &&
	    ((from[0] == from[1] && to[0] == to[1]) ||
		(from[0] == to[1] && to[0] == from[1]));
}

paths_status
es__links_find(const struct paths_map *map, struct es__link *links,
    uint32_t *count)
{
	*count = 0;
	for (uint32_t n = 0; n < map->item_count; n++) {
		const struct paths_map_item *item = &map->items[n];
		struct es__link link = { item->process, item->target,
			item->via };
		uint32_t k = 0;

		if (item->target == PATHS_NONE || item->target == item->process)
			continue;
		while (k < *count && !link_same(map, &links[k], &link))
			k++;
		if (k < *count)
			continue;
		if (k == ES__LINKS_MOST)
			return paths_log_fail(PATHS_EINVAL,
			    "%s: more than %u pairs of hosts have a proxy",
			    map->file, ES__LINKS_MOST);
		links[(*count)++] = link;
	}
	return *count > 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EINVAL,
		"%s: no process has a proxy to another one", map->file);
}

/* Prints the first line, with the options that the user's map has there. */
static void
print_version(const struct paths_map *map, FILE *to)
{
	fprintf(to, "pathmap 1 -trust %s -encrypt %s -silence ",
	    map->trust == PATHS_MAP_TRUST_NETWORK ? "network" : "secret",
	    map->encrypt ? "yes" : "no");
	if (map->silence_ns == 0)
		fputs("off\n", to);
	else
		fprintf(to, "%" PRIu64 "ns\n", map->silence_ns);
}

static void
print_hosts(const struct paths_map *map, FILE *to)
{
	for (uint32_t n = 0; n < map->host_count; n++) {
		const struct paths_map_host *host = &map->hosts[n];

		fprintf(to, "host {%s}", host->name);
		if (host->address != NULL)
			fprintf(to, " -address {%s}", host->address);
		fputc('\n', to);
	}
	for (uint32_t n = 0; n < map->process_count; n++)
		fprintf(to, "%.*s\n", (int)map->processes[n].text_bytes,
		    map->text + map->processes[n].text_at);
}

/* Returns the core of the first thread of a process; -1: any. */
static int32_t
process_core(const struct paths_map *map, uint32_t process)
{
	for (uint32_t n = 0; n < map->thread_count; n++)
		if (map->threads[n].process == process)
			return map->threads[n].core;
	return -1;
}

/* Returns true if a process measures a link. */
static bool
process_measures(const struct es__link *links, uint32_t count, uint32_t process)
{
	for (uint32_t n = 0; n < count; n++)
		if (links[n].from == process)
			return true;
	return false;
}

/* Prints the thread of a process, and the paths by which the first process
   asks it. */
static void
print_process(const struct paths_map *map, uint32_t n, FILE *to)
{
	const char *name = map->processes[n].name;
	int32_t core = process_core(map, n);

	fprintf(to, "thread " ES__LINK_THREAD "%u -process {%s}", n, name);
	if (core >= 0)
		fprintf(to, " -core %" PRId32, core);
	fputc('\n', to);
	if (n == 0)
		return;
	fprintf(to,
	    "element " ES__LINK_ASK "%u -process {%s} -type " ES__LINK_ASK_TYPE
	    " -keep 2\n"
	    "element " ES__LINK_ANSWER "%u -process {%s} "
	    "-type " ES__LINK_ANSWER_TYPE " -keep 2\n",
	    n, name, n, name);
	fprintf(to,
	    "path thread0 " ES__LINK_ASK
	    "%u {{proxy {%s}} {element " ES__LINK_ASK "%u}} -use write\n"
	    "path " ES__LINK_THREAD "%u " ES__LINK_ASK
	    "%u {{element " ES__LINK_ASK "%u}} -use read\n",
	    n, name, n, n, n, n);
	fprintf(to,
	    "path thread0 " ES__LINK_ANSWER "%u {{proxy {%s}} "
	    "{element " ES__LINK_ANSWER "%u}} -use read\n"
	    "path " ES__LINK_THREAD "%u " ES__LINK_ANSWER
	    "%u {{element " ES__LINK_ANSWER "%u}} -use write\n",
	    n, name, n, n, n, n);
}

void
es__link_map_print(const struct paths_map *map, const struct es__link *links,
    uint32_t count, FILE *to)
{
	print_version(map, to);
	print_hosts(map, to);
	for (uint32_t n = 0; n < map->process_count; n++)
		if (n == 0 || process_measures(links, count, n))
			print_process(map, n, to);
	for (uint32_t n = 0; n < count; n++)
		fprintf(to,
		    "path " ES__LINK_THREAD "%u " ES__LINK_PATH
		    "%u {{proxy {%s} -via %s} {null -type u8*..%u}} "
		    "-use write\n",
		    links[n].from, n, map->processes[links[n].to].name,
		    es__model_via(links[n].via), ES__LINK_LONGEST);
}
