/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_spans_private.h - divides operations on paths into spans of
 * waiting
 *
 * At each stage, an operation has up to three spans: its wait, if it waited,
 * then its other time before it goes further down, and its time after it has
 * come back up.
 */

#ifndef SCOPES_PATH_WAITS_SPANS_PRIVATE_H
#define SCOPES_PATH_WAITS_SPANS_PRIVATE_H

#include "scopes/path/waits_work_private.h"
#include "scopes/waits_at.h"

/* Spans that were found and are not read yet. */
struct es__spans {
	struct es_waits_span *list;
	size_t count, next, room;
	/* Spans outside of this interval are not added. */
	int64_t from_ns, to_ns;
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
	uint32_t tree; /* number of the next tree */
	/* Plan of the current tree, which is the one before `tree`. */
	struct es__waits_plan plan;
	struct waits_worker *worker; /* NULL: there is none */
	bool has; /* it has an operation that is not divided yet */
	struct es__spans_track *tracks; /* of that tree */
	uint32_t track_count;
	uint32_t *down; /* work space for the collectors of a path */
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
 * spans	empty; still empty afterwards only if there are no more
 *		operations
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__spans_fill(struct es__spans_walk *walk,
    struct es__spans *spans) PATHS_CHECKED;

#endif
