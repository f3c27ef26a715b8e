/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/travel.c - the times that sockets measured between hosts
 */

#include "scopes/clock/travel_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/message_private.h"
#include "scopes/job/files_private.h"
#include "scopes/run/space_file_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/times.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Regions that are read of a file, at most: one for each connection. */
#define REGIONS_MAX 65536u

/* Reads the file of a process. */
struct travel {
	struct es_analysis *a;
	uint32_t process;
	size_t room;
};

static paths_status
travel_add(struct travel *t, const struct es__clock_message *m)
{
	struct es__clocks *clocks = &t->a->clocks;

	if (!paths__array_grow(&clocks->travels, clocks->travel_count, &t->room,
		sizeof(*m)))
		return PATHS_ENOMEM;
	clocks->travels[clocks->travel_count++] = *m;
	return PATHS_OK;
}

/* Adds the message of a record, if it is between two clocks. */
static paths_status
travel_record(struct travel *t, const struct paths__times_record *r,
    bool answer)
{
	const struct es__clocks *clocks = &t->a->clocks;
	uint32_t here = clocks->domain_of[t->process], there;

	if (r->process >= t->a->map->process_count ||
	    r->bytes > PATHS__TIMES_BYTES_MAX)
		return PATHS_OK;
	there = clocks->domain_of[r->process];
	if (here == there || there == PATHS_NONE)
		return PATHS_OK;
	return travel_add(t,
	    &(struct es__clock_message){ .sent = r->sent,
		.received = r->received,
		.from = answer ? there : here,
		.to = answer ? here : there,
		.bytes = r->bytes });
}

/* Reads a region, up to its first record that is not whole. */
static paths_status
travel_region(struct travel *t, const struct paths__times_record *records)
{
	paths_status st = PATHS_OK;

	if (records[0].check != PATHS__TIMES_MAGIC)
		return PATHS_OK;
	for (size_t n = 1; st == PATHS_OK && n <= 2 * PATHS__TIMES_WINDOWS;
	     n++) {
		if (records[n].check != paths__times_check(&records[n]))
			break;
		st = travel_record(t, &records[n], n % 2 == 0);
	}
	return st;
}

static paths_status
travel_read(struct travel *t, FILE *file)
{
	struct paths__times_record *records = malloc(PATHS__TIMES_REGION_BYTES);
	paths_status st = records == NULL ? PATHS_ENOMEM : PATHS_OK;

	for (unsigned n = 0; st == PATHS_OK && n < REGIONS_MAX &&
	     fread(records, PATHS__TIMES_REGION_BYTES, 1, file) == 1;
	     n++)
		st = travel_region(t, records);
	free(records);
	return st;
}

/* Opens a file of the run, or the copy of it that a gather tree makes of the
   file on another host.  Returns -1 if there is none. */
static int
travel_open(const struct es_run *run, const char *name)
{
	const char *copies = es__space_file_copies();
	int dir, fd;

	if (es__files_has(run->dir, name))
		return es__files_open(run->dir, name);
	dir = copies == NULL ? -1 : open(copies, O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	close(dir);
	return fd;
}

static paths_status
travel_process(struct travel *t)
{
	char name[PATHS_MAP_NAME_BYTES_MAX + sizeof(PATHS__TIMES_FILE)];
	FILE *file;
	paths_status st;
	int fd;

	snprintf(name, sizeof(name), "%s" PATHS__TIMES_FILE,
	    t->a->map->processes[t->process].name);
	fd = travel_open(t->a->run, name);
	if (fd < 0)
		return PATHS_OK;
	file = fdopen(fd, "r");
	if (file == NULL) {
		close(fd);
		return PATHS_ENOMEM;
	}
	st = travel_read(t, file);
	fclose(file);
	return st;
}

paths_status
es__clock_travel_find(struct es_analysis *a)
{
	struct travel t = { .a = a };
	paths_status st = PATHS_OK;

	if (a->clocks.domain_count < 2)
		return PATHS_OK;
	for (; st == PATHS_OK && t.process < a->map->process_count; t.process++)
		if (a->clocks.domain_of[t.process] != PATHS_NONE)
			st = travel_process(&t);
	if (st != PATHS_OK || a->clocks.travel_count == 0)
		return st;
	return es__clock_message_sort(a->clocks.travels, a->clocks.travel_count,
	    a->clocks.domain_count);
}

/* Returns the number of travels before those from a domain to another. */
static size_t
travels_before(const struct es__clocks *clocks, uint32_t from, uint32_t to)
{
	size_t low = 0, high = clocks->travel_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct es__clock_message *m = &clocks->travels[middle];

		if (m->from < from || (m->from == from && m->to < to))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct es__clock_message *
es__clock_travels(const struct es__clocks *clocks, uint32_t from, uint32_t to,
    size_t *count)
{
	size_t first = travels_before(clocks, from, to);

	*count = travels_before(clocks, from, to + 1) - first;
	return *count == 0 ? NULL : clocks->travels + first;
}
