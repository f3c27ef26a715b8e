/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/tree_map.c - the default gather tree of a run
 *
 * The process scope, on this host, reads the path `view`.  On each other host,
 * a process of the tree reads the spaces there: a chain for each process of the
 * run that has collectors, and one for all other spaces, such as those of MPI
 * ranks.  Batches are not ordered: each collector has its own ring in a copy.
 */

#include "scopes/command/tree_map_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Chains of a merge, at most. */
#define TREE_CHAINS 64

#define TREE_LINE_BYTES 1024

paths_status
es__tree_hosts_read(struct es__tree_hosts *hosts, const char *run)
{
	char file[PATH_MAX], line[TREE_LINE_BYTES];
	paths_status st = PATHS_OK;
	FILE *from;

	*hosts = (struct es__tree_hosts){ .all = NULL };
	if (snprintf(file, sizeof(file), "%s/servers", run) >=
	    (int)sizeof(file))
		return paths_log_fail(PATHS_EINVAL, "%.60s...: too long", run);
	from = fopen(file, "re");
	while (st == PATHS_OK && from != NULL &&
	    fgets(line, sizeof(line), from) != NULL) {
		struct es__tree_host host = { .answers = true };

		(void)sscanf(line, "ports %15s", hosts->ports);
		if (sscanf(line, "%255s %255s %*u %127[^\n]", host.name,
			host.address, host.why) < 2 ||
		    strcmp(host.name, "ports") == 0)
			continue;
		if (hosts->count == ES__TREE_HOSTS ||
		    !paths__array_grow(&hosts->all, hosts->count, &hosts->room,
			sizeof(*hosts->all)))
			st = paths_log_fail(PATHS_ENOMEM, "%s: too many hosts",
			    file);
		else
			hosts->all[hosts->count++] = host;
	}
	if (from != NULL)
		fclose(from);
	return st;
}

void
es__tree_hosts_fini(struct es__tree_hosts *hosts)
{
	free(hosts->all);
	hosts->all = NULL;
	hosts->count = 0;
}

size_t
es__tree_hosts_answer(const struct es__tree_hosts *hosts)
{
	size_t count = 0;

	for (size_t n = 0; n < hosts->count; n++)
		count += hosts->all[n].answers;
	return count;
}

/* --- printing ------------------------------------------------------------ */

/* Returns true if a process of a run has collectors. */
static bool
map_collects(const struct paths_map *map, uint32_t process)
{
	for (uint32_t n = 0; n < map->item_count; n++)
		if (map->items[n].process == process &&
		    strcmp(map->items[n].ops->name, "collector") == 0)
			return true;
	return false;
}

/* Returns true if a process of a run gets a chain of its own on a host. */
static bool
map_takes(const struct paths_map *map, uint32_t process, const char *host)
{
	return strcmp(map->hosts[map->processes[process].host].name, host) ==
	    0 &&
	    map_collects(map, process);
}

/* Prints the chains of a host: of its processes, and of all others. */
static void
map_print_host(const struct paths_map *map, const char *host, FILE *to)
{
	uint32_t count = 0;

	for (uint32_t p = 0; map != NULL && p < map->process_count; p++)
		count += map_takes(map, p, host);
	if (count == 0 || count >= TREE_CHAINS) {
		fputs("{spaces}", to);
		return;
	}
	fputs("{merge", to);
	for (uint32_t p = 0; p < map->process_count; p++)
		if (map_takes(map, p, host))
			fprintf(to, " {{spaces -process %s}}",
			    map->processes[p].name);
	fputs(" {{spaces -except ", to);
	for (uint32_t p = 0; p < map->process_count; p++)
		if (map_takes(map, p, host))
			fprintf(to, "%s%s", map->processes[p].name,
			    --count == 0 ? "" : ",");
	fputs("}} -order none}", to);
}

static void
map_print_root(const struct es__tree_hosts *hosts, const struct paths_map *map,
    FILE *to)
{
	const size_t count = es__tree_hosts_answer(hosts);
	size_t n = 0;

	fputs("path scope view {{merge", to);
	for (size_t h = 0; h < hosts->count; h++) {
		const struct es__tree_host *host = &hosts->all[h];

		if (!host->answers)
			continue;
		/* More hosts than chains: merges of merges. */
		if (count > TREE_CHAINS && n % TREE_CHAINS == 0)
			fprintf(to, "%s {{merge",
			    n > 0 ? " -order none}}" : "");
		fprintf(to, " {{proxy gather-%s -via tcp} ", host->name);
		map_print_host(map, host->name, to);
		fputs("}", to);
		n++;
	}
	if (count > TREE_CHAINS)
		fputs(" -order none}}", to);
	fputs(" -order none}} -use read\n", to);
}

/* Reads the map of the run; NULL: it has none that can be read. */
static struct paths_map *
map_of_run(const char *run)
{
	const struct paths_map_reader reader = { .plugins = NULL };
	struct paths_map *map;
	char file[PATH_MAX];

	if (snprintf(file, sizeof(file), "%s/map", run) >= (int)sizeof(file) ||
	    paths_map_read(file, &reader, &map) != PATHS_OK)
		return NULL;
	return map;
}

paths_status
es__tree_map_print(const struct es__tree_hosts *hosts, const char *run,
    FILE *to)
{
	struct paths_map *map = map_of_run(run);

	fputs("pathmap 1\nplugin libgather.so.0\nhost .scope\n"
	      "process scope -host .scope\nthread scope -process scope\n",
	    to);
	for (size_t n = 0; n < hosts->count; n++)
		if (hosts->all[n].answers)
			fprintf(to,
			    "host %s -address %s\n"
			    "process gather-%s -host %s -listen tcp:0\n",
			    hosts->all[n].name, hosts->all[n].address,
			    hosts->all[n].name, hosts->all[n].name);
	map_print_root(hosts, map, to);
	paths_map_close(map);
	return ferror(to) == 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EIO, "tree.map: %s", strerror(errno));
}
