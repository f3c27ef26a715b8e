/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/lost_private.h - the time that the ranks of a run had no core
 */

#ifndef SCOPES_MPI_LOST_PRIVATE_H
#define SCOPES_MPI_LOST_PRIVATE_H

#include "scopes/mpi/delays_private.h"

/*
 * es__mpi_lost_delays - compute the delays of the ranks of a run
 *
 * Needs memory for each tuple, unless the threads were without a core for less
 * than 1 % of their time: then there are no delays.
 *
 * input	of the trace of the run
 * threads	number of threads to use, at least 1
 * a		analysis of the run; NULL: no time is lost
 * delays	out; zeros at first, and without rings when there are none
 *
 * Returns	PATHS_OK; a status of es_mpi_trace_open
 * Ownership	the caller calls es__mpi_delays_fini, also on failure
 */
paths_status es__mpi_lost_delays(const struct es_mpi_trace_input *input,
    unsigned threads, const struct es_analysis *a,
    const struct es__mpi_doubts *doubts, struct es__mpi_delays *delays)
    PATHS_CHECKED;

#endif
