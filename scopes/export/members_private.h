/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/members_private.h - the ranks that processes have in
 * communicators
 */

#ifndef SCOPES_EXPORT_MEMBERS_PRIVATE_H
#define SCOPES_EXPORT_MEMBERS_PRIVATE_H

#include "scopes/export/export_private.h"

/* A process and its rank in a communicator. */
struct es__export_member {
	uint32_t rank, place;
};

struct es__export_comm {
	struct es__export_member *members; /* in order of ranks */
	uint32_t count;
	bool known;	 /* all members are */
	uint32_t number; /* among those that are known */
};

/* The communicators of a run; none without its trace. */
struct es__export_members {
	struct es__export_comm *comms;
	uint32_t count;
};

/* Finds the members.  The caller calls es__export_members_close, also after a
   failure: PATHS_ENOMEM. */
paths_status es__export_members_open(const struct es__export *export,
    struct es__export_members *members) PATHS_CHECKED;
void es__export_members_close(struct es__export_members *members);

/* Returns the rank that a process has in a communicator; PATHS_NONE: not
   known. */
uint32_t es__export_members_place(const struct es__export_members *members,
    uint32_t comm, uint32_t rank);

#endif
