/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_spans_private.h - divides operations on paths into spans of
 * waiting
 *
 * The spans of an operation at a stage are its wait there, if it waited, then
 * the rest of its time before and after its time further down.
 */

#ifndef SCOPES_PATH_WAITS_SPANS_PRIVATE_H
#define SCOPES_PATH_WAITS_SPANS_PRIVATE_H

#include "scopes/path/waits_work_private.h"
#include "scopes/waits_at.h"

/* Spans that were found and are not read yet. */
struct es__spans {
	struct es_waits_span *list;
	size_t count, next, room;
	int64_t from_ns, to_ns; /* others are not added */
};

/* Adds a span, unless it is empty or outside the interval. */
paths_status es__spans_add(struct es__spans *spans,
    const struct es_waits_span *span) PATHS_CHECKED;

/* The operations of one path. */
struct es__spans_track {
	uint32_t head;	 /* collector */
	uint32_t thread; /* of the path */
	uint64_t n, end; /* the operations that overlap the interval */
};

struct es__spans_walk {
	struct es_analysis *a;
	uint32_t tree;		     /* the next one */
	struct es__waits_plan plan;  /* of the tree before it */
	struct waits_worker *worker; /* NULL: there is none */
	bool has; /* it has an operation that is not divided yet */
	struct es__spans_track *tracks; /* of that tree */
	uint32_t track_count;
	uint32_t *down; /* memory: the collectors of a path */
};

/*
 * es__spans_open - prepare to find the spans of operations on paths
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__spans_close, also on failure
 */
paths_status es__spans_open(struct es__spans_walk *walk, struct es_analysis *a)
    PATHS_CHECKED;
void es__spans_close(struct es__spans_walk *walk);

/*
 * es__spans_fill - find the spans of some more operations
 *
 * spans	empty; stays so only if there are no more
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__spans_fill(struct es__spans_walk *walk,
    struct es__spans *spans) PATHS_CHECKED;

#endif
