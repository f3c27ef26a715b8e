/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/estimates_cut_private.h - removes the time before the measured
 * interval from profiles
 */

#ifndef SCOPES_MPI_ESTIMATES_CUT_PRIVATE_H
#define SCOPES_MPI_ESTIMATES_CUT_PRIVATE_H

#include "scopes/clock/interval_private.h"
#include "scopes/mpi/estimates_private.h"

/*
 * es__estimates_cut - subtract the time before the measured interval from rows
 *
 * A profile does not tell when its calls were made, so this uses the tuples of
 * the trace.  Rows of calls whose first tuples are not retained keep their
 * time.
 *
 * Returns	PATHS_OK; a status of es__traced_get
 */
paths_status es__estimates_cut(struct es_analysis *a,
    const struct es__mpi_intervals *intervals, struct es__estimates *e)
    PATHS_CHECKED;

#endif
