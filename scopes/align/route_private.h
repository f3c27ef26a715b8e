/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/route_private.h - the most certain ways to the reference
 */

#ifndef SCOPES_ALIGN_ROUTE_PRIVATE_H
#define SCOPES_ALIGN_ROUTE_PRIVATE_H

#include "scopes/align/align_private.h"

struct es__align_reached {
	double length;
	uint32_t host;
};

/* The links of each host, for several searches. */
struct es__align_graph {
	const struct es__align *align;
	size_t *first;	 /* of each host, in `links`; one more at the end */
	uint32_t *links; /* of all hosts: each link twice */
	/* During a search: hosts that are reached, and have their way. */
	struct es__align_reached *reached;
	bool *done;
};

/* Returns PATHS_OK or PATHS_ENOMEM.  The caller calls es__align_graph_fini,
   also on failure. */
paths_status es__align_graph_init(struct es__align_graph *graph,
    const struct es__align *align) PATHS_CHECKED;
void es__align_graph_fini(struct es__align_graph *graph);

/* The shortest ways from a host over links: lengths[h] < 0: there is none.
   cost: of each link; < 0: it cannot be used.  via: link before each host. */
void es__align_ways(const struct es__align_graph *graph, const double *cost,
    uint32_t from, double *lengths, uint32_t *via);

/* Sets the variance of the line of a link from its messages. */
paths_status es__align_variance(struct es__align_link *link) PATHS_CHECKED;

/* Chooses the reference, and sets the line of each host. */
paths_status es__align_route(struct es__align *align) PATHS_CHECKED;

#endif
