/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_block_private.h - the buckets of a thread in a
 * block of time
 *
 * Time of a thread is covered while one of its operations is under way, as the
 * first collectors of its paths recorded them.  An operation that has not
 * returned lasts to the end of the run.
 */

#ifndef SCOPES_VIEWS_RUN_TIMELINE_BLOCK_PRIVATE_H
#define SCOPES_VIEWS_RUN_TIMELINE_BLOCK_PRIVATE_H

#include "scopes/path/merge_private.h"
#include "scopes/views/run/timeline_rows_private.h"

#include <string.h>

/* The block that is filled. */
struct es__timeline_block {
	/* Set by the caller. */
	struct es__pyramid_bucket *buckets; /* ES__PYRAMID_BLOCK, all 0; NULL:
					       only times are kept */
	/* Returns the times of the class of an operation, one for each bucket;
	   NULL: times of classes are not kept. */
	uint64_t *(*choose)(void *context, const struct es__feed *feed,
	    const struct es_operation *op);
	void *context;

	int64_t begin_ns, end_ns;
	int64_t run_end_ns;
	uint32_t bucket_shift; /* log2 of the ns of a bucket */
	int64_t covered_to;
	uint64_t *times; /* of the class of the operation that is added */
};

/* Returns block n of a list of blocks of times.  It is cleared when it is first
   used, which the mask tells. */
static inline uint64_t *
es__timeline_block_times(uint64_t *times, uint64_t *mask, uint32_t n)
{
	times += (size_t)n * ES__PYRAMID_BLOCK;
	if ((*mask >> n & 1) == 0)
		memset(times, 0, ES__PYRAMID_BLOCK * sizeof(*times));
	*mask |= UINT64_C(1) << n;
	return times;
}

/*
 * es__timeline_block_fill - read the operations of a thread in a block
 *
 * Each tuple is read once.  Stamps ascend within a collector, so a binary
 * search finds the first tuple of a block.
 *
 * at		index among the recorded threads
 * number	of the block
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__timeline_block_fill(struct es__timeline_block *block,
    const struct es__timeline_rows *rows, uint32_t at, uint64_t number)
    PATHS_CHECKED;

#endif
