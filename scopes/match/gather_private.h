/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/gather_private.h - joins the calls of the members of a
 * communicator to collectives
 */

#ifndef SCOPES_MPI_GATHER_PRIVATE_H
#define SCOPES_MPI_GATHER_PRIVATE_H

#include "scopes/match/match_private.h"

paths_status es__mpi_gather_open(struct es_mpi_trace *trace) PATHS_CHECKED;
void es__mpi_gather_fini(struct es__mpi_gather *gather);

/* Returns the collective that a part belongs to. */
const struct es_mpi_trace_collective *
es__mpi_gather_collective(const struct es__mpi_gather *gather, uint32_t part);

/* Calls back for the begin of each part of a collective that is not dropped;
   `receives` is false. */
void es__mpi_gather_begins(const struct es_mpi_trace *trace,
    es__mpi_post *begin, void *to);

/* Drops a part whose call was not kept.  The last part to be dropped frees the
   collective. */
void es__mpi_gather_drop(struct es_mpi_trace *trace, uint32_t part);

/*
 * es__mpi_gather - find the collectives of a window
 *
 * Lists the collectives that changed in the window.  If trace->lists is set,
 * also lists the collectives that all members have begun.  Links the tuples
 * that end a call to its part.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EFULL
 */
paths_status es__mpi_gather(struct es_mpi_trace *trace) PATHS_CHECKED;

/*
 * es__mpi_gather_changed - get a collective that changed in the window
 *
 * A collective changes if a member begins or ends it.  The link of a call that
 * ends a collective names its part even if other members begin in later
 * windows; until then, `begin` of their parts is ES__MPI_NOWHERE.
 *
 * n	below trace->gather.changed_count
 * made	out: no member had begun the collective before the window
 *
 * Returns	the collective; NULL: it was given up
 */
const struct es_mpi_trace_collective *
es__mpi_gather_changed(const struct es_mpi_trace *trace, size_t n, bool *made);

/* Returns the collective whose first part is `part`; NULL: it was given up, or
   it changed in the window. */
const struct es_mpi_trace_collective *
es__mpi_gather_unchanged(const struct es_mpi_trace *trace, uint64_t part);

#endif
