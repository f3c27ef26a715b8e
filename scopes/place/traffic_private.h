/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/traffic_private.h - the rows of a communication matrix
 */

#ifndef SCOPES_PLACE_TRAFFIC_PRIVATE_H
#define SCOPES_PLACE_TRAFFIC_PRIVATE_H

#include "scopes/traffic.h"

#include <stdbool.h>

/* Both triangles are there: the partners of process p are those at
   [row[p], row[p + 1]), in ascending order. */
struct es_traffic {
	uint32_t count; /* of processes */
	size_t *row;	/* count + 1 */
	uint32_t *partner;
	double *weight;
	double *sum; /* of each process */
	/* Costs of entries for each depth, at [entry * depths + depth]; NULL:
	   weight times distance. */
	double *cost;
	uint32_t depths;
	double most;   /* sum of the largest costs of all entries */
	double spread; /* sum of the largest costs less the smallest */
};

/* Returns PATHS_OK; PATHS_EINVAL: the costs of pairs are of a machine with
   another number of levels. */
paths_status es__traffic_fits(const struct es_traffic *traffic,
    uint32_t levels);

/* Finds the entry of a pair.  Returns false if the two do not communicate. */
bool es__traffic_find(const struct es_traffic *traffic, uint32_t a, uint32_t b,
    size_t *at);

#endif
