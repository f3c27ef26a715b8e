/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/region_private.h - memory of one rank that all ranks read
 *
 * A region is read-only memory: the mapping of a file, or a copy of tuples.
 * The rank that owns it has it.  The others have a mapping of the same size,
 * whose pages are fetched from the owner when they are first read, and given
 * back when there are many.
 *
 * All ranks add the same regions in the same order, so a region has one number
 * everywhere.
 */

#ifndef SCOPES_JOB_REGION_PRIVATE_H
#define SCOPES_JOB_REGION_PRIVATE_H

#include "scopes/job/member_private.h"

/* Bytes that are fetched at a time.  A multiple of the size of a page. */
#define ES__REGION_PIECE ((size_t)64 << 10)

struct es__region {
	uint8_t *base; /* NULL: it is gone */
	size_t bytes;
	uint32_t owner;
	bool here;	 /* this rank reads it without the owner */
	bool everywhere; /* as `here`, of all ranks */
	size_t last;	 /* piece that was read last; for reading ahead */
	uint8_t *pieces; /* state of each piece, if not `here` */
	size_t missing;	 /* pieces that are still to come, without faults */
};

struct es__regions {
	struct es__region *list;
	size_t count, room;
	struct es__fault *fault;
};

/*
 * es__region_add - a region that this rank has
 *
 * everywhere	all ranks have it
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__region_add(uint32_t owner, const void *base, size_t bytes,
    bool everywhere) PATHS_CHECKED;

/*
 * es__region_map - a region of another rank
 *
 * base	out: the mapping; bytes past the end are zeros up to a whole piece
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	memory cannot be mapped
 *		PATHS_ENOMEM
 *		the status of the job, which has failed
 */
paths_status es__region_map(uint32_t owner, size_t bytes, void **base)
    PATHS_CHECKED;

/* Forgets a region that begins at this address, and unmaps it if it was mapped
   by es__region_map. */
void es__region_drop(const void *base);

/* Returns the rank that should read the memory at an address; PATHS_NONE (all
   ones): any rank can, or it is not of a region. */
uint32_t es__region_reader(const void *address);

/* Answers a control message FETCH.  Called by the engine. */
void es__region_serve(struct es__job *job, uint32_t from,
    const struct es__control *asked);

void es__region_fini(struct es__job *job);

#endif
