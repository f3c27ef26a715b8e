/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/shape_private.h - the joins of an element as another path map
 * has them
 *
 * Threads whose operations on an element are joined arrive, and go on when the
 * element has answered.  A *shape* is the tree of joins between them: the time
 * at which each thread goes on follows from the arrivals of all, and from the
 * time that stages take on the way down and up.  Stages of the run take their
 * mean measured time.  A replay adds, for each operation and thread, by how
 * much the new shape answers later than the old one, for the same arrivals.
 */

#ifndef SCOPES_WHATIF_SHAPE_PRIVATE_H
#define SCOPES_WHATIF_SHAPE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A thread, or a join. */
struct es__whatif_shape_node {
	uint32_t next; /* join below; PATHS_NONE: the element */
	/* On the way to that join, or to the end and back, and the way back
	   from it.  Those of a join begin with it. */
	double down_ns, up_ns;
};

struct es__whatif_shape {
	struct es__whatif_shape_node *members; /* threads */
	/* Joins, those above others first. */
	struct es__whatif_shape_node *joins;
	uint32_t join_count;
	uint32_t through; /* members that pass a join */
};

/* An element with the threads whose operations on it are joined. */
struct es__whatif_joined {
	const char *element;
	uint32_t member_count;
	struct es__whatif_shape old, new;
	double *moments; /* work: of the joins of a shape */
};

struct es__whatif_shapes {
	struct es__whatif_joined *list;
	uint32_t count;
	/* For each path of the run: its element in the list, or PATHS_NONE, and
	   the number of its member. */
	uint32_t *joined, *members;
	uint32_t path_count;
};

/*
 * es__whatif_shape_more - by how much a new shape answers later than the old
 *
 * arrivals	of all members
 * more		out: of each member, in ns; negative: earlier
 */
void es__whatif_shape_more(const struct es__whatif_joined *joined,
    const double *arrivals, double *more);

/* The operations of a replay that wait at joins. */
struct es__whatif_meetings;

/*
 * es__whatif_meetings_open - begin a replay
 *
 * shapes	NULL: nothing is joined otherwise, and *meetings is NULL
 * meetings	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	borrows shapes; the caller calls es__whatif_meetings_close
 */
paths_status es__whatif_meetings_open(const struct es__whatif_shapes *shapes,
    struct es__whatif_meetings **meetings) PATHS_CHECKED;
void es__whatif_meetings_close(struct es__whatif_meetings *meetings);

/* Notes that the next operation of a path of the run begins.  Returns whether
   it is joined.  meetings: NULL: it is not. */
bool es__whatif_meetings_arrive(struct es__whatif_meetings *meetings,
    uint32_t path, double ns);

/* Returns when that operation ends, which does so at a time with the joins of
   the run. */
double es__whatif_meetings_leave(const struct es__whatif_meetings *meetings,
    uint32_t path, double ns);

#endif
