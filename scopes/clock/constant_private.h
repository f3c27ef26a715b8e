/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/constant_private.h - one offset for each clock
 */

#ifndef SCOPES_CLOCK_CONSTANT_PRIVATE_H
#define SCOPES_CLOCK_CONSTANT_PRIVATE_H

#include "scopes/clock/clock_private.h"

/* Computes the clock of a child minus that of its parent, from the edges of
   both directions, of which one may be NULL. */
typedef int64_t es__clock_constant_do(const struct es__clock_edge *down,
    const struct es__clock_edge *up);

/*
 * es__clock_constant - add up offsets along the breadth-first tree
 *
 * No operation arrives before it was sent, which gives bounds of the offsets.
 * They hold as long as both clocks run at the same rate.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__clock_constant(const struct es_analysis *a,
    es__clock_constant_do *offset, struct es__clock_result *result)
    PATHS_CHECKED;

#endif
