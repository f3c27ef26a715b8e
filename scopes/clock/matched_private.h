/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/matched_private.h - keeps the MPI trace of a run with its
 * analysis
 */

#ifndef SCOPES_CLOCK_MATCHED_PRIVATE_H
#define SCOPES_CLOCK_MATCHED_PRIVATE_H

#include "scopes/analysis.h"
#include "scopes/match/input_private.h"

struct es__matched {
	struct es__mpi_input in;
	struct es_mpi_trace *trace; /* NULL: not yet */
};

/*
 * es__matched_get, es__matched_whole - the input of the trace of a run, without
 * or with the whole trace
 *
 * The first call computes it.  Each call gives its ranks the conversions of
 * stamps that the analysis has.  The whole trace needs memory for each tuple.
 *
 * matched	out; NULL when the run is not one of MPI processes
 *
 * Returns	PATHS_OK
 *		a status of es_mpi_trace_open
 * Ownership	the analysis's
 */
paths_status es__matched_get(struct es_analysis *a,
    struct es__matched **matched) PATHS_CHECKED;
paths_status es__matched_whole(struct es_analysis *a,
    struct es__matched **matched) PATHS_CHECKED;

/* Frees the whole trace, which may be computed again. */
void es__matched_drop_whole(struct es__matched *matched);

/* Frees the input and trace of an analysis. */
void es__matched_close(struct es__matched *matched);

#endif
