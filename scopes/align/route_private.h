/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/route_private.h - the most certain ways to the reference
 */

#ifndef SCOPES_ALIGN_ROUTE_PRIVATE_H
#define SCOPES_ALIGN_ROUTE_PRIVATE_H

#include "scopes/align/align_private.h"

/* The shortest ways from a host over links: lengths[h] < 0: there is none.
   cost: of each link; < 0: it cannot be used.  via: link before each host. */
void es__align_ways(const struct es__align *align, const double *cost,
    uint32_t from, double *lengths, uint32_t *via);

/* Sets the variance of the line of a link from its messages. */
paths_status es__align_variance(struct es__align_link *link) PATHS_CHECKED;

/* Chooses the reference, and sets the line of each host. */
paths_status es__align_route(struct es__align *align) PATHS_CHECKED;

#endif
