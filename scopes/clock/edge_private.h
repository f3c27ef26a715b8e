/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/edge_private.h - pairs of clocks, measured by operations between
 * them
 */

#ifndef SCOPES_CLOCK_EDGE_PRIVATE_H
#define SCOPES_CLOCK_EDGE_PRIVATE_H

#include "scopes/clock/clock_private.h"

/* The four stamps of an operation, and the bytes that it carries there and
   back. */
struct es__clock_stamps {
	int64_t t1, t2, t3, t4;
	uint32_t down, up;
};

/* The two stamps of a message, and its bytes. */
struct es__clock_trip {
	int64_t sent, received;
	uint32_t bytes;
};

/* Conversions of the stamps of both ends of an edge. */
struct es__clock_ends {
	const struct es_timebase *from, *to;
};

/* Returns the time between two stamps.  Wraps: a damaged file can hold any. */
static inline int64_t
es__clock_apart(int64_t later, int64_t earlier)
{
	return (int64_t)((uint64_t)later - (uint64_t)earlier);
}

typedef void es__clock_stamps_do(void *context,
    const struct es__clock_stamps *stamps);

typedef void es__clock_trip_do(void *context,
    const struct es__clock_trip *trip);

/*
 * es__clock_edge_find_all - find the edges of a->clocks
 *
 * Needs the domains of a->clocks.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; a status of es_mpi_trace_open
 * Ownership	es__clock_fini frees them, also on failure
 */
paths_status es__clock_edge_find_all(struct es_analysis *a) PATHS_CHECKED;

/* Calls `each` for every message of an edge. */
void es__clock_edge_each_trip(const struct es__clock_edge *edge,
    struct es__clock_ends ends, es__clock_trip_do *each, void *context);

/* Measures all edges.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__clock_edge_measure(struct es_analysis *a) PATHS_CHECKED;

/* Returns the conversions of both ends to ns of their own clocks. */
struct es__clock_ends es__clock_edge_local(const struct es_analysis *a,
    const struct es__clock_edge *edge);

/* Returns tuples of an edge, for `reads` of work; NULL: it has none, or
   messages only. */
const void *es__clock_edge_tuples(const struct es_analysis *a,
    const struct es__clock_edge *edge);

/* Calls `each` for every operation of an edge, one collector after another. */
paths_status es__clock_edge_each(const struct es_analysis *a,
    const struct es__clock_edge *edge, struct es__clock_ends ends,
    es__clock_stamps_do *each, void *context) PATHS_CHECKED;

/* Returns the edge between two domains in this direction, if operations, or
   messages in both directions, measured it; else NULL. */
const struct es__clock_edge *
es__clock_edge_find(const struct es__clocks *clocks, uint32_t from,
    uint32_t to);

#endif
