/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/traced_private.h - keeps the trace and the wait states of a run
 * with its analysis
 */

#ifndef SCOPES_MPI_TRACED_PRIVATE_H
#define SCOPES_MPI_TRACED_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi/waits_private.h"

struct es__traced {
	struct es__kept kept;
	/* Owned by the analysis. */
	const struct es__mpi_input *in;
	/* The whole trace; NULL: not computed yet. */
	const struct es_mpi_trace *trace;
	struct es__mpi_waits waits;
	bool has_waits;
	/* Another analysis that reads the windows while waits are computed;
	   NULL: none. */
	struct es__mpi_also *also;
};

/*
 * es__traced_get, es__traced_whole, es__traced_waits - the input of the trace
 * of a run, with the whole trace, or with its wait states
 *
 * The first call computes the result, and the analysis keeps it.  Wait states
 * need little memory; the whole trace needs memory for each tuple.
 *
 * traced	out; NULL when the run is not one of MPI processes
 *
 * Returns	PATHS_OK
 *		a status of es_mpi_trace_open
 */
paths_status es__traced_get(struct es_analysis *a, struct es__traced **traced)
    PATHS_CHECKED;
paths_status es__traced_whole(struct es_analysis *a, struct es__traced **traced)
    PATHS_CHECKED;
paths_status es__traced_waits(struct es_analysis *a, struct es__traced **traced)
    PATHS_CHECKED;

#endif
