/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/moves_private.h - a placement as moves of a path map
 *
 * Moves are lines that `eventspace map place` reads.
 */

#ifndef SCOPES_PLACEMENT_MOVES_PRIVATE_H
#define SCOPES_PLACEMENT_MOVES_PRIVATE_H

#include "scopes/placement/plan_private.h"

#include <stdio.h>

/* The lines of moves. */
enum es_place_moves {
	ES_PLACE_MOVES_CHANGES, /* of what the map of the run has elsewhere */
	ES_PLACE_MOVES_ALL,	/* of all, for another map */
	ES_PLACE_MOVES_RUN	/* and of endpoints that a launcher chose, for
				   the map of the run */
};

/*
 * es_place_moves_write - write the moves that lead to a placement
 *
 * Processes: the first thread of a process is bound to the core of its slot.
 * Other threads that are bound keep their cores or get the next free ones of
 * the host; where none is free, they are no longer bound.
 *
 * Threads: a process goes to the host that most of its threads are on.  Threads
 * on other hosts go to the process there that they exchange most with.
 *
 * what	the lines that are written
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the run has no path map
 *		PATHS_ERANGE	a host has threads and can have no process
 *		PATHS_ENOMEM
 */
paths_status es_place_moves_write(const struct es_place_source *source,
    const struct es_place_plan *plan, enum es_place_moves what, FILE *to)
    PATHS_CHECKED;

#endif
