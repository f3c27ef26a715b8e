/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/input_private.h - the input of a trace, made from a run
 */

#ifndef SCOPES_MPI_INPUT_PRIVATE_H
#define SCOPES_MPI_INPUT_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/mpi_trace.h"

struct es__mpi_input {
	struct es_mpi_trace_input input;
	struct es_mpi_trace_rank *ranks;
	struct es_mpi_trace_comm *comms;
	struct es_mpi_trace_ring *rings;
	void **tables; /* memory that ranks and comms point to */
	size_t table_count, table_room;
};

/*
 * es__mpi_input_init - make the input of a trace of the run of an analysis
 *
 * a	of a run of MPI processes
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_input_fini, also on failure
 */
paths_status es__mpi_input_init(struct es__mpi_input *in,
    const struct es_analysis *a) PATHS_CHECKED;
void es__mpi_input_fini(struct es__mpi_input *in);

#endif
