/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/peer_private.h - translates the peer and the communicator of a
 * tuple to numbers of the run
 */

#ifndef SCOPES_MATCH_PEER_PRIVATE_H
#define SCOPES_MATCH_PEER_PRIVATE_H

#include "scopes/mpi_trace.h"

/* Returns the rank of the run that is the peer of a tuple of a rank;
   PATHS_NONE: it has none, or it is unknown. */
static inline uint32_t
es__mpi_peer(const struct es_mpi_trace_rank *rank,
    const struct es_tuple_mpi *tuple)
{
	return tuple->peer >= 0 && (uint32_t)tuple->peer < rank->peer_count ?
	    rank->peers[tuple->peer] :
	    PATHS_NONE;
}

/* Returns the communicator of a tuple of a rank; PATHS_NONE: it is unknown. */
static inline uint32_t
es__mpi_comm(const struct es_mpi_trace_rank *rank,
    const struct es_tuple_mpi *tuple)
{
	return tuple->comm < rank->comm_count ? rank->comms[tuple->comm] :
						PATHS_NONE;
}

#endif
