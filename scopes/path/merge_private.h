/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/merge_private.h - merges the tuples of several collectors by time
 */

#ifndef SCOPES_PATH_MERGE_PRIVATE_H
#define SCOPES_PATH_MERGE_PRIVATE_H

#include "scopes/clock/walk_private.h"

/* The tuples of one collector. */
struct es__feed {
	struct es__lane lane; /* the tuple of the lane is not used */
	const struct es_operation *tuple;
	uint64_t end; /* index behind the last tuple */
	int64_t key;  /* time by which its tuple is merged, in ns */
	uint32_t tag; /* for the caller */
	bool calls;   /* its tuples are MPI calls */
};

struct es__merge {
	struct es__feed *feeds;
	uint32_t *heap; /* of feeds that have a tuple, the earliest first */
	uint32_t feed_count, heap_count;
	bool by_stop; /* merge by stop; else by start */
	/* Set of bits 1 << enum paths_kind: takes operations of these kinds
	   that succeeded; 0: takes all that returned. */
	uint32_t kinds;
	/* With kinds 0: also takes operations that have not returned. */
	bool inside;
	bool begun;
};

/*
 * es__merge_open - make an empty merge with room for feeds
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__merge_close, also on failure
 */
paths_status es__merge_open(struct es__merge *merge, uint32_t feeds)
    PATHS_CHECKED;
void es__merge_close(struct es__merge *merge);

/* Adds a collector of operations on paths, or, with kinds 0, also of MPI calls.
   Returns its feed, whose lane.at, end and tag may be changed before
   es__merge_next. */
struct es__feed *es__merge_add(struct es__merge *merge,
    const struct es_analysis *analysis, uint32_t collector);

/*
 * es__merge_next - get the next tuple
 *
 * Returns tuples with equal times in the order of their feeds.
 *
 * Returns	the feed that has it; NULL after the last
 */
struct es__feed *es__merge_next(struct es__merge *merge);

#endif
