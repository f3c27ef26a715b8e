/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/match_private.h - matches the receives of a rank with sends
 */

#ifndef SCOPES_MPI_MATCH_PRIVATE_H
#define SCOPES_MPI_MATCH_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Makes messages of the receives of a rank and finds their sends. */
void es__mpi_match(struct es_mpi_trace *trace, uint32_t rank);

/* Links the tuples that end the receive and the send of a message to it, if it
   is matched. */
void es__mpi_match_link(struct es_mpi_trace *trace, uint32_t number);

#endif
