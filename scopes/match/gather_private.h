/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/gather_private.h - matches the calls of collectives
 */

#ifndef SCOPES_MPI_GATHER_PRIVATE_H
#define SCOPES_MPI_GATHER_PRIVATE_H

#include "scopes/match/trace_private.h"

/*
 * es__mpi_gather - find the members' calls of all collectives
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EFULL
 */
paths_status es__mpi_gather(struct es_mpi_trace *trace) PATHS_CHECKED;

#endif
