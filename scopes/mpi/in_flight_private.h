/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/in_flight_private.h - finds the sends, receives and collective
 * calls that could end a wait
 *
 * The source is the calls that threads are in.  For ranks whose trace is
 * complete, all calls of the trace are used, too, including calls that have not
 * returned.
 */

#ifndef SCOPES_MPI_IN_FLIGHT_PRIVATE_H
#define SCOPES_MPI_IN_FLIGHT_PRIVATE_H

#include "scopes/match/trace_private.h"
#include "scopes/mpi/inside_private.h"
#include "scopes/run/space_private.h"

/* The answer to a question about another rank: has it posted the other half of
   a message, or has it reached a collective? */
enum es__in_flight_known {
	ES__IN_FLIGHT_NO,
	ES__IN_FLIGHT_YES,
	ES__IN_FLIGHT_UNKNOWN
};

/* The ranks of a run and their calls. */
struct es__in_flight {
	const struct es_analysis *a;
	const struct es_mpi_trace *trace;
	const struct es__inside *inside;
	/* Index of the first thread of each rank in `inside`; the last entry is
	   the end. */
	uint32_t *thread_first;
	bool certain; /* give only answers that the trace proves */
};

/* A send or a receive, one half of a message, whose end a thread waits for. */
struct es__in_flight_half {
	uint32_t rank; /* rank of the thread */
	/* Rank of the other half; PATHS_NONE: any source. */
	uint32_t other;
	uint32_t comm; /* PATHS_NONE: unknown */
	int32_t tag;   /* negative: any */
	/* Both set: not known which; none set: no message. */
	bool sends, receives;
	/* It cannot end before the other half is posted. */
	bool sure_waits;
	/* Tuple that posted it; its ring is PATHS_NONE if it is unknown.
	   Without meaning if `unposted` is true. */
	struct es_mpi_at post;
	/* It has no tuple before it ends, like the receive of a probe or a
	   Sendrecv. */
	bool unposted;
};

/* A collective that a rank is in. */
struct es__in_flight_collective {
	uint32_t rank;
	uint32_t comm;
	enum es_mpi_trace_kind kind;
	uint32_t plan, number; /* as in struct es_mpi_trace_collective */
	uint32_t function;
	int32_t root; /* rank of the run; negative: none */
};

static inline const struct es__mpi_kind *
es__in_flight_kind(const struct es__in_flight *f,
    const struct es__inside_thread *t)
{
	return es__mpi_kind(f->trace, t->function);
}

/* Returns whether the trace has all calls of a rank, including those that it is
   in. */
bool es__in_flight_is_traced(const struct es__in_flight *f, uint32_t rank);

/* Returns how the event space of a rank was found. */
enum es__space_state es__in_flight_state(const struct es__in_flight *f,
    uint32_t rank);

/* Return the send and the receive of the call that a thread is in; `sends` and
   `receives` are both false if there is none. */
struct es__in_flight_half es__in_flight_send(const struct es__in_flight *f,
    const struct es__inside_thread *t);
struct es__in_flight_half es__in_flight_receive(const struct es__in_flight *f,
    const struct es__inside_thread *t);

/* Returns the half that a tuple has posted with a request; `sends` and
   `receives` are both false if there is none. */
struct es__in_flight_half es__in_flight_request(const struct es__in_flight *f,
    uint32_t rank, struct es_mpi_at at);

/* Returns whether a wait for the request that a tuple has made or started can
   block.  The request of a matched probe cannot, because its message has
   arrived. */
bool es__in_flight_can_wait(const struct es__in_flight *f, struct es_mpi_at at);

/* Returns the number of open requests of a rank that can block. */
uint32_t es__in_flight_open(const struct es__in_flight *f, uint32_t rank);

/* Returns whether a thread waits for all open requests of its rank. */
bool es__in_flight_waits_all(const struct es__in_flight *f,
    const struct es__inside_thread *t);

/*
 * es__in_flight_answer - find whether the other half of a message is in flight
 *
 * half		its `other` is a rank
 *
 * Returns	YES	it was posted, or received
 *		NO	it was not.  A live process that is not traced has no
 *			call and no request that could be it
 *		UNKNOWN	a call or a request of such a process could be it, or an
 *			open receive of any source or tag may have matched it
 */
enum es__in_flight_known es__in_flight_answer(const struct es__in_flight *f,
    const struct es__in_flight_half *half);

/* Returns the number, on its communicator, of the collective that a thread is
   in; 0: it is in none. */
uint32_t es__in_flight_number(const struct es_mpi_trace *trace,
    const struct es__inside_thread *t);

/* Finds whether a rank has reached a collective.  A rank that is in another
   function under its number, or has another root, has not. */
enum es__in_flight_known es__in_flight_has_come(const struct es__in_flight *f,
    const struct es__in_flight_collective *c, uint32_t rank);

/* Messages with one tag on one communicator that were sent to a rank, and the
   communicator and tag of the receive that waits for others. */
struct es__in_flight_sent {
	uint32_t source, comm, wanted_comm; /* of the run */
	int32_t tag, wanted_tag;
	uint32_t messages;
};

typedef paths_status es__in_flight_take(void *to,
    const struct es__in_flight_sent *messages);

/*
 * es__in_flight_unreceived - find the messages that the peer of a receive has
 * begun to send to its rank, and that no receive has matched
 *
 * thread	in any call; messages are found for receives and probes from a
 *		known rank with a known tag, and for calls that wait for such
 *		receives
 *
 * They are known when the trace has all calls of both ranks, and the receiving
 * rank has no open receive from any source or with any tag.
 *
 * Returns	PATHS_OK
 *		the status of `take`, which ends the search
 */
paths_status es__in_flight_unreceived(const struct es__in_flight *f,
    const struct es__inside_thread *thread, es__in_flight_take *take, void *to)
    PATHS_CHECKED;

#endif
