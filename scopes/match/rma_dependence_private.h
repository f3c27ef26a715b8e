/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_dependence_private.h - which calls the calls of epochs of
 * one-sided communication wait for
 *
 *	MPI_Win_start		the posts of all its targets, if starts wait
 *	MPI_Win_complete	the same, if the start did not, and completes
 *				wait
 *	MPI_Win_wait, and the	the completes of all origins
 *	MPI_Win_test that ends
 *	an exposure
 *
 * They wait for the begin of these calls, and do so even if they began later in
 * the run.  MPI leaves it to the library which call waits for posts.  Starts
 * wait unless more starts of the run ended before the last post of their
 * targets than were in their call when it came; completes likewise, of starts
 * that did not wait.  A call that ended before one of the posts did not wait
 * for any.
 *
 * Source	The MPI standard, chapter One-Sided Communications, General
 *		Active Target Synchronization
 */

#ifndef SCOPES_MATCH_RMA_DEPENDENCE_PRIVATE_H
#define SCOPES_MATCH_RMA_DEPENDENCE_PRIVATE_H

#include "scopes/match/trace_private.h"

struct es__rma_dependence {
	const struct es_mpi_trace *trace;
	bool starts_wait, completes_wait;
};

/* Take a call of another rank, by a tuple. */
typedef paths_status es__rma_dependence_take(void *to, struct es_mpi_at at);
typedef void es__rma_dependence_drop(void *to, struct es_mpi_at at);

/* Finds out which calls wait for posts.  trace: begun */
struct es__rma_dependence es__rma_dependence(const struct es_mpi_trace *trace);

/* Gives the calls whose begin a call waits for.  PATHS_OK; a status of
   `take`. */
paths_status es__rma_dependence_awaited(const struct es__rma_dependence *d,
    struct es_mpi_at call, es__rma_dependence_take *take, void *to)
    PATHS_CHECKED;

/* Returns the number of epochs of other ranks whose calls may wait for the
   begin of a call, and whose last such call has not been left.  left: of each
   ring, the tuples of calls that it has left */
uint32_t es__rma_dependence_waiting(const struct es__rma_dependence *d,
    struct es_mpi_at call, const uint32_t *left);

/* Gives the calls for which es__rma_dependence_waiting has counted an epoch
   whose last call is this one, which is left.  entered: as left, of calls that
   were entered */
void es__rma_dependence_leave(const struct es__rma_dependence *d,
    struct es_mpi_at call, const uint32_t *entered,
    es__rma_dependence_drop *drop, void *to);

#endif
