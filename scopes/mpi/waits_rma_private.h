/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_rma_private.h - finds the wait states of one-sided
 * communication
 *
 * E is the enter and X the exit of the call in which a rank waits.  A wait that
 * has two reasons, one after the other, has two parts:
 *
 *	Wait at Create, Free	E of the last member - E, if all members leave
 *				after that
 *	Early Fence		X of the last access of another rank to the
 *				caller's memory before its fence - E
 *	Wait at Fence		as Wait at Create, after the Early Fence
 *	Late Post		E of the last post of the targets - E, in the
 *				start, access or complete that it lies in
 *	Early Wait		X of the last access of the last origin to
 *				complete - E
 *	Late Complete		E of the last complete - E, after the Early Wait
 *	Lock Competition	min(X of the last unlock of a conflicting lock,
 *				X) - E, if that unlock began before X.  In calls
 *				other than lock, only if the other rank had the
 *				lock before E, and the caller's call before in
 *				the epoch ended before that unlock began.  An
 *				unlock waits only for a lock that was called
 *				before its own
 *	Wait for Progress	E of the target's next call - E, if the target
 *				is outside of MPI at E, or after the Lock
 *				Competition.  In calls that lock, flush, unlock
 *				and access, and that complete a request of an
 *				access, with a passive target
 *
 * Source	Scalasca 2.5: pattern descriptions and severities
 */

#ifndef SCOPES_MPI_WAITS_RMA_PRIVATE_H
#define SCOPES_MPI_WAITS_RMA_PRIVATE_H

#include "scopes/mpi/wait_pattern_private.h"
#include "scopes/mpi/waits_part_private.h"

/* A part of a wait. */
struct es__mpi_rma_part {
	int64_t until_ns;
	int64_t doubt;	  /* largest error of the times that it is from */
	uint32_t culprit; /* ring */
	enum es__wait_pattern pattern;
	/* The call of the culprit whose begin, or end, is the end of the
	   part, or would be. */
	struct es_mpi_at call;
	bool ends;
};

/* A wait inside a call: the first part begins at its enter. */
struct es__mpi_rma_wait {
	struct es__mpi_rma_part parts[2];
	uint32_t count;
};

/*
 * es__mpi_waits_rma_call - find the wait of a call, or of a request that it
 * completes
 *
 * at		place of a tuple of a call that has returned
 * wait		out; without parts when the call did not wait
 */
void es__mpi_waits_rma_call(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, struct es_mpi_at at,
    struct es__mpi_rma_wait *wait);

/*
 * es__mpi_waits_rma_meet - find the wait states of a fence, or of a call that
 * makes or frees a window
 *
 * delays	NULL: no time was lost
 * parts	out; zeros without culprits before
 */
void es__mpi_waits_rma_meet(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__mpi_delays *delays,
    const struct es_mpi_trace_collective *collective,
    struct es__mpi_waits_part *parts);

#endif
