/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_progress_private.h - calls that wait for the progress of a
 * peer, in a graph of an MPI trace
 *
 * Such a call ends with the begin of a call of the peer that need not post
 * anything (scopes/match/peer_progress_private.h).  The waits of a window are
 * found before its calls are taken, so that the peer's call can post its begin.
 */

#ifndef SCOPES_GRAPH_MPI_PROGRESS_PRIVATE_H
#define SCOPES_GRAPH_MPI_PROGRESS_PRIVATE_H

#include "scopes/graph/mpi_work_private.h"

/* Finds the waits of the calls of a window that no thread has left.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__graph_progress_find(struct es__graph_mpi_work *work)
    PATHS_CHECKED;

/* Returns the tuple of the peer's call that a call waits for, which may be in a
   later window; ES__MPI_NOWHERE: none.  call: its first tuple */
struct es_mpi_at es__graph_progress_of(const struct es__graph_mpi_work *work,
    struct es_mpi_at call);

/* Posts the begin of a call, if others wait for one of its tuples.  PATHS_OK;
   PATHS_ENOMEM; PATHS_EIO. */
paths_status es__graph_progress_enter(struct es__graph_mpi_work *work,
    struct es_mpi_at call, uint32_t end, int64_t ns) PATHS_CHECKED;

/* Returns the slot that a call waits for; PATHS_NONE: none. */
uint32_t es__graph_progress_slot(const struct es__graph_mpi_work *work,
    struct es_mpi_at call);

/* Forgets the wait of a call that is left. */
void es__graph_progress_leave(struct es__graph_mpi_work *work,
    struct es_mpi_at call);

void es__graph_progress_fini(struct es__graph_progress *progress);

#endif
