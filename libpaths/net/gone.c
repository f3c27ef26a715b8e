/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/gone.c - finds processes that ended without a connection
 */

#include "libpaths/net/gone_private.h"

#include "libpaths/engine/program_private.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Longest line that is read; a name of a process is shorter. */
#define GONE_LINE_BYTES 4096

/* Returns true when a hop waits for its first connection. */
static bool
gone_is_awaited(const struct paths__hop *hop)
{
	return hop->conn == NULL && !hop->ending;
}

/* Ends the hops that a process has not opened. */
static void
gone_lose(struct paths__hops *hops, uint32_t process, const char *kind,
    unsigned number)
{
	const struct paths_map *map = hops->program->map;
	const struct paths_map_process *p = &map->processes[process];
	char why[PATHS_OP_WHY_BYTES], how[48] = "it did not start";

	if (strcmp(kind, "lost") != 0)
		snprintf(how, sizeof(how), "%s %u before it connected",
		    strcmp(kind, "signal") == 0 ? "signal" : "exit status",
		    number);
	snprintf(why, sizeof(why), "lost process %s on host %s: %s", p->name,
	    map->hosts[p->host].name, how);
	for (uint32_t i = 0; i < hops->count; i++)
		if (gone_is_awaited(&hops->hop[i]) &&
		    map->items[hops->hop[i].item].process == process)
			paths__hop_end(&hops->hop[i], why);
}

/* Takes a line of the file.  One that has no end may still be written: its name
   may be the beginning of another one. */
static void
gone_take(struct paths__hops *hops, char *line, paths__gone_has *has,
    const void *from)
{
	char kind[8];
	unsigned number;
	uint32_t process;
	int at = 0;
	char *end = strchr(line, '\n');

	if (end == NULL)
		return;
	*end = '\0';
	if (sscanf(line, "%7s %9u %*s %*s %*s %n", kind, &number, &at) != 2 ||
	    at == 0)
		return;
	process = paths_map_find_process(hops->program->map, line + at);
	if (process != PATHS_NONE && !has(from, process))
		gone_lose(hops, process, kind, number);
}

void
paths__gone_end(struct paths__hops *hops, paths__gone_has *has,
    const void *from)
{
	char file[PATH_MAX + sizeof(PATHS__ENDS_FILE) + 1];
	char line[GONE_LINE_BYTES];
	FILE *ends;

	snprintf(file, sizeof(file), "%s/%s", hops->program->run,
	    PATHS__ENDS_FILE);
	ends = fopen(file, "re");
	if (ends == NULL)
		return;
	while (fgets(line, sizeof(line), ends) != NULL)
		gone_take(hops, line, has, from);
	fclose(ends);
}
