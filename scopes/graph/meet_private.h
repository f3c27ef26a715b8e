/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/meet_private.h - collects, for each collective of a graph, which
 * members have entered and left it
 */

#ifndef SCOPES_GRAPH_MEET_PRIVATE_H
#define SCOPES_GRAPH_MEET_PRIVATE_H

#include "scopes/graph/posts_private.h"
#include "scopes/match/dependence_private.h"

struct es__graph_meeting {
	uint64_t first;	 /* number of the first part of the collective */
	uint32_t number; /* of the collective, on its communicator */
	/* Number of members, from member 0 on without a gap, whose begin is
	   known. */
	uint32_t come;
	/* Number of members, from member 0 on without a gap, that have entered
	   it; used if all wait for all. */
	uint32_t entered;
	/* The begin of all members is known; sets rule, root and left. */
	bool whole;
	uint32_t left; /* number of members that have left */
	/* Slot with the last arrival of each group; PATHS_NONE: not made
	   yet. */
	uint32_t joined[2];
	uint8_t rule; /* as in struct es__mpi_dependence */
	bool used;
	uint32_t root;
};

struct es__graph_meetings {
	const struct es_mpi_trace *trace;
	struct es__graph_posts *posts;
	/* For each ring: number of tuples of the calls that it has entered. */
	const uint32_t *entered;
	struct paths__hash meetings;
};

void es__graph_meetings_fini(struct es__graph_meetings *meetings);

/*
 * es__graph_meeting_missing - find a member that has not entered a collective
 * although another member waits for it
 *
 * part		part of the member that waits
 * missing	out: the begin of the missing member.  Its ring is PATHS_NONE if
 *		no member is missing, and ES__MPI_LATER if that is not known
 *		because the begin of a member is in a later window
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
	/* Slot of all members that it waits for; PATHS_NONE: `walk` gives them
	   one by one. */
	uint32_t joined;
};

/*
 * es__graph_meeting_walk - begin to go through the slots that a member of a
 * collective waits for
 *
 * Adds steps JOIN for a collective in which each member waits for all.  Finds
 * no slots unless all members are known.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EIO
 */
paths_status es__graph_meeting_walk(struct es__graph_meetings *meetings,
    uint32_t part, struct es__graph_meeting_walk *walk) PATHS_CHECKED;

/* slot		out; PATHS_NONE: this member is left out because of a cycle.
 *		Returns false after the last slot */
bool es__graph_meeting_next(struct es__graph_meeting_walk *walk,
    uint32_t *slot);

/* Notes that the member of a part has left the collective with the tuple at a
   place.  When the last member has left, drops the posts of the collective. */
void es__graph_meeting_leave(struct es__graph_meetings *meetings, uint32_t part,
    struct es_mpi_at at);

#endif
