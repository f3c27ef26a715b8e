/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/ends.c - reads how the processes of a run ended
 */

#include "scopes/run/ends_private.h"

#include "scopes/job/files_private.h"
#include "scopes/run/run_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ENDS_FILE "ends"

/* Limits of what is read: of a line, and of the number of lines. */
#define ENDS_LINE_BYTES 4096
#define ENDS_LINES 1000000u

#define ENDS_SIGNAL_MAX 64u
#define ENDS_STATUS_MAX 255u

/* Returns whether stamps of a domain are on the clock of a process. */
static bool
ends_clock_is(const struct es_run *run, uint32_t process, const char *domain)
{
	struct es_space_info info;

	if (run->spaces[process] == NULL)
		return false;
	es_space_info(run->spaces[process], &info);
	return strcmp(info.clock_domain, domain) == 0;
}

/* Takes a line; the last one of a process counts. */
static void
ends_take(struct es_run *run, char *line, uint32_t order)
{
	char kind[8], who[8], domain[256];
	struct es__end end = { .known = true, .order = order };
	uint32_t process;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%7s %" SCNu32 " %7s %" SCNu64 " %255s %n", kind,
		&end.number, who, &end.ticks, domain, &at) != 5 ||
	    at == 0)
		return;
	process = paths_map_find_process(run->map, line + at);
	end.signalled = strcmp(kind, "signal") == 0;
	end.sent = strcmp(who, "run") == 0;
	if (process == PATHS_NONE ||
	    (!end.signalled && strcmp(kind, "status") != 0) ||
	    end.number > (end.signalled ? ENDS_SIGNAL_MAX : ENDS_STATUS_MAX))
		return;
	if (!ends_clock_is(run, process, domain))
		end.ticks = 0;
	run->ends[process] = end;
}

void
es__ends_read(struct es_run *run)
{
	char line[ENDS_LINE_BYTES];
	FILE *file = NULL;
	int fd;

	if (!es__files_has(run->dir, ENDS_FILE))
		return;
	fd = es__files_open(run->dir, ENDS_FILE);
	if (fd >= 0 && (file = fdopen(fd, "r")) == NULL)
		close(fd);
	for (uint32_t n = 0; file != NULL && n < ENDS_LINES &&
	     fgets(line, sizeof(line), file) != NULL;
	     n++)
		ends_take(run, line, n);
	if (file != NULL)
		fclose(file);
}
