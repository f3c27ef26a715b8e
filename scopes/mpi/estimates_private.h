/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/estimates_private.h - the profile rows of an MPI run, and what
 * they tell of waiting
 */

#ifndef SCOPES_MPI_ESTIMATES_PRIVATE_H
#define SCOPES_MPI_ESTIMATES_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi/wait_minimum_private.h"

/* Of each thread that was profiled one row a site, function, size and so on,
   in order of ranks. */
struct es__estimates {
	struct es__kept kept;
	struct es__wait_minimum *rows;
	size_t count;
	int64_t *span_ns; /* of each process: its time in all, as far as it is
			     known; 0: it left nothing */
};

/*
 * es__estimates_get - what the calls of a run waited, by its profiles
 *
 * Computed when it is first asked for, kept by the analysis.  Without MPI, or
 * without profiles, there are no rows.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__estimates_get(struct es_analysis *a,
    const struct es__estimates **estimates) PATHS_CHECKED;

/*
 * es__estimates_source - what is known best of how long MPI calls waited
 *
 * source	out: "trace" when tuples of all calls are there, else "profile"
 *		when there is one, else "part" when there are tuples; NULL:
 *		nothing, or the run is not one of MPI processes
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__estimates_source(struct es_analysis *a, const char **source)
    PATHS_CHECKED;

#endif
