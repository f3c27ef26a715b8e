/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/ends.c - reads how the processes of a run ended
 */

#include "scopes/run/ends_private.h"

#include "scopes/job/files_private.h"
#include "scopes/run/run_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ENDS_FILE "ends"

/* Limits of what is read: of a line, and of the number of lines. */
#define ENDS_LINE_BYTES 4096
#define ENDS_LINES 1000000u

#define ENDS_SIGNAL_MAX 64u
#define ENDS_STATUS_MAX 255u

/* Wall clocks may be set while a run is recorded or read. */
#define ENDS_SLACK_S 86400

/* Returns whether a process can have ended at a stamp: on its own clock, after
   the creation of its space, and not in the future. */
static bool
ends_stamp_is(const struct es_run *run, uint32_t process, const char *domain,
    uint64_t ticks)
{
	struct es_space_info info;
	int64_t age;

	if (run->spaces[process] == NULL)
		return false;
	es_space_info(run->spaces[process], &info);
	age = (int64_t)time(NULL) -
	    (int64_t)(info.start.realtime_ns / 1000000000) + ENDS_SLACK_S;
	return strcmp(info.clock_domain, domain) == 0 && info.hz > 0 &&
	    ticks >= info.start.ticks && age >= 0 &&
	    (ticks - info.start.ticks) / info.hz <= (uint64_t)age;
}

/* Reads a number of decimal digits up to a limit. */
static bool
ends_number(const char *text, uint64_t max, uint64_t *number)
{
	char *rest;

	errno = 0;
	*number = strtoull(text, &rest, 10);
	return text[0] >= '0' && text[0] <= '9' && *rest == '\0' &&
	    errno == 0 && *number <= max;
}

/* Takes a line; the last one of a process counts.  One that has no end may
   still be written: its name may be the beginning of another one. */
static void
ends_take(struct es_run *run, char *line, uint32_t order)
{
	char kind[8], number[24], who[8], ticks[24], domain[256];
	struct es__end end = { .known = true, .order = order };
	uint64_t value;
	char *newline = strchr(line, '\n');
	uint32_t process;
	int at = 0;

	if (newline == NULL)
		return;
	*newline = '\0';
	if (sscanf(line, "%7s %23s %7s %23s %255s %n", kind, number, who, ticks,
		domain, &at) != 5 ||
	    at == 0)
		return;
	process = paths_map_find_process(run->map, line + at);
	end.signalled = strcmp(kind, "signal") == 0;
	end.sent = strcmp(who, "run") == 0;
	if (process == PATHS_NONE ||
	    (!end.signalled && strcmp(kind, "status") != 0) ||
	    !ends_number(ticks, UINT64_MAX, &end.ticks) ||
	    !ends_number(number,
		end.signalled ? ENDS_SIGNAL_MAX : ENDS_STATUS_MAX, &value) ||
	    (end.signalled && value == 0))
		return;
	end.number = (uint32_t)value;
	if (!ends_stamp_is(run, process, domain, end.ticks))
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
