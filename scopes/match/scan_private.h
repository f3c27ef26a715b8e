/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/scan_private.h - finds the halves of messages and the calls of
 * collectives of a rank
 */

#ifndef SCOPES_MPI_SCAN_PRIVATE_H
#define SCOPES_MPI_SCAN_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Prepares the scan of a rank.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__mpi_scan_open(struct es_mpi_trace *trace, uint32_t rank)
    PATHS_CHECKED;

/* Begins the second pass over a rank. */
void es__mpi_scan_rewind(struct es_mpi_trace *trace, uint32_t rank);

/*
 * es__mpi_scan - find the halves and collectives of a rank in a window
 *
 * Fills trace->scans[rank].  Halves and collective calls of earlier windows
 * stay there as long as a request can end them.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EFULL
 */
paths_status es__mpi_scan(struct es_mpi_trace *trace, uint32_t rank)
    PATHS_CHECKED;

/* Returns the plan of a request that is started; NULL: the rank has none. */
const struct es_mpi_plan *
es__mpi_scan_plan(const struct es_mpi_trace_rank *rank, uint32_t request);

#endif
