/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/arrival_pattern_private.h - describes in which order, and how far
 * apart in time, the members of a communicator arrive at its collectives
 *
 * The arrival of a member is the begin of its call.  The spread of a call is
 * the time from the first arrival to the last one, its cost the time from the
 * last arrival to the last exit, its exit spread that from the first exit to
 * the last one.  Two arrivals have no order if their difference is within the
 * error bound of the clocks.
 *
 * Source	Faraj, Patarasuk, Yuan: A Study of Process Arrival Patterns for
 *		MPI Collective Operations, 2008
 */

#ifndef SCOPES_MPI_ARRIVAL_PATTERN_PRIVATE_H
#define SCOPES_MPI_ARRIVAL_PATTERN_PRIVATE_H

#include "scopes/mpi/doubts_private.h"
#include "scopes/mpi_trace.h"

#include "libpaths/base/hash.h"

/* The times of calls for which quantiles are computed. */
enum es__arrival_time {
	ES__ARRIVAL_SPREAD,
	ES__ARRIVAL_EXITS,
	ES__ARRIVAL_COST,
	ES__ARRIVAL_TIMES
};

/* Quantiles: 0.5, 0.9, 0.99, and the largest, which is exact. */
enum { ES__ARRIVAL_P50, ES__ARRIVAL_P90, ES__ARRIVAL_P99, ES__ARRIVAL_MAX };
#define ES__ARRIVAL_QUANTILES 4u

struct es__arrival_member {
	uint64_t last;	/* number of calls at which it certainly arrived last */
	double late_ns; /* sum of its times after the first arrival */
};

/* The calls of a function on a communicator, from a call site of its first
   member. */
struct es__arrival_pattern {
	uint32_t comm, function;
	uint32_t site; /* site number of the first member */
	bool blocking; /* the calls block, so exits and costs are known */
	uint64_t calls;
	/* Number of calls whose last member is not certain. */
	uint64_t undecided;
	uint64_t bytes;	  /* largest number of bytes of a call */
	int64_t bound_ns; /* largest error bound of a spread */
	/* Sum and number of the rank correlations between the orders of two
	   successive calls, if the calls block. */
	double order_sum;
	uint64_t order_count;
	struct es__arrival_member *members;
	int64_t ns[ES__ARRIVAL_TIMES][ES__ARRIVAL_QUANTILES];
	/* Twice the rank of each member in the order of the last call.  Members
	   without an order among themselves have their mean rank. */
	uint32_t *order;
};

/* All zeros at first. */
struct es__arrival_patterns {
	struct es__arrival_pattern *list;
	uint32_t count;
	size_t room;
	struct paths__hash numbers; /* of patterns */
	struct paths__hash bins;    /* of distributions */
	/* Work space: the arrivals at a call. */
	struct es__arrival *arrivals;
	uint32_t *ranks;
	size_t arrival_room, rank_room;
	/* The collectives of a window, in the order of their numbers. */
	const struct es_mpi_trace_collective **sorted;
	size_t sorted_room;
};

/*
 * es__arrival_patterns_window - add collectives that all members have left
 *
 * A collective is in the list of one window then.  If it blocks, it is in none
 * before that of an earlier one on its communicator.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__arrival_patterns_window(struct es__arrival_patterns *patterns,
    const struct es_mpi_trace *trace, const struct es__mpi_doubts *doubts,
    const struct es_mpi_trace_collective *const *list, size_t count)
    PATHS_CHECKED;

/* Sets the quantiles, and sorts the patterns.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__arrival_patterns_finish(struct es__arrival_patterns *patterns)
    PATHS_CHECKED;
void es__arrival_patterns_fini(struct es__arrival_patterns *patterns);

#endif
