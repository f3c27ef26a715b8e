/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_private.h - finds the epochs of one-sided communication
 *
 * A rank opens an access epoch with MPI_Win_start, an exposure epoch with
 * MPI_Win_post, and a passive epoch with MPI_Win_lock or MPI_Win_lock_all.  The
 * k-th access epoch of an origin for a target matches the k-th exposure epoch
 * of that target for the origin on the same window, because MPI requires that
 * each MPI_Win_start is met by one MPI_Win_post.  Epochs between fences are
 * collectives of the window (gather.c).
 *
 * Source	The MPI standard, chapter One-Sided Communications
 */

#ifndef SCOPES_MATCH_RMA_PRIVATE_H
#define SCOPES_MATCH_RMA_PRIVATE_H

#include "scopes/mpi_trace.h"

#include "scopes/job/pack_private.h"

/* Purpose of a function in one-sided communication. */
enum es__mpi_rma_action {
	ES__MPI_RMA_NOTHING,
	ES__MPI_RMA_MEET, /* makes or frees a window, or is a fence */
	ES__MPI_RMA_POST,
	ES__MPI_RMA_START,
	ES__MPI_RMA_COMPLETE,
	ES__MPI_RMA_WAIT,
	ES__MPI_RMA_TEST,
	ES__MPI_RMA_LOCK,
	ES__MPI_RMA_LOCK_ALL,
	ES__MPI_RMA_UNLOCK,
	ES__MPI_RMA_UNLOCK_ALL,
	ES__MPI_RMA_FLUSH,
	ES__MPI_RMA_FLUSH_ALL,
	ES__MPI_RMA_ACCESS /* put, get, accumulate and their forms */
};

/* Returns the action of a function, by its name. */
enum es__mpi_rma_action es__mpi_rma_action(
    const struct es_mpi_function *function);

enum es__mpi_epoch_kind {
	ES__MPI_EPOCH_ACCESS,
	ES__MPI_EPOCH_EXPOSURE,
	ES__MPI_EPOCH_SHARED,	/* a lock */
	ES__MPI_EPOCH_EXCLUSIVE /* a lock */
};

/* An epoch of a rank. */
struct es__mpi_epoch {
	struct es_mpi_at open;
	struct es_mpi_at close; /* ring PATHS_NONE: it was not closed */
	uint32_t comm, window;
	uint32_t kind;
	uint32_t target;       /* target of a lock; PATHS_NONE: all ranks */
	uint32_t first, count; /* its meetings */
	uint32_t call;	       /* last call that may wait in it */
};

/* Meeting: an access or exposure epoch with another rank of its group. */
struct es__mpi_meeting {
	uint32_t other; /* rank of the run */
	uint32_t epoch; /* epoch of this rank */
	uint32_t met;	/* epoch of the other rank; PATHS_NONE: not matched */
};

/* A call that may wait in an epoch, or the MPI_Win_test that closed it. */
struct es__mpi_rma_call {
	struct es_mpi_at at;
	uint32_t epoch;
	/* Previous such call in the epoch; PATHS_NONE: it is the first. */
	uint32_t before;
};

/* A call that completed all accesses to a target, and the last of these
   accesses. */
struct es__mpi_reach {
	struct es_mpi_at close; /* the completing call */
	struct es_mpi_at last;
	uint32_t target; /* rank of the run */
};

/* One-sided communication of a rank.  Calls and reaches are in the order of
   their tuples. */
struct es__mpi_rma {
	struct es__mpi_epoch *epochs;
	struct es__mpi_meeting *meetings;
	struct es__mpi_rma_call *calls;
	struct es__mpi_reach *reaches;
	size_t epoch_count, meeting_count, call_count, reach_count;
	size_t epoch_room, meeting_room, call_room, reach_room;
};

/* A lock of a rank. */
struct es__mpi_lock {
	uint32_t comm, window;
	uint32_t target; /* PATHS_NONE: all ranks */
	uint32_t kind;	 /* ES__MPI_EPOCH_SHARED or _EXCLUSIVE */
	uint32_t rank, epoch;
};

/* All locks of a run, in the order of the members. */
struct es__mpi_locks {
	struct es__mpi_lock *list;
	size_t count;
};

/* Finds a call that may wait in an epoch; NULL: it is none. */
const struct es__mpi_rma_call *
es__mpi_rma_find(const struct es_mpi_trace *trace, struct es_mpi_at at);

/* Finds, for a call that completed accesses, the last access to each target;
   count: out. */
const struct es__mpi_reach *
es__mpi_rma_reaches(const struct es_mpi_trace *trace, struct es_mpi_at close,
    size_t *count);

/* Compares locks by window, target and kind: below, equal to or above 0. */
int es__mpi_lock_compare(const struct es__mpi_lock *a,
    const struct es__mpi_lock *b);

/* Finds the locks of a kind for a target of a window; count: out. */
const struct es__mpi_lock *es__mpi_rma_locks(const struct es_mpi_trace *trace,
    const struct es__mpi_lock *like, size_t *count);

/* Send the epochs of a rank to another process of the job, and receive them
   there. */
void es__mpi_rma_pack(const struct es__mpi_rma *rma, struct es__pack *pack);
void es__mpi_rma_unpack(struct es__mpi_rma *rma, struct es__pack *pack);

void es__mpi_rma_fini(struct es__mpi_rma *rma);

#endif
