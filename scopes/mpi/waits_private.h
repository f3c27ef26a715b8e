/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_private.h - finds how long the ranks of a trace waited, and
 * for whom
 *
 * These are the wait states of Scalasca, with the lengths that Scalasca gives
 * them.  E is the enter and X the exit of the call in which a rank waits; "E of
 * the send" is the enter of that other call.  For a nonblocking operation, the
 * call is the one that completes it.  A wait is positive and never longer than
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
 * A probe that found the message can have a Late Sender, too.  A partitioned
 * message is sent when its last partition is ready, so E of the send is the
 * enter of the last MPI_Pready.  waits_rma_private.h has the wait states of
 * one-sided communication.
 *
 * A Test does not wait.  Each wait has one pattern, so the waits of all
 * patterns can be added up.  In an intercommunicator, a rank waits for the
 * other group.  The ranks in the group of the root, other than the root
 * (MPI_PROC_NULL), pass no bytes.  They do not wait, and no rank waits for
 * them.
 *
 * Scalasca has no patterns for neighbourhood collectives and files, and none
 * that uses the counts of Alltoallv.  It also has none for a root that goes on
 * to wait after the first member has arrived, although the root cannot leave
 * before all have arrived.
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
	/* Time of calls that were not searched for waiting. */
	int64_t uncovered_ns;
};

/* The waits of a rank. */
struct es__mpi_rank_waits {
	struct es__totals sites; /* by site number of the rank, and pattern */
	struct es__totals calls; /* by site number of the rank, and function */
	/* By rank of the culprit, PATHS_NONE: none, and by pattern. */
	struct es__totals pairs;
	struct es__totals rings; /* by rings of waiter and culprit, if known */
	/* Number of messages that were received before their send, and of
	   collectives that were left before they could end.  Both show errors
	   of clocks. */
	uint64_t message_violations, collective_violations;
	/* Number of calls that gave another root than the first member of the
	   communicator. */
	uint64_t other_roots;
	struct es_mpi_trace_account account;
	uint64_t events; /* number of tuples */
	/* One for each function, by its number. */
	struct es__mpi_function_waits *functions;
	/* Waiting in each step, in ns: step_count entries for each thread of
	   the rank that calls MPI, by bin of the phase. */
	int64_t *step_wait_ns;
	size_t step_count;
	uint32_t ring_first, ring_count;
};

struct es__mpi_waits {
	struct es__mpi_rank_waits *ranks;
	uint32_t rank_count;
	uint32_t function_count;
	/* Number of collectives for which waits were computed; one that changes
	   in several windows counts several times. */
	uint64_t collectives;
	/* Largest number of tuples that a window kept of earlier windows. */
	uint64_t kept_most;
	bool sampled; /* it is known when threads were without a core */
	struct es__wait_file log_file;
	struct es__wait_log *logs; /* the waits of each ring, in order */
	uint32_t ring_count;
	uint32_t *ring_of; /* of each thread of the run; PATHS_NONE: none */
	uint32_t thread_count;
	struct es__arrival_patterns arrivals;
};

/* Number of tuples of a window.  With their links and halves they take 2 to 3
   MB, which fits into the caches of a processor: with windows of four times the
   size, the analysis takes a tenth longer. */
#define ES__MPI_WAITS_QUOTA (UINT64_C(1) << 15)
/* Smallest number of tuples of each ring in a window, because each window has a
   cost for each ring. */
#define ES__MPI_WAITS_SHARE UINT64_C(256)
/* Largest number of threads that share a window, which takes one thread a few
   ms. */
#define ES__MPI_WAITS_THREADS 4u

/* Returns the number of tuples of a window.  It does not depend on the number
   of threads, so that the program activity graph, which is made from the same
   windows, has the same order with any number of threads. */
static inline uint64_t
es__mpi_waits_quota(uint32_t rings)
{
	uint64_t least = ES__MPI_WAITS_SHARE * rings;

	return ES__MPI_WAITS_QUOTA > least ? ES__MPI_WAITS_QUOTA : least;
}

/*
 * es__mpi_waits_compute - find all wait states of a trace
 *
 * a		analysis of the run, for the error bounds of clocks and the
 *		measured intervals; NULL: all times are exact, and all calls are
 *		measured
 * threads	number of threads to use, at least 1
 * quota	number of tuples of a window; UINT64_MAX: the whole trace
 *
 * Returns	PATHS_OK; a status of es_mpi_trace_open
 * Ownership	the caller calls es__mpi_waits_fini, also on failure
 */
paths_status es__mpi_waits_compute(const struct es_mpi_trace_input *input,
    struct es_analysis *a, unsigned threads, uint64_t quota,
    struct es__mpi_waits *waits) PATHS_CHECKED;
void es__mpi_waits_fini(struct es__mpi_waits *waits);

/*
 * Another analysis that reads the windows of the trace together with the waits.
 * If it fails, it is ended, and the waits go on.  While one thread runs it on a
 * window, other threads find the waits in the window; no thread changes the
 * trace.
 */
struct es__mpi_also {
	/* trace: begun, without a window yet */
	paths_status (*begin)(struct es__mpi_also *also,
	    const struct es_mpi_trace *trace);
	paths_status (*window)(struct es__mpi_also *also);
	/* Returns the number of the first tuple of a rank that it needs in the
	   next window, for es__mpi_trace_keep. */
	uint64_t (*kept)(const struct es__mpi_also *also, uint32_t rank);
	/* st: PATHS_OK after the last window, else the error that ends the
	   windows */
	void (*end)(struct es__mpi_also *also, paths_status st);
};

/* Parameters of the computation of waits; the first members are the arguments
   of es__mpi_waits_compute. */
struct es__mpi_waits_how {
	struct es_analysis *a;
	unsigned threads;
	uint64_t quota;
	struct es__mpi_also *also; /* NULL: no other analysis */
};

/* As es__mpi_waits_compute, with the parameters in a struct. */
paths_status es__mpi_waits_with(const struct es_mpi_trace_input *input,
    const struct es__mpi_waits_how *how, struct es__mpi_waits *waits)
    PATHS_CHECKED;

/* As es__mpi_waits_with, but the caller gives the times without a core. */
paths_status es__mpi_waits_lost(const struct es_mpi_trace_input *input,
    const struct es__mpi_lost *lost, const struct es__mpi_waits_how *how,
    struct es__mpi_waits *waits) PATHS_CHECKED;

/* Returns the waiting of a thread in each step, in ns, by bin of the phase
   whose iterations are the steps (scopes/phase/phases_private.h); NULL: not
   known. */
const int64_t *es__mpi_waits_steps(const struct es__mpi_waits *waits,
    uint32_t thread);

#endif
