/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/bend_private.h - moves the time of a clock by amounts that are
 * linear between some stamps
 */

#ifndef SCOPES_CLOCK_BEND_PRIVATE_H
#define SCOPES_CLOCK_BEND_PRIVATE_H

#include "scopes/clock/clock_private.h"

struct es__bend_point {
	uint64_t ticks;
	double moved; /* ns */
};

/* The points that are needed, and the last ones given. */
struct es__bend {
	struct es__bend_point *points;
	size_t count, room;
	struct es__bend_point last; /* not needed yet */
	bool open;		    /* there is a last one */
	double least, most;	    /* slopes that fit since the last needed */
};

/* Adds a point, not before the last one; leaves out points that are within half
   a ns of the line between their neighbours.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__bend_add(struct es__bend *bend, uint64_t ticks, double moved)
    PATHS_CHECKED;

/*
 * es__bend_apply - move the conversion of a clock, and widen its bounds
 *
 * applied	out: false: it stays as it is, because it would have too many
 *		pieces
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__bend_apply(struct es__bend *bend,
    struct es__clock_solution *solution, bool *applied) PATHS_CHECKED;
void es__bend_fini(struct es__bend *bend);

#endif
