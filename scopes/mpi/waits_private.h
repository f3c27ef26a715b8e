/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_private.h - how long the ranks of a trace waited, and for
 * whom
 *
 * The wait states of Scalasca, with its severities.  E is the enter, X the exit
 * of the call in which a rank waits, which for what does not block is the call
 * that completes it; only what is positive counts, and no more than the call
 * took:
 *
 *	Late Sender		min(E of the send, X) - E; in a call that
 *				completes several, the largest; one of the last
 *				100 is of wrong order when a later receive got a
 *				message that was sent earlier
 *	Late Receiver		E of the receive - E, if that is before X; in
 *				a call that completes several the largest, and
 *				none where the call has a Late Sender
 *	Wait at Barrier		min(E of the last, X) - E
 *	Wait at N x N		the same, where bytes come: Allreduce,
 *				Allgather(v), Alltoall, Reduce_scatter(_block)
 *	Completion of both	X - max(X of the first, E of the last); of
 *				calls that block
 *	Late Broadcast		min(E of the root, X) - E; of others than the
 *				root that receive bytes: Bcast, Scatter(v)
 *	Early Reduce		min(E of the first other, X) - E; of the root,
 *				for those that send bytes: Reduce, Gather(v)
 *	Early Scan		min(E of the last with a lower rank, X) - E
 *	Wait at Finalize	as Wait at Barrier
 *	Init Completion		as Barrier Completion
 *
 * A Test does not wait.  Each instance is of one pattern only, so waits of all
 * patterns can be added up.  In an intercommunicator a rank waits for those of
 * the other group: where there is a root, those who stand by in its group
 * (MPI_PROC_NULL) pass no bytes, so they neither wait nor are waited for.
 *
 * Source	Scalasca 2.5: pattern descriptions and severities as
 *		implemented
 */

#ifndef SCOPES_MPI_WAITS_PRIVATE_H
#define SCOPES_MPI_WAITS_PRIVATE_H

#include "scopes/mpi/totals_private.h"
#include "scopes/mpi/wait_pattern_private.h"
#include "scopes/mpi_trace.h"

/* Where a rank waited. */
struct es__mpi_rank_waits {
	struct es__totals sites; /* by site, as the rank has it, and pattern */
	struct es__totals pairs; /* by culprit and pattern; NONE: nobody's */
	struct es__totals rings; /* by waiter and culprit, of all patterns that
				   have one */
	/* Messages that came, and collectives that were left, too early. */
	uint64_t message_violations, collective_violations;
};

struct es__mpi_waits {
	struct es__mpi_rank_waits *ranks;
	uint32_t rank_count;
};

/*
 * es__mpi_waits_compute - find all wait states of a trace
 *
 * threads	how many to use, at least 1
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_waits_fini, also on failure
 */
paths_status es__mpi_waits_compute(const struct es_mpi_trace *trace,
    unsigned threads, struct es__mpi_waits *waits) PATHS_CHECKED;
void es__mpi_waits_fini(struct es__mpi_waits *waits);

#endif
