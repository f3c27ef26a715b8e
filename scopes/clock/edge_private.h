/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/edge_private.h - pairs of clocks, measured by operations between
 * them
 */

#ifndef SCOPES_CLOCK_EDGE_PRIVATE_H
#define SCOPES_CLOCK_EDGE_PRIVATE_H

#include "scopes/clock/clock_private.h"

/* The four stamps of an operation, each in ns of its own clock. */
struct es__clock_stamps {
	int64_t t1, t2, t3, t4;
};

typedef void es__clock_stamps_do(void *context,
    const struct es__clock_stamps *stamps);

/*
 * es__clock_edge_measure - find and measure all edges of a->clocks
 *
 * Needs the domains of a->clocks.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	es__clock_fini frees them, also on failure
 */
paths_status es__clock_edge_measure(struct es_analysis *a) PATHS_CHECKED;

/* Calls `each` for every operation of an edge, one collector after another. */
paths_status es__clock_edge_each(const struct es_analysis *a,
    const struct es__clock_edge *edge, es__clock_stamps_do *each, void *context)
    PATHS_CHECKED;

/* Returns the edge between two domains in this direction, if operations
   measured it; else NULL. */
const struct es__clock_edge *
es__clock_edge_find(const struct es__clocks *clocks, uint32_t from,
    uint32_t to);

#endif
