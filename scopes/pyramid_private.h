/* SPDX-License-Identifier: MIT */
/*
 * scopes/pyramid_private.h - from buckets to the levels above them
 *
 * A row's buckets come in order; each level passes the sum of two on to the
 * next one, and a chunk that is full goes out.  So a row takes a chunk for each
 * level, however long it is.
 *
 * Source	reference: viewer and store, section 2
 */

#ifndef SCOPES_PYRAMID_PRIVATE_H
#define SCOPES_PYRAMID_PRIVATE_H

#include "scopes/timeline.h"

#include "libpaths/status.h"

#include <stdbool.h>

#define ES__PYRAMID_LEVELS 48u

/* A bucket while it is being filled: nothing is rounded. */
struct es__bucket {
	uint64_t covered_ns; /* over all threads */
	uint32_t starts;
	uint32_t longest_ns;
};

/* The shape of all rows. */
struct es__pyramid {
	uint64_t bucket_ns; /* of level 0, a power of two */
	uint64_t buckets;   /* of level 0 */
	uint32_t levels;
};

/* Takes a chunk that is complete. */
struct es__chunk_to {
	void *context;
	paths_status (*take)(void *context, uint32_t level, uint64_t chunk,
	    const struct es_timeline_bucket *buckets, uint32_t count);
};

/* One row while its blocks come in. */
struct es__tower {
	const struct es__pyramid *pyramid;
	uint32_t threads; /* of the row */
	struct es__chunk_to to;
	struct es__bucket *levels;	     /* of each level: a chunk */
	uint32_t filled[ES__PYRAMID_LEVELS]; /* of the chunk */
	uint64_t chunks[ES__PYRAMID_LEVELS]; /* that went out */
};

/* The shape for a run of span_ns, with about `events` on each row. */
struct es__pyramid es__pyramid_shape(int64_t span_ns, uint64_t events);

/*
 * es__tower_open - begin a row
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__tower_close, also on failure
 */
paths_status es__tower_open(struct es__tower *tower,
    const struct es__pyramid *pyramid, uint32_t threads, struct es__chunk_to to)
    PATHS_CHECKED;
void es__tower_close(struct es__tower *tower);

/* The next bucket of level 0. */
paths_status es__tower_add(struct es__tower *tower, struct es__bucket bucket)
    PATHS_CHECKED;

/* The row is complete. */
paths_status es__tower_end(struct es__tower *tower) PATHS_CHECKED;

#endif
