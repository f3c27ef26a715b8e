/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/meeting_private.h - a process' part of a collective
 */

#ifndef SCOPES_EXPORT_MEETING_PRIVATE_H
#define SCOPES_EXPORT_MEETING_PRIVATE_H

#include "scopes/export/members_private.h"

struct es__export_meeting {
	unsigned op;   /* 0 .. 16: Barrier, Bcast, Gather, Gatherv, Scatter,
			  Scatterv, Allgather, Allgatherv, Alltoall, Alltoallv,
			  Alltoallw, Allreduce, Reduce, Reduce_scatter, Scan,
			  Exscan, Reduce_scatter_block */
	uint32_t comm; /* of the run */
	uint32_t root; /* rank in it; PATHS_NONE: the collective has none */
	/* Bytes of the call: received, if the member sends none. */
	uint64_t sent, received;
	bool later; /* another call ends it */
};

/*
 * es__export_meeting_find - describe a part of a collective
 *
 * number	of the part, + 1
 *
 * Returns	true; false: it is another collective, or its communicator or
 *		root is not known
 */
bool es__export_meeting_find(const struct es__export *export,
    const struct es__export_members *members, uint32_t number,
    struct es__export_meeting *meeting);

#endif
