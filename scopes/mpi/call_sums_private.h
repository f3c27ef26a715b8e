/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/call_sums_private.h - adds up time and waiting of the MPI calls of
 * each rank, by call site and function
 */

#ifndef SCOPES_MPI_CALL_SUMS_PRIVATE_H
#define SCOPES_MPI_CALL_SUMS_PRIVATE_H

#include "scopes/clock/analysis_private.h"

#include "libpaths/base/hash.h"

/* The calls of a rank at a call site. */
struct es__call_sum {
	uint32_t rank;
	uint32_t site; /* of the run; 0: not recorded; PATHS_NONE: not known */
	uint32_t function; /* number of the MPI function */
	bool used;	   /* false: the slot is free */
	uint64_t calls;
	int64_t time_ns; /* in the measured interval */
	int64_t wait_ns; /* of these */
};

/* All zeros at first. */
struct es__call_sums {
	struct paths__hash table; /* until they are sorted */
	struct es__call_sum *list;
	size_t count;
};

/*
 * es__call_sums_make - add up all calls that returned
 *
 * Times are those of the profile; of threads without a profile, of the trace.
 * Waits are from the source that es__estimates_source gives.
 *
 * sums	out: in the order of rank, site and function
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; a status of es_mpi_trace_open
 * Ownership	the caller calls es__call_sums_fini, also on failure
 */
paths_status es__call_sums_make(struct es_analysis *a,
    struct es__call_sums *sums) PATHS_CHECKED;

void es__call_sums_fini(struct es__call_sums *sums);

#endif
