/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/meet_private.h - the collectives of a graph that some members
 * have left, or want to leave
 */

#ifndef SCOPES_GRAPH_MEET_PRIVATE_H
#define SCOPES_GRAPH_MEET_PRIVATE_H

#include "scopes/graph/posts_private.h"
#include "scopes/match/dependence_private.h"

struct es__graph_meeting {
	uint64_t first;	    /* part of the collective */
	uint32_t number;    /* of the collective, on its communicator */
	uint32_t come;	    /* first members whose begin is known */
	uint32_t entered;   /* first members that have entered it */
	bool whole;	    /* all have come: rule, root and left are known */
	uint32_t left;	    /* members that have left */
	uint32_t joined[2]; /* slots: the last of each group; PATHS_NONE */
	uint8_t rule;	    /* of struct es__mpi_dependence */
	bool used;
	uint32_t root;
};

struct es__graph_meetings {
	const struct es_mpi_trace *trace;
	struct es__graph_posts *posts;
	const uint32_t *entered; /* of each ring: tuples that it has entered */
	struct paths__hash meetings;
};

void es__graph_meetings_fini(struct es__graph_meetings *meetings);

/*
 * es__graph_meeting_missing - find a member that another one waits for, and
 * that has not entered the begin of the collective
 *
 * part		of the one that waits
 * missing	out: the begin of the other; ring PATHS_NONE: there is none,
 *		ES__MPI_LATER: it is not known, because a later window has the
 *		begin of a member
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__graph_meeting_missing(struct es__graph_meetings *meetings,
    uint32_t part, struct es_mpi_at *missing) PATHS_CHECKED;

/* The slots that the member of a part waits for, one after the other. */
struct es__graph_meeting_walk {
	struct es__graph_meetings *meetings;
	struct es__mpi_dependence dependence;
	struct es__mpi_dependence_walk walk;
	uint32_t joined; /* slot of all that it waits for; PATHS_NONE: see
			    walk */
};

/*
 * es__graph_meeting_walk - begin to go through the slots that a member of a
 * collective waits for
 *
 * Adds steps JOIN for a collective in which members wait for all.  Without all
 * members, nothing is known.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EIO
 */
paths_status es__graph_meeting_walk(struct es__graph_meetings *meetings,
    uint32_t part, struct es__graph_meeting_walk *walk) PATHS_CHECKED;

/* slot		out: PATHS_NONE: the member is left out because of a cycle.
 *		Returns false if there is no further one */
bool es__graph_meeting_next(struct es__graph_meeting_walk *walk,
    uint32_t *slot);

/* Notes that the member of a part has left, with the tuple at a place.  The
   posts of a collective that all have left are dropped. */
void es__graph_meeting_leave(struct es__graph_meetings *meetings, uint32_t part,
    struct es_mpi_at at);

#endif
