/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/interval_private.h - the measured interval of MPI processes
 *
 * The interval of a world goes from the last exit of MPI_Init to the last entry
 * of MPI_Finalize of its ranks.  Shares of time are shares of it.  The time
 * that a rank spends in MPI_Finalize before the end of the interval is Wait at
 * Finalize.
 *
 * Where a rank has no MPI_Init, as with sessions, the interval begins with its
 * recording.  Where a rank has not called MPI_Finalize, as one that was killed
 * or still runs, the interval of each rank of the world ends at the last time
 * that is known of this rank.
 */

#ifndef SCOPES_CLOCK_INTERVAL_PRIVATE_H
#define SCOPES_CLOCK_INTERVAL_PRIVATE_H

#include "scopes/clock/analysis_private.h"

/* The source of an end of an interval. */
enum es__mpi_edge {
	ES__EDGE_MPI,	   /* MPI_Init or MPI_Finalize of all ranks */
	ES__EDGE_ESTIMATE, /* the same, from sums of the profile */
	ES__EDGE_RECORDING /* the begin, or the end, of the recording */
};

struct es__mpi_interval {
	int64_t from_ns, to_ns; /* to_ns >= from_ns */
	int64_t finalizing_ns;	/* entry of MPI_Finalize; INT64_MAX: none */
	enum es__mpi_edge begin, end;
};

struct es__mpi_intervals {
	struct es__kept kept;
	struct es__mpi_interval *of; /* of each process of the map */
	uint32_t count;
};

/*
 * es__mpi_intervals_get - the measured intervals of the processes of a run
 *
 * The first call computes them, and the analysis keeps them.  Processes without
 * an event space, and those of runs without MPI, have empty intervals.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_intervals_get(struct es_analysis *a,
    const struct es__mpi_intervals **intervals) PATHS_CHECKED;

/* Returns the length of the part of [start_ns, stop_ns] that is inside. */
static inline int64_t
es__mpi_interval_part(const struct es__mpi_interval *interval, int64_t start_ns,
    int64_t stop_ns)
{
	int64_t from =
	    start_ns > interval->from_ns ? start_ns : interval->from_ns;
	int64_t to = stop_ns < interval->to_ns ? stop_ns : interval->to_ns;

	return to > from ? to - from : 0;
}

#endif
