/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/picture.h - the traffic of a run in the order of its cores,
 * before and after a placement
 */

#ifndef SCOPES_PLACEMENT_PICTURE_H
#define SCOPES_PLACEMENT_PICTURE_H

#include "scopes/machine.h"
#include "scopes/run.h"

#include <stdbool.h>

/* The costs that a placement makes small. */
enum es_place_picture_cost {
	ES_PLACE_PICTURE_BYTES,	   /* bytes times distance */
	ES_PLACE_PICTURE_MESSAGES, /* messages times distance */
	/* Time of messages, by the model that is kept with the run. */
	ES_PLACE_PICTURE_TIME
};

/* The ranks in the order of their cores. */
struct es_place_picture_side {
	uint32_t *at;	 /* position of each rank */
	uint32_t *order; /* rank at each position */
	/* Levels on which positions n and n - 1 share their group; the first is
	   0. */
	uint32_t *shared;
	uint32_t *host; /* index of the host of each position in hosts */
	double cost;	/* with a model in seconds */
};

/* Traffic of a pair of ranks, both ways. */
struct es_place_picture_pair {
	uint32_t a, b; /* a < b */
	double weight; /* messages, or else bytes */
};

struct es_place_picture {
	uint32_t ranks;		  /* or processes of a path map */
	const char *unit, *units; /* "rank" or "process", and their plural */
	uint32_t level_count;
	const char *levels[ES_MACHINE_LEVELS]; /* from the top, as "host" */
	char **hosts;
	uint32_t host_count;
	struct es_place_picture_side before, after;
	struct es_place_picture_pair *pairs;
	size_t pair_count;
	uint32_t moved;	   /* ranks with another core after the placement */
	uint32_t per_core; /* ranks that a core takes: the fewest that fit */
	bool assumed;	   /* the present core of a rank is a guess */
};

/*
 * es_place_picture_ready - check that the cores of a run are known
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the topology of a host was not recorded
 *		a status of paths_topology_read
 */
paths_status es_place_picture_ready(const struct es_run *run) PATHS_CHECKED;

/*
 * es_place_picture_open - find a placement of the ranks of a run
 *
 * The options are the defaults of eventspace place, but a core takes as many
 * ranks as are needed.
 *
 * run		its directory
 * picture	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no topology, or no model is kept with the run
 *		PATHS_EINVAL	the model does not suit the run
 *		a status of es_run_open and es_place
 * Ownership	the caller calls es_place_picture_close
 */
paths_status es_place_picture_open(const char *run,
    enum es_place_picture_cost cost, struct es_place_picture **picture)
    PATHS_CHECKED;

void es_place_picture_close(struct es_place_picture *picture);

#endif
