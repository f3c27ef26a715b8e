/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/shape_private.h - replays the joins of an element as another
 * path map arranges them
 *
 * Threads whose operations on an element are joined arrive, and go on when the
 * element has answered.  A *shape* is the tree of joins between the threads and
 * the element.  It gives the time at which each thread goes on, from the
 * arrivals of all threads and the time that stages take on the way down and up,
 * which is their mean measured time.  For each operation and thread, a replay
 * adds the difference between the new shape and the old one, for the same
 * arrivals.
 */

#ifndef SCOPES_WHATIF_SHAPE_PRIVATE_H
#define SCOPES_WHATIF_SHAPE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A thread, or a join. */
struct es__whatif_shape_node {
	uint32_t next; /* join below; PATHS_NONE: the element */
	/* Time on the way down to that join, or to the element and back, and on
	   the way up from it, in ns. */
	double down_ns, up_ns;
};

struct es__whatif_shape {
	struct es__whatif_shape_node *members; /* threads */
	/* Joins; a join comes before the joins below it. */
	struct es__whatif_shape_node *joins;
	uint32_t join_count;
	uint32_t through; /* number of members that pass a join */
};

/* An element with the threads whose operations on it are joined. */
struct es__whatif_joined {
	const char *element;
	uint32_t member_count;
	struct es__whatif_shape old, new;
	double *moments; /* work space for the joins of a shape */
};

struct es__whatif_shapes {
	struct es__whatif_joined *list;
	uint32_t count;
	/* For each path of the run: its entry in `list`, or PATHS_NONE, and its
	   member there. */
	uint32_t *joined, *members;
	uint32_t path_count;
};

/*
 * es__whatif_shape_more - compute by how much a new shape answers later than
 * the old one
 *
 * arrivals	of all members
 * more		out: of each member, in ns; negative: earlier
 */
void es__whatif_shape_more(const struct es__whatif_joined *joined,
    const double *arrivals, double *more);

/* The operations of a replay that are under way at joins of another shape. */
struct es__whatif_meetings;

/*
 * es__whatif_meetings_open - begin a replay
 *
 * shapes	NULL: no join has another shape, and *meetings is NULL
 * meetings	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	borrows shapes; the caller calls es__whatif_meetings_close
 */
paths_status es__whatif_meetings_open(const struct es__whatif_shapes *shapes,
    struct es__whatif_meetings **meetings) PATHS_CHECKED;
void es__whatif_meetings_close(struct es__whatif_meetings *meetings);

/* Notes that the next operation of a path of the run begins at ns.  Returns
   whether its joins have another shape.  meetings NULL: returns false. */
bool es__whatif_meetings_arrive(struct es__whatif_meetings *meetings,
    uint32_t path, double ns);

/* Returns the end of that operation.  ns: its end with the joins of the run */
double es__whatif_meetings_leave(const struct es__whatif_meetings *meetings,
    uint32_t path, double ns);

#endif
