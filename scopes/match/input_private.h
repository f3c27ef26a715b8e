/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/input_private.h - makes the input of an MPI trace from a run
 */

#ifndef SCOPES_MPI_INPUT_PRIVATE_H
#define SCOPES_MPI_INPUT_PRIVATE_H

#include "scopes/mpi_trace.h"

/* The input of es_mpi_trace_open, and the memory that it points to. */
struct es__mpi_input {
	struct es_mpi_trace_input input;
	struct es_mpi_trace_rank *ranks;
	struct es_mpi_trace_comm *comms;
	struct es_mpi_trace_ring *rings;
	/* The arrays that ranks and comms point to. */
	void **tables;
	size_t table_count, table_room;
};

/*
 * es__mpi_input_init - makes the input of an MPI trace from a run
 *
 * The ranks have no timebase, because matching needs no times of different
 * clocks.
 *
 * run	its processes are MPI ranks
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_input_fini, also on failure; the
 *		input points into the run, which must stay open
 */
paths_status es__mpi_input_init(struct es__mpi_input *in, struct es_run *run)
    PATHS_CHECKED;
void es__mpi_input_fini(struct es__mpi_input *in);

#endif
