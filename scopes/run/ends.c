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
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define ENDS_FILE "ends"

/* Limits of what is read: of a line, and of the number of lines. */
#define ENDS_LINE_BYTES 4096
#define ENDS_LINES 1000000u

#define ENDS_SIGNAL_MAX 64u
#define ENDS_STATUS_MAX 255u

/* The time that a reader waits for lines: two seconds. */
#define ENDS_NAP_NS 5000000
#define ENDS_NAPS 400

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

/* Returns whether a process of the run has a process id, on a clock. */
static bool
ends_process_is(const struct es_run *run, uint32_t process, const char *domain,
    uint64_t pid)
{
	struct es_space_info info;

	if (process >= run->map->process_count || run->spaces[process] == NULL)
		return false;
	es_space_info(run->spaces[process], &info);
	return info.pid == pid && strcmp(info.clock_domain, domain) == 0;
}

/* Finds the process of an MPI rank.  Most ranks have the number that their
   launcher gave them; those of worlds that were spawned have others. */
static uint32_t
ends_rank(const struct es_run *run, const char *domain, char *name)
{
	char *at = strchr(name, '@');
	uint64_t pid, rank;

	if (at == NULL)
		return PATHS_NONE;
	*at = '\0';
	if (!ends_number(name, UINT32_MAX, &pid))
		return PATHS_NONE;
	if (ends_number(at + 1, UINT32_MAX, &rank) &&
	    ends_process_is(run, (uint32_t)rank, domain, pid))
		return (uint32_t)rank;
	for (uint32_t n = 0; n < run->map->process_count; n++)
		if (ends_process_is(run, n, domain, pid))
			return n;
	return PATHS_NONE;
}

/* Takes a line; the last one of a process counts.  One that has no end may
   still be written: its name may be the beginning of another one. */
static void
ends_take(struct es_run *run, char *line, uint32_t order)
{
	char kind[8], number[24], who[8], ticks[24], domain[256];
	struct es__end end = { .order = order };
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
	end.of_rank = strcmp(who, "rank") == 0;
	process = end.of_rank ? ends_rank(run, domain, line + at) :
				paths_map_find_process(run->map, line + at);
	end.signalled = strcmp(kind, "signal") == 0;
	end.sent = strcmp(who, "run") == 0;
	end.known = !end.of_rank || strcmp(kind, "gone") != 0;
	if (process == PATHS_NONE ||
	    (end.known && !end.signalled && strcmp(kind, "status") != 0) ||
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

/* Waits until nobody has a line to write, for a time: `eventspace mpi` notes
   the end of a rank a moment after it. */
static void
ends_settle(int fd)
{
	const struct timespec nap = { .tv_nsec = ENDS_NAP_NS };

	for (int n = 0; n < ENDS_NAPS && flock(fd, LOCK_EX | LOCK_NB) != 0 &&
	     errno == EWOULDBLOCK;
	     n++)
		nanosleep(&nap, NULL);
	(void)flock(fd, LOCK_UN);
}

void
es__ends_read(struct es_run *run, bool live)
{
	char line[ENDS_LINE_BYTES];
	FILE *file = NULL;
	int fd;

	if (!es__files_has(run->dir, ENDS_FILE))
		return;
	fd = es__files_open(run->dir, ENDS_FILE);
	if (fd >= 0 && !live)
		ends_settle(fd);
	if (fd >= 0 && (file = fdopen(fd, "r")) == NULL)
		close(fd);
	for (uint32_t n = 0; file != NULL && n < ENDS_LINES &&
	     fgets(line, sizeof(line), file) != NULL;
	     n++)
		ends_take(run, line, n);
	if (file != NULL)
		fclose(file);
}
