/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/access_private.h - accesses to the memory of other ranks, and
 * the calls that complete them
 *
 * An access is a call such as MPI_Put or MPI_Get whose window and target are
 * known.  The call that completes an access is found by the rules of the MPI
 * standard:
 *
 *	Win_flush, Win_unlock, and their forms	at the origin and the target
 *	Win_flush_local and its form, the end of the request of an access,
 *	Win_complete, Win_fence, Win_free	at the origin
 *
 * Source	The MPI standard 4.0, section 12.5
 */

#ifndef SCOPES_EXPORT_ACCESS_PRIVATE_H
#define SCOPES_EXPORT_ACCESS_PRIVATE_H

#include "scopes/export/window_private.h"

struct es__export_access {
	struct es_mpi_at at;
	uint32_t window; /* index */
	uint32_t target; /* rank in the communicator of the window */
};

/* The completion of an access by a call, or by a request that it completes. */
struct es__export_completion {
	struct es_mpi_at at;
	uint32_t access; /* of the rank, from 0 */
	bool remote;	 /* at the target; otherwise at the origin */
};

/* The group of a call that begins or ends an epoch. */
struct es__export_sync {
	struct es_mpi_at at;
	uint32_t group;
};

/* The calls of a rank, in the order of es_mpi_trace_event. */
struct es__export_rank_accesses {
	struct es__export_access *accesses;
	struct es__export_completion *completions;
	struct es__export_sync *syncs;
	size_t access_count, completion_count, sync_count;
	size_t access_room, completion_room, sync_room;
	uint64_t first; /* number of its first access in the run */
};

struct es__export_accesses {
	struct es__export_windows windows;
	struct es__export_rank_accesses *ranks;
	uint32_t rank_count;
	uint64_t unplaced; /* calls on windows whose members are not known */
};

/*
 * es__export_access_open - find the accesses of a run
 *
 * Returns	PATHS_OK, also without a trace; PATHS_ENOMEM
 * Ownership	the caller calls es__export_access_close, also after a failure
 */
paths_status es__export_access_open(const struct es__export *export,
    const struct es__export_members *members,
    struct es__export_accesses *accesses) PATHS_CHECKED;
void es__export_access_close(struct es__export_accesses *accesses);

/* Finds an access; number: out, in the run.  NULL: the call is none. */
const struct es__export_access *
es__export_access_find(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at,
    uint64_t *number);

/* Finds the accesses that a tuple completes; count: out. */
const struct es__export_completion *
es__export_access_completed(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at,
    size_t *count);

/* Returns the number of the group of a call that begins or ends an epoch;
   PATHS_NONE: it is not known. */
uint32_t es__export_access_group(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at);

#endif
