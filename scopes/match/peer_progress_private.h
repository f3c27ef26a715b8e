/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/peer_progress_private.h - finds waits of a call for a peer that
 * is outside of MPI
 *
 * An MPI library without threads of its own moves messages only during MPI
 * calls of the program.  So a send, a receive, or a call that completes one may
 * have to wait until the peer makes its next MPI call, even if the peer has
 * posted its half long before.
 *
 *	Wait for Peer Progress	E of the peer's call - max(end of the Late
 *				Sender or Late Receiver, E), if the peer's call
 *				begins before X, the peer was outside of MPI for
 *				10 us or more before it, and the rest of the
 *				caller's call, X - E of the peer's call, is at
 *				most a quarter of that.  The peer must have
 *				posted its half before X; for a persistent send
 *				it need not
 *
 * Times in which the peer was in MPI count as waiting, because the peer may
 * have had no core there.  Waits for a rank that calls MPI in several threads
 * are left out, because any of its threads could move the messages.
 */

#ifndef SCOPES_MATCH_PEER_PROGRESS_PRIVATE_H
#define SCOPES_MATCH_PEER_PROGRESS_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Shortest wait that is found.  Shorter ones are usual between processes that
   share memory. */
#define ES__PEER_PROGRESS_LEAST_NS 10000

/* The rest of the call is at most the wait divided by this. */
#define ES__PEER_PROGRESS_REST 4

/* Returns whether a call is long enough to contain such a wait. */
static inline bool
es__peer_progress_may_be(int64_t enter_ns, int64_t exit_ns)
{
	return exit_ns - enter_ns >= ES__PEER_PROGRESS_LEAST_NS;
}

/* Returns whether a call that ended at exit_ns waited from from_ns until
   until_ns.  This is assumed if the call ended soon after until_ns, compared to
   the length of the wait. */
static inline bool
es__peer_progress_ends(int64_t from_ns, int64_t until_ns, int64_t exit_ns)
{
	return es__peer_progress_may_be(from_ns, until_ns) &&
	    until_ns <= exit_ns &&
	    exit_ns - until_ns <= (until_ns - from_ns) / ES__PEER_PROGRESS_REST;
}

/* A wait for the peer's next call, which is the tuple `comes`. */
struct es__peer_progress {
	int64_t start_ns, stop_ns;
	struct es_mpi_at comes;
};

/*
 * es__peer_progress_find - find the wait of a call for the progress of a rank
 *
 * half		the tuple with which the peer posted its half
 * from_ns	end of the other waits of the call, or its enter
 * exit_ns	exit of the call
 * found	out, if the result is true
 *
 * Returns	whether there is such a wait
 */
bool es__peer_progress_find(const struct es_mpi_trace *trace,
    struct es_mpi_at half, int64_t from_ns, int64_t exit_ns,
    struct es__peer_progress *found);

/*
 * es__peer_progress_persistent - find the rank that must receive the data of a
 * persistent send
 *
 * An MPI library may hold the data until the receiving rank makes any MPI call,
 * even one before it posts its receive.
 *
 * at		tuple that ends the send
 *
 * Returns	the first tuple of the rank, for es__peer_progress_find; its
 *		ring is PATHS_NONE if the tuple ends no such send, or the rank
 *		has no tuples
 */
struct es_mpi_at es__peer_progress_persistent(const struct es_mpi_trace *trace,
    struct es_mpi_at at);

/* Cuts off the part of a wait before a time.  Returns whether the remainder is
   still long enough to be a wait; exit_ns: exit of the call. */
bool es__peer_progress_cut(struct es__peer_progress *p, int64_t from_ns,
    int64_t exit_ns);

#endif
