/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/pyramid_private.h - makes the levels of detail of a timeline from
 * its buckets
 *
 * The buckets of a row are added in order, in blocks.  A bucket of a level is
 * the sum of two buckets of the level before.  A chunk is handed out when it is
 * full.  In the first levels, a block consists of whole chunks.  The chunks of
 * one such level are handed out together, because they are drawn together, and
 * all rows share the memory for them.  For each other level, a row has memory
 * for one chunk.
 */

#ifndef SCOPES_PATH_PYRAMID_PRIVATE_H
#define SCOPES_PATH_PYRAMID_PRIVATE_H

#include "scopes/timeline.h"

#include "libpaths/status.h"

#include <stdbool.h>

#define ES__PYRAMID_LEVELS 64u

/* Levels that have whole chunks in each block. */
#define ES__PYRAMID_SHARED 5u
#define ES__PYRAMID_BLOCK (ES_TIMELINE_CHUNK << (ES__PYRAMID_SHARED - 1))

/* A bucket before it is rounded. */
struct es__pyramid_bucket {
	uint64_t covered_ns; /* over all threads */
	uint32_t starts;
	uint32_t longest_ns;
};

static inline void
es__pyramid_bucket_add(struct es__pyramid_bucket *to,
    const struct es__pyramid_bucket *bucket)
{
	to->covered_ns += bucket->covered_ns;
	to->starts += bucket->starts;
	if (to->starts < bucket->starts)
		to->starts = UINT32_MAX;
	if (to->longest_ns < bucket->longest_ns)
		to->longest_ns = bucket->longest_ns;
}

/* The number and size of buckets, the same for all rows. */
struct es__pyramid {
	uint64_t bucket_ns; /* of level 0, a power of two */
	uint64_t buckets;   /* of level 0 */
	uint32_t levels;
};

/* The receiver of full chunks. */
struct es__pyramid_chunk_to {
	void *context;
	paths_status (*take)(void *context, uint32_t level, uint64_t chunk,
	    const struct es_timeline_bucket *buckets, uint32_t count);
};

/* The buckets of a block on the level that is worked on.  Rows can share this
   memory, because it is used only within es__pyramid_add. */
struct es__pyramid_sums {
	struct es__pyramid_bucket buckets[ES__PYRAMID_BLOCK / 2];
};

/* A row under construction. */
struct es__pyramid_row {
	const struct es__pyramid *pyramid;
	uint32_t threads; /* of the row */
	struct es__pyramid_sums *sums;
	/* A chunk of each level that is not shared, and its length. */
	struct es__pyramid_bucket *levels[ES__PYRAMID_LEVELS];
	uint32_t filled[ES__PYRAMID_LEVELS];
	/* Number of chunks that were handed out. */
	uint64_t chunks[ES__PYRAMID_LEVELS];
};

/* Returns the number and size of buckets for a run of span_ns with about
   `events` operations in each row. */
struct es__pyramid es__pyramid_shape(int64_t span_ns, uint64_t events);

/*
 * es__pyramid_open - begin a row
 *
 * threads	of the row
 * sums	may be shared with other rows
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__pyramid_close, also on failure; borrows
 *		pyramid and sums
 */
paths_status es__pyramid_open(struct es__pyramid_row *row,
    const struct es__pyramid *pyramid, uint32_t threads,
    struct es__pyramid_sums *sums) PATHS_CHECKED;
void es__pyramid_close(struct es__pyramid_row *row);

/* Adds a block: ES__PYRAMID_BLOCK buckets of level 0, fewer in the last one. */
paths_status es__pyramid_add(struct es__pyramid_row *row,
    const struct es__pyramid_bucket *buckets, uint32_t count,
    const struct es__pyramid_chunk_to *to) PATHS_CHECKED;

/* Ends a row: hands out its last chunks. */
paths_status es__pyramid_end(struct es__pyramid_row *row,
    const struct es__pyramid_chunk_to *to) PATHS_CHECKED;

#endif
