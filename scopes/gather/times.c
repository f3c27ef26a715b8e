/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/times.c - copies the file with the times at which the frames of
 * a process travelled
 */

#include "scopes/gather/times_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/times.h"
#include "libpaths/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Regions of a file that are copied; a process has one for each connection. */
#define TIMES_REGIONS ((size_t)1024)
#define TIMES_SPACE ".space"
#define TIMES_RECORD_BYTES sizeof(struct paths__times_record)
#define TIMES_RECORDS \
	((uint32_t)(PATHS__TIMES_REGION_BYTES / TIMES_RECORD_BYTES))

static char *
times_name(const char *dir, const char *process)
{
	char *file;

	return asprintf(&file, "%s/%s" PATHS__TIMES_FILE, dir, process) < 0 ?
	    NULL :
	    file;
}

paths_status
es__times_open(struct es__times *times, const char *space_file)
{
	const size_t bytes = strlen(space_file), suffix = strlen(TIMES_SPACE);

	*times = (struct es__times){ .changed = false };
	/* The server that keeps the tuples of a buffer does not keep times. */
	if (bytes <= suffix ||
	    strcmp(space_file + bytes - suffix, TIMES_SPACE) != 0)
		return PATHS_OK;
	if (asprintf(&times->file, "%.*s" PATHS__TIMES_FILE,
		(int)(bytes - suffix), space_file) < 0) {
		times->file = NULL;
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
		    space_file);
	}
	times->changed = true;
	return PATHS_OK;
}

void
es__times_close(struct es__times *times)
{
	free(times->file);
	free(times->regions);
}

void
es__times_update(struct es__times *times)
{
	if (!times->changed)
		times->next = 0;
	times->changed = times->file != NULL;
}

/* --- sending ------------------------------------------------------------- */

/* Returns the number of records of a region up to the first that is not
   whole, because the process may be writing it. */
static uint32_t
region_count(const struct paths__times_record *records)
{
	uint32_t n = 1;

	if (records[0].check != PATHS__TIMES_MAGIC)
		return 0;
	while (n < TIMES_RECORDS &&
	    records[n].check == paths__times_check(&records[n]))
		n++;
	return n;
}

/* Appends the new records of a region.  Returns false if not all fit. */
static bool
region_put(struct es__times_region *region, uint64_t place, uint64_t space,
    const struct paths__times_record *records, struct es__batch_out *out)
{
	uint32_t count = region_count(records);

	if (region->sent > count ||
	    (region->sent > 0 &&
		records[region->sent - 1].check != region->check))
		region->sent = 0;
	while (region->sent < count) {
		size_t room = out->room - out->used;
		size_t now = count - region->sent;
		struct es__record *r;

		if (room < sizeof(*r) + TIMES_RECORD_BYTES)
			return false;
		if (now > (room - sizeof(*r)) / TIMES_RECORD_BYTES)
			now = (room - sizeof(*r)) / TIMES_RECORD_BYTES;
		r = es__batch_put(out, ES__RECORD_TIMES,
		    now * TIMES_RECORD_BYTES);
		r->space = space;
		r->first = place + region->sent * TIMES_RECORD_BYTES;
		r->count = (uint32_t)(now * TIMES_RECORD_BYTES);
		memcpy(r + 1, records + region->sent, r->count);
		region->sent += (uint32_t)now;
		region->check = records[region->sent - 1].check;
	}
	return true;
}

/* Returns the region to be looked at; NULL: there is no memory for it. */
static struct es__times_region *
times_region(struct es__times *t)
{
	if (t->next < t->count)
		return &t->regions[t->next];
	if (!paths__array_grow(&t->regions, t->count, &t->room,
		sizeof(*t->regions)))
		return NULL;
	t->regions[t->count] = (struct es__times_region){ 0 };
	return &t->regions[t->count++];
}

/* Appends the new records of the regions that are left.  Returns true when all
   were sent. */
static bool
times_put_regions(struct es__times *t, int fd, uint64_t space,
    struct paths__times_record *records, struct es__batch_out *out)
{
	for (; t->next < TIMES_REGIONS; t->next++) {
		const uint64_t place = t->next * PATHS__TIMES_REGION_BYTES;
		struct es__times_region *region;

		if (pread(fd, records, PATHS__TIMES_REGION_BYTES,
			(off_t)place) != (ssize_t)PATHS__TIMES_REGION_BYTES)
			break;
		region = times_region(t);
		if (region == NULL)
			break;
		if (!region_put(region, place, space, records, out))
			return false;
	}
	return true;
}

bool
es__times_put(struct es__times *t, uint64_t space, struct es__batch_out *out)
{
	struct paths__times_record *records;
	bool all = true;
	int fd = t->changed ?
	    open(t->file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) :
	    -1;

	if (fd >= 0) {
		records = malloc(PATHS__TIMES_REGION_BYTES);
		all = records == NULL ||
		    times_put_regions(t, fd, space, records, out);
		free(records);
		close(fd);
	}
	t->changed = !all;
	return all;
}

/* --- writing ------------------------------------------------------------- */

void
es__times_clear(const char *dir, const char *process)
{
	char *file = times_name(dir, process);

	if (file != NULL)
		(void)unlink(file);
	free(file);
}

/* Writes whole regions, so that readers find them.  What cannot be written is
   missing, as the times of a process without room for its file are. */
static void
times_write(int fd, const struct es__record *r)
{
	const uint64_t end = r->first + r->count;
	const uint64_t bytes = (end + PATHS__TIMES_REGION_BYTES - 1) /
	    PATHS__TIMES_REGION_BYTES * PATHS__TIMES_REGION_BYTES;
	struct stat about;

	if (fstat(fd, &about) == 0 &&
	    ((uint64_t)about.st_size >= bytes ||
		ftruncate(fd, (off_t)bytes) == 0))
		(void)!pwrite(fd, es__batch_payload(r), r->count,
		    (off_t)r->first);
}

bool
es__times_write(const char *dir, const char *process,
    const struct es__record *r)
{
	const uint64_t most = TIMES_REGIONS * PATHS__TIMES_REGION_BYTES;
	char *file;
	int fd;

	if (r->first % TIMES_RECORD_BYTES != 0 ||
	    r->count % TIMES_RECORD_BYTES != 0 || r->first > most ||
	    r->count > most - r->first)
		return false;
	file = times_name(dir, process);
	fd = file == NULL ?
	    -1 :
	    open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
		0600);
	free(file);
	if (fd >= 0) {
		times_write(fd, r);
		close(fd);
	}
	return true;
}
