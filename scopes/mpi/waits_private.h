/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_private.h - finds how long the ranks of a trace waited, and
 * for whom
 *
 * These are the wait states of Scalasca, with its severities.  E is the enter
 * and X the exit of the call in which a rank waits; for a nonblocking operation
 * this is the call that completes it.  A wait is positive and never longer than
 * the call:
 *
 *	Late Sender		min(E of the send, X) - E; the largest in a call
 *				that completes several receives.  A later
 *				receive that gets a message sent earlier shows
 *				that it is of wrong order, if it is among the
 *				last 100 Late Senders of the rank
 *	Late Receiver		E of the receive - E, if the receive is before
 *				X; the largest in a call that completes several
 *				sends.  When the call has a Late Sender, only
 *				the part behind it, if the rest of the call is
 *				as short as for Wait for Peer Progress
 *	Wait for Peer Progress	peer_progress_private.h
 *	Wait at Barrier		min(E of the last, X) - E
 *	Wait at N x N		as Wait at Barrier, if a member passes bytes:
 *				Allreduce, Allgather(v), Alltoall,
 *				Reduce_scatter_block.  In Alltoallv and
 *				Alltoallw a member waits for the last of those
 *				that it receives bytes from, by its counts; in
 *				Reduce_scatter, members that get no block do not
 *				wait
 *	Wait at N x N, No Bytes	as Wait at N x N, if no member passes bytes and
 *				none left before the last one came
 *	Late Neighbour		min(E of the last neighbour that it receives
 *				bytes from, X) - E: neighbourhood collectives
 *	Barrier Completion,	X - max(X of the first, E of the last), in
 *	N x N Completion,	blocking calls; of the member and those that it
 *	Neighbour Completion	waits for
 *	Late Broadcast		min(E of the root, X) - E, of members other than
 *				the root that receive bytes: Bcast, Scatter(v)
 *	Early Reduce		min(E of the first other member that sends
 *				bytes, X) - E, of the root: Reduce, Gather(v)
 *	Wait at Reduce		min(E of the last of them, X) - max(E of the
 *				first, E), of the root
 *	Early Scan		min(E of the last with a lower rank, X) - E
 *	Wait at File Collective	as Wait at Barrier, if no member left before the
 *	File Completion		last one came, because MPI lets these calls
 *				return before that: collective calls on files
 *	Wait at Finalize	as Wait at Barrier
 *	Init Completion		as Barrier Completion
 *
 * A Late Sender is also in a probe: in the one that found the message.  A
 * partitioned message is sent when its last partition is ready: E of the send
 * is that of the last MPI_Pready.  waits_rma_private.h has the wait states of
 * one-sided communication.
 *
 * A Test does not wait.  Each instance has one pattern, so waits of all
 * patterns can be added up.  In an intercommunicator a rank waits for the other
 * group.  Ranks in the group of the root that are not the root (MPI_PROC_NULL)
 * pass no bytes: they do not wait, and no rank waits for them.
 *
 * Scalasca has no pattern for neighbourhood collectives and files, none that
 * takes the counts of Alltoallv into account, and none for a root that waits
 * for more than the first member: it cannot leave before all have come.
 *
 * Source	Scalasca 2.5: pattern descriptions and severities as
 *		implemented
 */

#ifndef SCOPES_MPI_WAITS_PRIVATE_H
#define SCOPES_MPI_WAITS_PRIVATE_H

#include "scopes/mpi/arrival_pattern_private.h"
#include "scopes/mpi/lost_private.h"
#include "scopes/mpi/totals_private.h"
#include "scopes/mpi/wait_log_private.h"
#include "scopes/mpi/wait_pattern_private.h"
#include "scopes/mpi_trace.h"

/* Sums over the calls of a function, inside the measured interval. */
struct es__mpi_function_waits {
	uint64_t calls;
	int64_t time_ns;
	int64_t wait_ns;
	int64_t uncovered_ns; /* time of calls that were not searched */
};

/* The waits of a rank. */
struct es__mpi_rank_waits {
	struct es__totals sites; /* by site number of the rank, and pattern */
	struct es__totals calls; /* by site number of the rank, and function */
	struct es__totals pairs; /* by rank of the culprit (PATHS_NONE: no
				    culprit) and pattern */
	struct es__totals rings; /* by rings of waiter and culprit, if known */
	/* Messages that were received before their send, and collectives that
	   were left before they could end. */
	uint64_t message_violations, collective_violations;
	uint64_t other_roots; /* calls that gave another root than the first
				 member of the communicator */
	struct es_mpi_trace_account account;
	uint64_t events;			  /* tuples */
	struct es__mpi_function_waits *functions; /* of each, by its number */
	/* Waits in the steps of each thread of the rank that makes MPI calls:
	   step_count of each, by bin of the phase. */
	int64_t *step_wait_ns;
	size_t step_count;
	uint32_t ring_first, ring_count;
};

struct es__mpi_waits {
	struct es__mpi_rank_waits *ranks;
	uint32_t rank_count;
	uint32_t function_count;
	uint64_t collectives; /* for which waits were computed; one that changes
				 in several windows counts in each */
	uint64_t kept_most;   /* tuples that a window kept of the ones before */
	bool sampled;	      /* it is known when threads had no core */
	struct es__wait_file log_file;
	struct es__wait_log *logs; /* the waits of each ring, in order */
	uint32_t ring_count;
	uint32_t *ring_of; /* of each thread of the run; PATHS_NONE: none */
	uint32_t thread_count;
	struct es__arrival_patterns arrivals;
};

/* Tuples of a window.  With their links and halves they take 2 to 3 MB, which
   caches hold: windows of four times the size take a tenth longer. */
#define ES__MPI_WAITS_QUOTA (UINT64_C(1) << 15)
/* Tuples of a ring, at least: each window costs something for each ring. */
#define ES__MPI_WAITS_SHARE UINT64_C(256)
/* Threads that share a window, at most: it takes a few ms of one. */
#define ES__MPI_WAITS_THREADS 4u

/* Returns the tuples of a window.  They do not depend on the number of threads,
   so that the order of the program activity graph, which is made from the same
   windows, does not. */
static inline uint64_t
es__mpi_waits_quota(uint32_t rings)
{
	uint64_t least = ES__MPI_WAITS_SHARE * rings;

	return ES__MPI_WAITS_QUOTA > least ? ES__MPI_WAITS_QUOTA : least;
}

/*
 * es__mpi_waits_compute - find all wait states of a trace
 *
 * a		analysis of the run of the trace, whose clocks have bounds, and
 *		whose processes have measured intervals; NULL: all times are
 *		exact, and all calls are measured
 * threads	number of threads to use, at least 1
 * quota	tuples of a window; UINT64_MAX: the whole trace is one
 *
 * Returns	PATHS_OK; a status of es_mpi_trace_open
 * Ownership	the caller calls es__mpi_waits_fini, also on failure
 */
paths_status es__mpi_waits_compute(const struct es_mpi_trace_input *input,
    struct es_analysis *a, unsigned threads, uint64_t quota,
    struct es__mpi_waits *waits) PATHS_CHECKED;
void es__mpi_waits_fini(struct es__mpi_waits *waits);

/*
 * Another analysis that takes the windows of the trace together with the waits.
 * An analysis that fails is ended, and the waits go on.  While a thread works
 * on a window, others find the waits in it; none of them changes the trace.
 */
struct es__mpi_also {
	/* trace: begun, without a window */
	paths_status (*begin)(struct es__mpi_also *also,
	    const struct es_mpi_trace *trace);
	paths_status (*window)(struct es__mpi_also *also);
	/* Returns the first tuple of a rank that it needs in the next window,
	   as for es__mpi_trace_keep. */
	uint64_t (*kept)(const struct es__mpi_also *also, uint32_t rank);
	/* st: PATHS_OK after the last window, or why there is no further one */
	void (*end)(struct es__mpi_also *also, paths_status st);
};

/* Parameters of the computation of waits; the first members are the arguments
   of es__mpi_waits_compute. */
struct es__mpi_waits_how {
	struct es_analysis *a;
	unsigned threads;
	uint64_t quota;
	struct es__mpi_also *also; /* NULL: nothing */
};

/* Does what es__mpi_waits_compute does. */
paths_status es__mpi_waits_with(const struct es_mpi_trace_input *input,
    const struct es__mpi_waits_how *how, struct es__mpi_waits *waits)
    PATHS_CHECKED;

/* Does what es__mpi_waits_compute does, for times without a core that are
   known. */
paths_status es__mpi_waits_lost(const struct es_mpi_trace_input *input,
    const struct es__mpi_lost *lost, const struct es__mpi_waits_how *how,
    struct es__mpi_waits *waits) PATHS_CHECKED;

/* Returns the waits in the steps of a thread, by bin of the phase whose
   iterations are the steps (scopes/phase/phases_private.h); NULL: it has
   none. */
const int64_t *es__mpi_waits_steps(const struct es__mpi_waits *waits,
    uint32_t thread);

#endif
