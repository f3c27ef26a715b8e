/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/match_private.h - matches receives with sends
 */

#ifndef SCOPES_MPI_MATCH_PRIVATE_H
#define SCOPES_MPI_MATCH_PRIVATE_H

#include "scopes/match/trace_private.h"

/*
 * es__mpi_match - match the halves of a window
 *
 * Links the tuple that ends a half to the other half, and lists the messages
 * that have ended.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EFULL
 */
paths_status es__mpi_match(struct es_mpi_trace *trace) PATHS_CHECKED;

/* Is called with the place where a send or a receive was posted. */
typedef void es__mpi_post(void *to, struct es_mpi_at at, bool receives);

/* Calls back for each half that is not matched, or has not ended. */
void es__mpi_match_posts(const struct es_mpi_trace *trace, es__mpi_post *post,
    void *to);

void es__mpi_match_fini(struct es__mpi_match *match);

#endif
