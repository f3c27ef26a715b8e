/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/traffic_private.h - stores a communication matrix by rows
 */

#ifndef SCOPES_PLACE_TRAFFIC_PRIVATE_H
#define SCOPES_PLACE_TRAFFIC_PRIVATE_H

#include "scopes/traffic.h"

#include <stdbool.h>

/* Each pair is stored twice, once in the row of each process: the partners of
   process p are at [row[p], row[p + 1]), in ascending order. */
struct es_traffic {
	uint32_t count; /* number of processes */
	size_t *row;	/* count + 1 */
	uint32_t *partner;
	double *weight;
	double *sum; /* sum of the weights of each process */
	/* Costs of entries for each depth, at [entry * depths + depth]; NULL:
	   weight times distance. */
	double *cost;
	uint32_t depths;
	double most; /* sum of the largest costs of all entries */
	/* Sum of the differences between largest and smallest cost of all
	   entries. */
	double spread;
};

/* Returns PATHS_OK; PATHS_EINVAL: the costs of pairs are of a machine with
   another number of levels. */
paths_status es__traffic_fits(const struct es_traffic *traffic,
    uint32_t levels);

/* Finds the entry of a pair.  Returns false if the two do not communicate. */
bool es__traffic_find(const struct es_traffic *traffic, uint32_t a, uint32_t b,
    size_t *at);

#endif
