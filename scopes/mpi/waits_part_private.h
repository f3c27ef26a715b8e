/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_part_private.h - finds the wait states of the members of a
 * collective
 */

#ifndef SCOPES_MPI_WAITS_PART_PRIVATE_H
#define SCOPES_MPI_WAITS_PART_PRIVATE_H

#include "scopes/mpi/delays_private.h"
#include "scopes/mpi/doubts_private.h"
#include "scopes/mpi_trace.h"

/* The wait states of one member. */
struct es__mpi_waits_part {
	int64_t wait_ns, completion_ns; /* 0: none */
	int64_t lost_ns; /* part of wait_ns that follows from lost cores */
	/* The last arrival that the member needs to leave, as it was and
	   without lost cores; INT64_MIN: it needs none. */
	int64_t until_ns, until_remain_ns;
	/* Largest errors of the times that these are from. */
	int64_t wait_doubt, completion_doubt;
	/* The first part of the wait, if it is an Early Fence or an Early
	   Reduce and the rest is not. */
	int64_t early_ns, early_doubt;
	uint32_t early_culprit;		    /* ring */
	uint32_t culprit;		    /* ring */
	uint8_t early, pattern, completion; /* enum es__wait_pattern */
	bool violation;	 /* by its stamps it left before it could end */
	bool other_root; /* it gave another root than the first member */
	bool decided; /* the member has ended, and waits for none that has not
			   begun */
};

/*
 * es__mpi_waits_part_fill - find the wait states of a collective
 *
 * Also while members have not begun it: for those that are decided.
 *
 * doubts	of the ranks of the trace
 * delays	of its calls; NULL: no time was lost.  A culprit is the one that
 *		the member would wait for without lost cores, if any
 * parts	out: one for each member of its communicator
 */
void es__mpi_waits_part_fill(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__mpi_delays *delays,
    const struct es_mpi_trace_collective *collective,
    struct es__mpi_waits_part *parts);

#endif
