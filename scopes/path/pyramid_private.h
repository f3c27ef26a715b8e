/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/pyramid_private.h - from buckets to the levels above them
 *
 * A row's buckets come in order, a block of them at a time; each level passes
 * the sum of two on to the next one, and a chunk that is full goes out.  A
 * block is whole chunks of the first levels: those of a level go out together,
 * as they are drawn together, and rows share the memory for their sums.  Of the
 * other levels a row takes a chunk each, however long it is.
 *
 * Source	reference: viewer and store, section 2
 */

#ifndef SCOPES_PATH_PYRAMID_PRIVATE_H
#define SCOPES_PATH_PYRAMID_PRIVATE_H

#include "scopes/timeline.h"

#include "libpaths/status.h"

#include <stdbool.h>

#define ES__PYRAMID_LEVELS 64u

/* Levels whose chunks end with each block. */
#define ES__PYRAMID_SHARED 5u
#define ES__PYRAMID_BLOCK (ES_TIMELINE_CHUNK << (ES__PYRAMID_SHARED - 1))

/* A bucket while it is being filled: nothing is rounded. */
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

/* The shape of all rows. */
struct es__pyramid {
	uint64_t bucket_ns; /* of level 0, a power of two */
	uint64_t buckets;   /* of level 0 */
	uint32_t levels;
};

/* Takes a chunk that is complete. */
struct es__pyramid_chunk_to {
	void *context;
	paths_status (*take)(void *context, uint32_t level, uint64_t chunk,
	    const struct es_timeline_bucket *buckets, uint32_t count);
};

/* A block on the level that is being worked on: one for all rows. */
struct es__pyramid_ground {
	struct es__pyramid_bucket sums[ES__PYRAMID_BLOCK / 2];
};

/* One row while its blocks come in. */
struct es__pyramid_tower {
	const struct es__pyramid *pyramid;
	uint32_t threads; /* of the row */
	struct es__pyramid_ground *ground;
	/* Of each level but the first ES__PYRAMID_SHARED a chunk, and how much
	   of it is filled. */
	struct es__pyramid_bucket *levels[ES__PYRAMID_LEVELS];
	uint32_t filled[ES__PYRAMID_LEVELS];
	uint64_t chunks[ES__PYRAMID_LEVELS]; /* that went out */
};

/* The shape for a run of span_ns, with about `events` on each row. */
struct es__pyramid es__pyramid_shape(int64_t span_ns, uint64_t events);

/*
 * es__pyramid_open - begin a row of so many threads
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__pyramid_close, also on failure; ground may
 *		be shared with other rows, whose blocks come in between
 */
paths_status es__pyramid_open(struct es__pyramid_tower *tower,
    const struct es__pyramid *pyramid, uint32_t threads,
    struct es__pyramid_ground *ground) PATHS_CHECKED;
void es__pyramid_close(struct es__pyramid_tower *tower);

/* The next block: ES__PYRAMID_BLOCK buckets of level 0, fewer in the last. */
paths_status es__pyramid_add(struct es__pyramid_tower *tower,
    const struct es__pyramid_bucket *buckets, uint32_t count,
    const struct es__pyramid_chunk_to *to) PATHS_CHECKED;

/* The row is complete. */
paths_status es__pyramid_end(struct es__pyramid_tower *tower,
    const struct es__pyramid_chunk_to *to) PATHS_CHECKED;

#endif
