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
	/* The last arrival before which the member cannot leave, as measured
	   and without lost cores; INT64_MIN: it waits for no arrival. */
	int64_t until_ns, until_remain_ns;
	/* Error bounds of wait_ns and completion_ns. */
	int64_t wait_doubt, completion_doubt;
	/* First part of the wait, if this is an Early Fence or an Early Reduce
	   and the other part has another pattern. */
	int64_t early_ns, early_doubt;
	uint32_t early_culprit;		    /* ring */
	uint32_t culprit;		    /* ring */
	uint8_t early, pattern, completion; /* enum es__wait_pattern */
	/* By its stamps, the member left before the collective could end. */
	bool violation;
	/* The member gave another root than the first member. */
	bool other_root;
	/* The member has ended, and waits for no member that has not begun. */
	bool decided;
};

/*
 * es__mpi_waits_part_fill - find the wait states of a collective
 *
 * Can be called while members have not begun it: then only the parts of decided
 * members are final.
 *
 * doubts	of the ranks of the trace
 * delays	delays of its calls; NULL: no time was lost.  The culprit is the
 *		member that would arrive last without lost cores, if the member
 *		would then still wait
 * parts	out: one for each member of its communicator
 */
void es__mpi_waits_part_fill(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__mpi_delays *delays,
    const struct es_mpi_trace_collective *collective,
    struct es__mpi_waits_part *parts);

#endif
