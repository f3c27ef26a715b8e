/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/network_private.h - corrections of all clocks, computed together
 */

#ifndef SCOPES_ALIGN_NETWORK_PRIVATE_H
#define SCOPES_ALIGN_NETWORK_PRIVATE_H

#include "scopes/align/align_private.h"

/* Parts of the middles, each of which the others are to predict. */
#define ES__ALIGN_PARTS 5u

/* An offset between the bounds of a link in a window: by how much the clock of
   its host b is ahead of that of a, on the lines of both. */
struct es__align_middle {
	uint32_t link;
	uint32_t corner; /* the corner before it */
	double share;	 /* of the corner after it */
	double ahead;
	double variance;
	unsigned part; /* held out together, to see how well others predict */
};

/*
 * The least squares problem.  Unknown are the correction of each host at each
 * corner, and then a bias of each link, because ways there and back differ.
 */
struct es__align_network {
	const struct es__align *align;
	unsigned round; /* rounds before it had other corrections */
	struct es__align_middle *middles;
	size_t middle_count, middle_room;
	double *bias_variance; /* of each link */
	uint32_t corners;      /* of a host */
	size_t unknowns;
	double *solution;
	double stiffness;
	unsigned hold; /* part that is left out; ES__ALIGN_PARTS: none */
};

/* Returns the place of the first correction of a host. */
static inline size_t
es__align_network_host(const struct es__align_network *network, uint32_t host)
{
	return (size_t)host * network->corners;
}

/* Returns the place of the bias of a link. */
static inline size_t
es__align_network_bias(const struct es__align_network *network, uint32_t link)
{
	return (size_t)network->align->host_count * network->corners + link;
}

/* Aligns the hosts by all links together, after es__align_lines. */
paths_status es__align_network(struct es__align *align) PATHS_CHECKED;

#endif
