/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/scratch_private.h - a file without a name that is written once,
 * then read as memory
 *
 * It is for data as long as a run, which need not stay in memory: what was read
 * is given back, and the file keeps it.
 */

#ifndef SCOPES_GRAPH_SCRATCH_PRIVATE_H
#define SCOPES_GRAPH_SCRATCH_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that are written at a time. */
#define ES__SCRATCH_BLOCK (UINT64_C(64) * 1024)

struct es__scratch {
	int fd;
	char *block;
	size_t used;   /* of the block */
	uint64_t size; /* of all that was added */
	char *bytes;   /* when it is finished; NULL: it is empty */
};

/*
 * es__scratch_open - make an empty file
 *
 * dir		its directory; NULL, or one that cannot be written: that for
 *		temporary files
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller calls es__scratch_close, also on failure
 */
paths_status es__scratch_open(const char *dir, struct es__scratch *scratch)
    PATHS_CHECKED;
void es__scratch_close(struct es__scratch *scratch);

/* Writes the block.  PATHS_OK; PATHS_EIO. */
paths_status es__scratch_flush(struct es__scratch *scratch) PATHS_CHECKED;

/* Appends at most a block of bytes.  PATHS_OK; PATHS_EIO. */
static inline paths_status
es__scratch_add(struct es__scratch *scratch, const void *bytes, size_t count)
{
	paths_status st = PATHS_OK;

	if (scratch->used + count > ES__SCRATCH_BLOCK)
		st = es__scratch_flush(scratch);
	if (st != PATHS_OK)
		return st;
	memcpy(scratch->block + scratch->used, bytes, count);
	scratch->used += count;
	scratch->size += count;
	return PATHS_OK;
}

/* Ends writing; what was added is then at scratch->bytes.  PATHS_OK;
   PATHS_EIO. */
paths_status es__scratch_finish(struct es__scratch *scratch) PATHS_CHECKED;

/* Gives back the memory of bytes [from, to), in whole pages. */
void es__scratch_drop(const struct es__scratch *scratch, uint64_t from,
    uint64_t to);

#endif
