/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_sums_private.h - adds up the waiting in each MPI function,
 * from the best source for it
 */

#ifndef SCOPES_MPI_WAIT_SUMS_PRIVATE_H
#define SCOPES_MPI_WAIT_SUMS_PRIVATE_H

#include "scopes/clock/analysis_private.h"

/* Calls of a function by a rank, in the measured interval. */
struct es__wait_sum {
	uint32_t rank, function;
	uint64_t calls;
	int64_t time_ns, wait_ns;
	int64_t uncovered_ns; /* time of calls that no analysis searched */
	/* Source of wait_ns: "trace" or "profile"; NULL: the calls are not
	   searched, or do not wait. */
	const char *source;
};

typedef paths_status es__wait_sum_each(void *to,
    const struct es__wait_sum *sum);

/*
 * es__wait_sums - pass the sums of all functions of a run, rank by rank
 *
 * Functions without calls are left out.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; a status of es_mpi_trace_open, or of
 *		`each`, which ends the walk
 */
paths_status es__wait_sums(struct es_analysis *a, es__wait_sum_each *each,
    void *to) PATHS_CHECKED;

#endif
