/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/scratch.c - a file without a name that is written once, then
 * read as memory
 */

#include "scopes/graph/scratch_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns a file without a name in a directory, or -1. */
static int
scratch_file(const char *dir)
{
	char name[PATH_MAX];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	/* Some file systems have only files with names. */
	if ((size_t)snprintf(name, sizeof(name), "%s/scratch.XXXXXX", dir) >=
	    sizeof(name))
		return -1;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

static paths_status
scratch_fail(void)
{
	return paths_log_fail(PATHS_EIO, "a temporary file: %s",
	    strerror(errno));
}

paths_status
es__scratch_open(const char *dir, struct es__scratch *scratch)
{
	const char *other = getenv("TMPDIR");

	*scratch = (struct es__scratch){ .fd = -1,
		.block = malloc(ES__SCRATCH_BLOCK) };
	if (scratch->block == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a temporary file");
	if (dir != NULL)
		scratch->fd = scratch_file(dir);
	if (scratch->fd < 0)
		scratch->fd = scratch_file(other != NULL ? other : "/tmp");
	return scratch->fd >= 0 ? PATHS_OK : scratch_fail();
}

void
es__scratch_close(struct es__scratch *scratch)
{
	if (scratch->bytes != NULL)
		munmap(scratch->bytes, (size_t)scratch->size);
	/* All zeros: it was not opened. */
	if (scratch->block != NULL && scratch->fd >= 0)
		close(scratch->fd);
	free(scratch->block);
}

paths_status
es__scratch_flush(struct es__scratch *scratch)
{
	const char *bytes = scratch->block;
	uint64_t at = scratch->size - scratch->used;

	while (scratch->used > 0) {
		ssize_t done =
		    pwrite(scratch->fd, bytes, scratch->used, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return scratch_fail();
		bytes += done;
		scratch->used -= (size_t)done;
		at += (uint64_t)done;
	}
	return PATHS_OK;
}

paths_status
es__scratch_finish(struct es__scratch *scratch)
{
	paths_status st = es__scratch_flush(scratch);
	void *bytes;

	if (st != PATHS_OK || scratch->size == 0)
		return st;
	bytes = mmap(NULL, (size_t)scratch->size, PROT_READ | PROT_WRITE,
	    MAP_SHARED, scratch->fd, 0);
	if (bytes == MAP_FAILED)
		return scratch_fail();
	scratch->bytes = bytes;
	return PATHS_OK;
}

void
es__scratch_drop(const struct es__scratch *scratch, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (from < to)
		(void)madvise(scratch->bytes + from, (size_t)(to - from),
		    MADV_DONTNEED);
}
