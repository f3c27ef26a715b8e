/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/order_private.h - orders the tuples of a rank by their start
 */

#ifndef SCOPES_MPI_ORDER_PRIVATE_H
#define SCOPES_MPI_ORDER_PRIVATE_H

#include "scopes/match/trace_private.h"

/*
 * es__mpi_order - order the tuples of a rank by their start
 *
 * Fills the order of trace->scans[rank].
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_order(struct es_mpi_trace *trace, uint32_t rank)
    PATHS_CHECKED;

#endif
