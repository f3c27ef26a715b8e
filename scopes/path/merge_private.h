/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/merge_private.h - the tuples of several collectors in order of
 * time
 */

#ifndef SCOPES_PATH_MERGE_PRIVATE_H
#define SCOPES_PATH_MERGE_PRIVATE_H

#include "scopes/clock/walk_private.h"

/* The tuples of one collector, as they come up. */
struct es__feed {
	struct es__lane lane; /* without its tuple, */
	const struct es_operation *tuple;
	uint64_t end; /* number of the first tuple not wanted */
	int64_t key;  /* ns: what tuples are in order of */
	uint32_t tag; /* the caller's */
	bool calls;   /* its tuples are of MPI */
};

struct es__merge {
	struct es__feed *feeds;
	uint32_t *heap; /* of feeds that have a tuple, the earliest first */
	uint32_t feed_count, heap_count;
	bool by_stop;	/* in order of stop; else of start */
	uint32_t kinds; /* 1 << enum paths_kind, ended well; 0: all that came
			   back, however they ended */
	bool inside;	/* with no kinds: also what has not come back */
	bool begun;
};

/*
 * es__merge_open - room for feeds
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__merge_close, also on failure
 */
paths_status es__merge_open(struct es__merge *merge, uint32_t feeds)
    PATHS_CHECKED;
void es__merge_close(struct es__merge *merge);

/* Add a collector that counts, or with all kinds one that tells when its thread
   communicates, all its tuples wanted; returns its feed, whose
   lane.at, end and tag may be changed before es__merge_next. */
struct es__feed *es__merge_add(struct es__merge *merge,
    const struct es_analysis *analysis, uint32_t collector);

/*
 * es__merge_next - the next tuple
 *
 * Equal times come in the order of feeds.
 *
 * Returns	the feed that has it; NULL after the last
 */
struct es__feed *es__merge_next(struct es__merge *merge);

#endif
