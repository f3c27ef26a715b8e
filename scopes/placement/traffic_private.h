/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/traffic_private.h - the traffic that eventspace place reads
 */

#ifndef SCOPES_PLACEMENT_TRAFFIC_PRIVATE_H
#define SCOPES_PLACEMENT_TRAFFIC_PRIVATE_H

#include "scopes/run.h"
#include "scopes/traffic.h"

#include <stdbool.h>

/* The messages that a collective counts as. */
enum es_place_collectives {
	ES_PLACE_PAIRS, /* as comm_matrix has them */
	ES_PLACE_TREES, /* as algorithms of MPI libraries send them */
	ES_PLACE_NONE
};

/* The traffic that is counted. */
struct es_place_count {
	bool messages; /* not bytes */
	enum es_place_collectives collectives;
	const char *phase; /* of an MPI run; NULL: all */
	bool threads;	   /* of a path map, not processes */
	bool sizes;	   /* keep messages by size, of an MPI run */
};

/* The things that are placed. */
enum es_place_unit {
	ES_PLACE_RANK, /* of MPI, or of a matrix */
	ES_PLACE_PROCESS,
	ES_PLACE_THREAD
};

/* Messages of about the same size from one rank to another one. */
struct es_place_flow {
	uint32_t from, to;
	double count, bytes; /* of all */
	double size;	     /* of one */
};

/* Traffic, and the run that it is of. */
struct es_place_source {
	struct es_run *run; /* NULL: a file */
	enum es_place_unit unit;
	struct es_traffic *traffic;
	/* Traffic with processes that are not placed, in the same unit: of
	   other worlds, or not known. */
	double elsewhere;
	struct es_place_flow *flows; /* NULL: they were not asked for */
	size_t flow_count;
};

/* Returns the name of one of the things that are placed, or of several. */
const char *es_place_unit_name(enum es_place_unit unit, bool several);

/*
 * Reads a run directory, a file NAME.mat of Open MPI's monitoring, or a file
 * with lines "rank,rank,weight".
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	there is no such phase; a weight is negative or
 *				no number; there is no path map with threads;
 *				the sizes of messages are not known
 *		PATHS_ESYNTAX, PATHS_EDAMAGED, PATHS_ENOENT, PATHS_EIO
 *		PATHS_ENOMEM
 */
paths_status es_place_source_open(const char *name,
    const struct es_place_count *count, struct es_place_source *source)
    PATHS_CHECKED;

void es_place_source_close(struct es_place_source *source);

#endif
