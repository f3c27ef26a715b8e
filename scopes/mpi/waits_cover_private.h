/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_cover_private.h - tells which calls of a trace were searched
 * for waiting
 */

#ifndef SCOPES_MPI_WAITS_COVER_PRIVATE_H
#define SCOPES_MPI_WAITS_COVER_PRIVATE_H

#include "scopes/match/trace_private.h"

/*
 * es__waits_covered - find whether the waiting in a tuple was searched
 *
 * A call with a wait pattern is searched only if the other side is known, so
 * sends, receives and collectives must be matched.  A call with several tuples
 * is covered if all its tuples are.
 *
 * call	the call that the tuple belongs to
 * link	of the tuple
 */
bool es__waits_covered(const struct es_mpi_trace *trace, struct es_mpi_at at,
    const struct es_tuple_mpi *call, const struct es_mpi_trace_link *link);

#endif
