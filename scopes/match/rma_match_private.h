/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_match_private.h - matches the epochs of all ranks
 */

#ifndef SCOPES_MATCH_RMA_MATCH_PRIVATE_H
#define SCOPES_MATCH_RMA_MATCH_PRIVATE_H

#include "scopes/mpi_trace.h"

/*
 * es__mpi_rma_match - match the epochs of all ranks, and collect their locks
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_rma_match(struct es_mpi_trace *trace) PATHS_CHECKED;

#endif
