/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/estimates_private.h - estimates waiting from the profile rows of
 * an MPI run
 */

#ifndef SCOPES_MPI_ESTIMATES_PRIVATE_H
#define SCOPES_MPI_ESTIMATES_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi/wait_minimum_private.h"

/* A row is for one thread, site, function, size class and so on.  Rows are in
   the order of ranks. */
struct es__estimates {
	struct es__kept kept;
	struct es__wait_minimum *rows;
	size_t count;
	const char *source; /* see es__estimates_source */
};

/*
 * es__estimates_get - get the estimated waiting of the calls of a run
 *
 * The first call computes it, and the analysis keeps it.  A run without MPI or
 * without profiles has no rows.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__estimates_get(struct es_analysis *a,
    const struct es__estimates **estimates) PATHS_CHECKED;

/*
 * es__estimates_source - find the best source for the waiting of MPI calls
 *
 * source	out: "trace" when there are tuples of all calls; else "profile"
 *		when there is one; else "part" when there are tuples.  NULL:
 *		there is none, or the run is not one of MPI processes
 *
 * A trace that has all calls is the best source for the functions for which
 * traces have patterns (wait_cover_private.h).  For other functions, and
 * without such a trace for all functions, it is the profile: the rows of these
 * functions are `used`.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__estimates_source(struct es_analysis *a, const char **source)
    PATHS_CHECKED;

#endif
