/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/spool.c - a file without a name that is written once, then
 * read as memory
 */

#include "scopes/graph/spool_private.h"

#include "scopes/mpi/scratch_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static paths_status
spool_fail(void)
{
	return paths_log_fail(PATHS_EIO, "a temporary file: %s",
	    strerror(errno));
}

paths_status
es__spool_open(const char *dir, struct es__spool *spool)
{
	*spool =
	    (struct es__spool){ .fd = -1, .block = malloc(ES__SPOOL_BLOCK) };
	if (spool->block == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a temporary file");
	spool->fd = es__scratch_file(dir, 0);
	return spool->fd >= 0 ? PATHS_OK : spool_fail();
}

void
es__spool_close(struct es__spool *spool)
{
	if (spool->bytes != NULL)
		munmap(spool->bytes, (size_t)spool->size);
	/* All zeros: it was not opened. */
	if (spool->block != NULL && spool->fd >= 0)
		close(spool->fd);
	free(spool->block);
}

paths_status
es__spool_flush(struct es__spool *spool)
{
	const char *bytes = spool->block;
	uint64_t at = spool->size - spool->used;

	while (spool->used > 0) {
		ssize_t done = pwrite(spool->fd, bytes, spool->used, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return spool_fail();
		bytes += done;
		spool->used -= (size_t)done;
		at += (uint64_t)done;
	}
	return PATHS_OK;
}

paths_status
es__spool_finish(struct es__spool *spool)
{
	paths_status st = es__spool_flush(spool);
	void *bytes;

	if (st != PATHS_OK || spool->size == 0)
		return st;
	bytes = mmap(NULL, (size_t)spool->size, PROT_READ, MAP_SHARED,
	    spool->fd, 0);
	if (bytes == MAP_FAILED)
		return spool_fail();
	spool->bytes = bytes;
	return PATHS_OK;
}

void
es__spool_drop(const struct es__spool *spool, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	from = (from + page - 1) / page * page;
	to = to / page * page;
	if (from < to)
		(void)madvise(spool->bytes + from, (size_t)(to - from),
		    MADV_DONTNEED);
}
