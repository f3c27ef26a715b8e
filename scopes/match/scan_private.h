/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/scan_private.h - finds the messages and collectives of a rank
 */

#ifndef SCOPES_MPI_SCAN_PRIVATE_H
#define SCOPES_MPI_SCAN_PRIVATE_H

#include "scopes/match/trace_private.h"

/*
 * es__mpi_scan - find the halves of a rank's messages and its collectives
 *
 * Fills trace->scans[rank]; sorts halves by other, comm, tag and order, and
 * entries by stream, plan and number.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EFULL
 */
paths_status es__mpi_scan(struct es_mpi_trace *trace, uint32_t rank)
    PATHS_CHECKED;

/* Returns the plan of a request that is started; NULL: the rank has none. */
const struct es_mpi_plan *
es__mpi_scan_plan(const struct es_mpi_trace_rank *rank, uint32_t request);

#endif
