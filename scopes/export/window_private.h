/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/window_private.h - windows of a run, and the groups of their
 * epochs
 */

#ifndef SCOPES_EXPORT_WINDOW_PRIVATE_H
#define SCOPES_EXPORT_WINDOW_PRIVATE_H

#include "scopes/export/members_private.h"

#include "libpaths/base/hash.h"

/* The part of a function in one-sided communication. */
enum es__export_rma {
	ES__EXPORT_RMA_NONE,
	ES__EXPORT_RMA_ACCESS, /* a put, get or accumulate, or a form of it */
	ES__EXPORT_RMA_ENDS,   /* may complete requests */
	ES__EXPORT_RMA_CREATE,
	ES__EXPORT_RMA_ALLOCATE, /* creates a window and its memory */
	ES__EXPORT_RMA_FREE,
	ES__EXPORT_RMA_FENCE,
	ES__EXPORT_RMA_POST,
	ES__EXPORT_RMA_START,
	ES__EXPORT_RMA_COMPLETE,
	ES__EXPORT_RMA_WAIT,
	ES__EXPORT_RMA_TEST,
	ES__EXPORT_RMA_LOCK,
	ES__EXPORT_RMA_LOCK_ALL,
	ES__EXPORT_RMA_UNLOCK,
	ES__EXPORT_RMA_UNLOCK_ALL,
	ES__EXPORT_RMA_FLUSH,
	ES__EXPORT_RMA_FLUSH_ALL,
	ES__EXPORT_RMA_FLUSH_LOCAL,
	ES__EXPORT_RMA_FLUSH_LOCAL_ALL,
	ES__EXPORT_RMA_SYNC
};

/* A window of the run. */
struct es__export_window {
	uint32_t comm, number; /* of the run; on the communicator, from 1 */
	bool lives;	       /* a call that makes or frees it is recorded */
	bool allocated;	       /* MPI allocates its memory */
};

/* A set of ranks of the run. */
struct es__export_group {
	uint64_t *members;
	uint32_t count;
	uint32_t number; /* of the run, + 1 */
};

struct es__export_windows {
	uint8_t *rma; /* enum es__export_rma of each function */
	uint32_t function_count;
	struct es__export_window *list;
	size_t count, room;
	struct es__export_group *groups; /* by number */
	size_t group_count, group_room;
	struct paths__hash keys, group_keys, set_keys;
};

/* Prepares an empty table.  PATHS_OK; PATHS_ENOMEM.  The caller calls
   es__export_windows_close, also after a failure. */
paths_status es__export_windows_open(struct es__export_windows *windows)
    PATHS_CHECKED;
void es__export_windows_close(struct es__export_windows *windows);

/* Returns the part of a function in one-sided communication. */
enum es__export_rma
es__export_windows_rma(const struct es__export_windows *windows,
    uint32_t function);

/* Finds the window of a call of a rank, and adds it if it is new.  index: out;
   PATHS_NONE: not all members of its communicator are known */
paths_status es__export_windows_put(struct es__export_windows *windows,
    const struct es__export_members *members,
    const struct es_mpi_trace_rank *rank, const struct es_tuple_mpi *call,
    uint32_t *index) PATHS_CHECKED;

/* Returns the index of the window of a call; PATHS_NONE: it was not added. */
uint32_t es__export_windows_find(const struct es__export_windows *windows,
    const struct es_mpi_trace_rank *rank, const struct es_tuple_mpi *call);

/* Finds the group that a Win_post or Win_start of a rank names, and adds it if
   it is new.  number: out; PATHS_NONE: it is not known */
paths_status es__export_windows_group(struct es__export_windows *windows,
    const struct es_mpi_trace_rank *rank, const struct es_tuple_mpi *call,
    uint32_t *number) PATHS_CHECKED;

#endif
