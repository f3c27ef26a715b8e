/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/order_private.h - orders the tuples of a rank by their start
 */

#ifndef SCOPES_MPI_ORDER_PRIVATE_H
#define SCOPES_MPI_ORDER_PRIVATE_H

#include "scopes/match/trace_private.h"

/*
 * es__mpi_order_next - read the next call of a rank
 *
 * Adds the call and the tuples that belong to it to the window, if it starts
 * before trace->until_ns.
 *
 * more		out: false: there is no further call in the window
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_order_next(struct es_mpi_trace *trace, uint32_t rank,
    bool *more) PATHS_CHECKED;

/* Returns the number of the first tuple of a ring that is still needed, because
   it was kept or has not been read. */
uint32_t es__mpi_order_needed(const struct es_mpi_trace *trace, uint32_t ring);

/* Drops the tuples of a rank that were not kept. */
void es__mpi_order_drop(struct es_mpi_trace *trace, uint32_t rank);

#endif
