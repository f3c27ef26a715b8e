/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_calls_private.h - calls that wait for calls of other threads
 * that post nothing, in a graph of an MPI trace
 *
 * These are waits for the progress of a peer
 * (scopes/match/peer_progress_private.h), and those of one-sided communication
 * but for fences (scopes/mpi/waits_rma_private.h,
 * scopes/match/rma_dependence_private.h).  The waits of a window are found
 * before its calls are taken, so that the begin or end of the other call can be
 * posted.  A post that calls of a later window can wait for stays until these
 * are left.
 */

#ifndef SCOPES_GRAPH_MPI_CALLS_PRIVATE_H
#define SCOPES_GRAPH_MPI_CALLS_PRIVATE_H

#include "scopes/graph/mpi_work_private.h"

/* Finds the waits of the calls of a window that no thread has left.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__graph_calls_find(struct es__graph_mpi_work *work)
    PATHS_CHECKED;

/* Returns what a call waits for, by its first tuple, which may be in a later
   window.  count: out */
const struct es__graph_awaited *
es__graph_calls_of(const struct es__graph_mpi_work *work, struct es_mpi_at call,
    size_t *count);

/* Posts the begin or end of a call, if others wait for it or may do so in a
   later window.  end: the tuple behind the call.  PATHS_OK; PATHS_ENOMEM;
   PATHS_EIO. */
paths_status es__graph_calls_post(struct es__graph_mpi_work *work,
    struct es_mpi_at call, uint32_t end, bool ends, int64_t ns) PATHS_CHECKED;

/* Returns the slot of a post; PATHS_NONE: it was not posted. */
uint32_t es__graph_calls_slot(const struct es__graph_mpi_work *work,
    const struct es__graph_awaited *awaited);

/* Forgets the waits of a call that is left.  end: the tuple behind the call */
void es__graph_calls_leave(struct es__graph_mpi_work *work,
    struct es_mpi_at call, uint32_t end);

void es__graph_calls_fini(struct es__graph_calls *calls);

#endif
