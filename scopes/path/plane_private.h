/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/plane_private.h - makes the levels of detail of one class of a
 * timeline
 *
 * A plane has the time of one class in each bucket of a row, and the shares of
 * this time at all levels.  Blocks are added in order of time, and chunks are
 * handed out in order of time.  Blocks and chunks without any time may be left
 * out and are not handed out.
 */

#ifndef SCOPES_PATH_PLANE_PRIVATE_H
#define SCOPES_PATH_PLANE_PRIVATE_H

#include "scopes/path/pyramid_private.h"

/* The receiver of chunks, whose shares are in the format of
   scopes/timeline.h. */
struct es__plane_to {
	void *context;
	paths_status (*take)(void *context, uint32_t level, uint64_t chunk,
	    const uint16_t *shares, uint32_t count);
};

/* A plane under construction. */
struct es__plane {
	const struct es__pyramid *pyramid;
	uint32_t threads;     /* of the row */
	uint32_t first_level; /* first level that is handed out */
	/* From level ES__PYRAMID_SHARED on: the current chunk of a level, its
	   number, and whether it has any time. */
	uint64_t *levels[ES__PYRAMID_LEVELS];
	uint64_t chunks[ES__PYRAMID_LEVELS];
	bool any[ES__PYRAMID_LEVELS];
};

/*
 * es__plane_open - begin a plane
 *
 * plane	the caller sets first_level
 * threads	of the row
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__plane_close, also on failure; borrows
 *		pyramid
 */
paths_status es__plane_open(struct es__plane *plane,
    const struct es__pyramid *pyramid, uint32_t threads) PATHS_CHECKED;
void es__plane_close(struct es__plane *plane);

/*
 * es__plane_add - add a block
 *
 * block	number of the block
 * ns		time in each of its buckets of level 0, over all threads
 * sums		memory for ES__PYRAMID_BLOCK / 2 numbers; its content is lost
 */
paths_status es__plane_add(struct es__plane *plane, uint64_t block,
    const uint64_t *ns, uint64_t *sums, const struct es__plane_to *to)
    PATHS_CHECKED;

/* Ends a plane: hands out its last chunks. */
paths_status es__plane_end(struct es__plane *plane,
    const struct es__plane_to *to) PATHS_CHECKED;

/* Returns the number of buckets of a level. */
static inline uint64_t
es__pyramid_buckets(const struct es__pyramid *pyramid, uint32_t level)
{
	return ((pyramid->buckets - 1) >> level) + 1;
}

/* Returns the number of buckets of level 0 in a block. */
static inline uint32_t
es__pyramid_block_buckets(const struct es__pyramid *pyramid, uint64_t block)
{
	uint64_t left = pyramid->buckets - block * ES__PYRAMID_BLOCK;

	return left < ES__PYRAMID_BLOCK ? (uint32_t)left : ES__PYRAMID_BLOCK;
}

#endif
