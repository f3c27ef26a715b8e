/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/match_private.h - matches receives with sends
 */

#ifndef SCOPES_MPI_MATCH_PRIVATE_H
#define SCOPES_MPI_MATCH_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Counts the halves of a window in the first pass; end: it is the last one.
   PATHS_OK; PATHS_ENOMEM. */
paths_status es__mpi_match_count(struct es_mpi_trace *trace, bool end)
    PATHS_CHECKED;

/* Decides after the first pass which halves are matched. */
void es__mpi_match_decide(struct es_mpi_trace *trace);

/*
 * es__mpi_match - match the halves of a window
 *
 * Links the tuples that end them, and lists the messages that have ended.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EFULL
 */
paths_status es__mpi_match(struct es_mpi_trace *trace) PATHS_CHECKED;

/* Counts of sends between two ranks, and of those that are matched. */
struct es__mpi_traffic {
	uint64_t sent, matched;		/* all */
	uint64_t key_sent, key_matched; /* of a communicator and tag */
};

/* Counts the sends between two ranks in a whole trace; tag: negative: any. */
struct es__mpi_traffic es__mpi_match_traffic(const struct es_mpi_trace *trace,
    uint32_t source, uint32_t target, uint32_t comm, int32_t tag);

void es__mpi_match_fini(struct es__mpi_match *match);

#endif
