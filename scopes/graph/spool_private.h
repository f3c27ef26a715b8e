/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/spool_private.h - a file without a name that is written once,
 * then read as memory
 *
 * For data that grow with the length of a run.  They need not stay in memory:
 * the memory of pages that were read is given back, and the file still has
 * them.
 */

#ifndef SCOPES_GRAPH_SPOOL_PRIVATE_H
#define SCOPES_GRAPH_SPOOL_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Number of bytes written at a time.  The kernel keeps large pieces together
   and maps them with fewer page faults. */
#define ES__SPOOL_BLOCK (UINT64_C(256) * 1024)

struct es__spool {
	int fd;
	char *block;
	size_t used;   /* bytes of the block */
	uint64_t size; /* bytes that were added in all */
	char *bytes;   /* the mapped file, once finished; NULL: it is empty */
};

/*
 * es__spool_open - make an empty file
 *
 * dir		directory of the file; NULL, or one that cannot be written: the
 *		one for temporary files
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller calls es__spool_close, also on failure
 */
paths_status es__spool_open(const char *dir, struct es__spool *spool)
    PATHS_CHECKED;
void es__spool_close(struct es__spool *spool);

/* Writes the block.  PATHS_OK; PATHS_EIO. */
paths_status es__spool_flush(struct es__spool *spool) PATHS_CHECKED;

/* Appends at most a block of bytes.  PATHS_OK; PATHS_EIO. */
static inline paths_status
es__spool_add(struct es__spool *spool, const void *bytes, size_t count)
{
	paths_status st = PATHS_OK;

	if (spool->used + count > ES__SPOOL_BLOCK)
		st = es__spool_flush(spool);
	if (st != PATHS_OK)
		return st;
	memcpy(spool->block + spool->used, bytes, count);
	spool->used += count;
	spool->size += count;
	return PATHS_OK;
}

/* Ends writing, and maps the file at spool->bytes.  PATHS_OK; PATHS_EIO. */
paths_status es__spool_finish(struct es__spool *spool) PATHS_CHECKED;

/* Gives back the memory of bytes [from, to), in whole pages. */
void es__spool_drop(const struct es__spool *spool, uint64_t from, uint64_t to);

#endif
