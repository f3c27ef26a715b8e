/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/input_private.h - the tuples and tables of a run, as a trace
 * wants them
 */

#ifndef SCOPES_MPI_INPUT_PRIVATE_H
#define SCOPES_MPI_INPUT_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi/waits_private.h"

/* What an analysis keeps of the trace of its run. */
struct es__mpi_kept {
	struct es_mpi_trace_input input;
	struct es_mpi_trace_rank *ranks;
	struct es_mpi_trace_comm *comms;
	struct es_mpi_trace_ring *rings;
	void **tables; /* what the ranks and comms point to */
	size_t table_count;
	struct es_mpi_trace *trace;
	struct es__mpi_waits waits;
	bool waits_known;
};

/*
 * es__mpi_kept_get - the trace of a run
 *
 * Computed when it is first asked for, kept by the analysis.
 *
 * kept	out; NULL when the run is not one of MPI processes
 *
 * Returns	PATHS_OK; what es_mpi_trace_open answers
 */
paths_status es__mpi_kept_get(struct es_analysis *a, struct es__mpi_kept **kept)
    PATHS_CHECKED;

/* The same with the wait states of the trace. */
paths_status es__mpi_kept_waits(struct es_analysis *a,
    struct es__mpi_kept **kept) PATHS_CHECKED;

void es__mpi_kept_destroy(struct es__mpi_kept *kept);

#endif
