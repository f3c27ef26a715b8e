/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi_trace.h - the calls of an MPI run, brought together
 *
 * Which receive got which send, and which calls are one collective: what wait
 * states, root causes, the critical path, efficiencies and arrival patterns
 * are computed from.  Works on rings of tuples (collectors/mpi_space.h), each
 * of a thread of a rank, and on what the ranks say of their communicators;
 * where these come from is the caller's business.
 *
 * Ranks are numbered from 0 over the whole run, spawned ones too, and so are
 * communicators: ids and peers of a process are translated by the tables of
 * struct es_mpi_trace_rank.
 *
 * Sends and receives match by communicator, source, destination and tag: the
 * k-th send with the k-th receive in the order in which they were posted.
 * Where the oldest tuples were discarded they are counted from the end, when
 * both ranks ended in good order.  A match that is not certain is not made;
 * struct es_mpi_trace_account says how many.
 *
 * Collectives match by communicator and number, those that are started also by
 * how often they were.  One of which a member's call is not there is left out.
 *
 * Source	The MPI standard: order of point-to-point communication, and of
 *		collective calls on a communicator
 */

#ifndef SCOPES_MPI_TRACE_H
#define SCOPES_MPI_TRACE_H

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"

#include "scopes/analysis.h"

struct es_mpi_trace;

/* The retained tuples of a thread. */
struct es_mpi_trace_ring {
	uint32_t rank; /* of the run */
	uint32_t thread;
	const struct es_tuple_mpi *older, *newer; /* the older come first */
	uint64_t older_count, count;		  /* count: of both */
	uint64_t lost;				  /* before the first */
};

/* What a rank says. */
struct es_mpi_trace_rank {
	struct es_timebase base;
	const uint32_t *comms; /* of each id: the communicator of the run; NONE:
				  not known */
	const uint32_t *peers; /* of each peer: the rank of the run; NONE: it
				  left nothing */
	uint32_t comm_count, peer_count;
	const struct es_mpi_plan *plans; /* in order of requests */
	uint32_t plan_count;
	bool ended; /* in good order: there will be no more */
};

/* A communicator: the ranks of the run that are its members. */
struct es_mpi_trace_comm {
	const uint32_t *members; /* in order; of an intercommunicator one group
				    and then the other */
	uint32_t count;		 /* of them all */
	uint32_t first;		 /* of them, in the first group; else count */
	bool own;		 /* each rank is alone in one of its own */
};

struct es_mpi_trace_input {
	const struct es_mpi_trace_rank *ranks;
	const struct es_mpi_trace_comm *comms;
	const struct es_mpi_trace_ring *rings; /* in order of ranks */
	uint32_t rank_count, comm_count, ring_count;
};

/* Where a tuple is. */
struct es_mpi_at {
	uint32_t ring; /* NONE: not known, or not yet */
	uint32_t n;    /* among those that its ring retains */
};

/*
 * A message, as its receiver knows it.  Posted and ended by one tuple where
 * the call blocks; else by those of two calls.
 */
struct es_mpi_message {
	struct es_mpi_at recv, recv_end;
	struct es_mpi_at send, send_end; /* send.ring NONE: not matched */
	uint32_t source;		 /* rank of the run */
	uint32_t comm;			 /* of the run */
	int32_t tag;
	uint32_t order; /* in which the receiver posted all its receives */
};

/* A member's call of a collective, or its start, and where that ended: the same
   where the call blocks. */
struct es_mpi_part_taken {
	struct es_mpi_at begin, end;
};

enum es_mpi_trace_kind {
	ES_MPI_TRACE_COLLECTIVE,
	ES_MPI_TRACE_INIT,
	ES_MPI_TRACE_FINALIZE
};

/* A collective of which all members are there. */
struct es_mpi_trace_collective {
	uint64_t first; /* of its parts, in the order of the members */
	enum es_mpi_trace_kind kind;
	uint32_t comm;
	uint32_t plan;	 /* number of what is started again; 0: it is not */
	uint32_t number; /* on its communicator, or of its start, from 1 */
	uint32_t function;
};

/* What ends with a tuple; NONE: nothing of that kind. */
struct es_mpi_trace_link {
	uint32_t received;   /* a message, from its receiver's view */
	uint32_t sent;	     /* a message, from its sender's */
	uint32_t collective; /* index of a part */
};

/* How much of what a rank did was brought together. */
struct es_mpi_trace_account {
	uint64_t sends;		/* begun, to ranks of the run */
	uint64_t receives;	/* that have a message, or wait for one */
	uint64_t sends_matched; /* with a receive */
	uint64_t receives_matched;
	uint64_t empty;	    /* messages of no bytes, received */
	uint64_t discarded; /* receives not matched: tuples are missing */
	uint64_t differing; /* receives not matched: there are not as many
			       sends */
	uint64_t undecided; /* receives not matched: one of any source or tag
			       is still open */
	uint64_t unposted;  /* ends of requests whose begin is missing */
	/* Of communicators that have other members. */
	uint64_t collectives, collectives_matched;
};

/*
 * es_mpi_trace_open - bring the calls of a run together
 *
 * input	checked: no index leads out of it
 * threads	how many to use, at least 1
 * trace	out
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	an index of the input leads nowhere
 *		PATHS_EFULL	over 2^32 - 2 tuples in a ring, messages or
 *				parts of collectives
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_mpi_trace_close; all that the input points
 *		to is kept until then
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_mpi_trace_open(const struct es_mpi_trace_input *input,
    unsigned threads, struct es_mpi_trace **trace) PATHS_CHECKED;

/*
 * es_mpi_trace_close - give a trace and all it lent back
 *
 * trace	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_mpi_trace_close(struct es_mpi_trace *trace);

/*
 * es_mpi_trace_get - the trace of the run of an analysis
 *
 * Ranks and communicators have their numbers of scopes/mpi.h, threads those of
 * the map.  Computed when it is first asked for.
 *
 * trace	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the run is not one of MPI processes
 *		what es_mpi_trace_open answers
 * Ownership	the analysis's
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_mpi_trace_get(struct es_analysis *analysis,
    const struct es_mpi_trace **trace) PATHS_CHECKED;

/*
 * es_mpi_trace_input - what a trace was made of
 *
 * Returns	as given to es_mpi_trace_open
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_input *es_mpi_trace_input(
    const struct es_mpi_trace *trace);

/*
 * es_mpi_trace_events - how many tuples a rank has
 * es_mpi_trace_event - where the n-th of them is, in the order of their start
 *
 * Tuples that belong to a call come right after it.
 *
 * n	from 0, below es_mpi_trace_events
 *
 * Returns	the number; the place
 * Threads	any
 * Since	0.1
 */
ES_API uint64_t es_mpi_trace_events(const struct es_mpi_trace *trace,
    uint32_t rank);
ES_API struct es_mpi_at es_mpi_trace_event(const struct es_mpi_trace *trace,
    uint32_t rank, uint64_t n);

/*
 * es_mpi_trace_messages - the messages that a rank received or shall receive
 *
 * In order of source, communicator, tag, and as they were posted.
 *
 * first	out: number of the first, as struct es_mpi_trace_link has it
 * count	out
 *
 * Returns	the first of them
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_message *
es_mpi_trace_messages(const struct es_mpi_trace *trace, uint32_t rank,
    uint32_t *first, uint32_t *count);

/*
 * es_mpi_trace_message - a message by its number
 *
 * Returns	the message
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_message *
es_mpi_trace_message(const struct es_mpi_trace *trace, uint32_t message);

/*
 * es_mpi_trace_collective - the n-th collective
 *
 * In order of communicators, plans and numbers.
 *
 * Returns	the collective; NULL past the last
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_collective *
es_mpi_trace_collective(const struct es_mpi_trace *trace, uint64_t n);

/*
 * es_mpi_trace_parts - what the members did in a collective
 *
 * Returns	a part of each member of its communicator, in their order
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_part_taken *
es_mpi_trace_parts(const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *collective);

/*
 * es_mpi_trace_collective_of - the collective that a part belongs to
 *
 * part		as struct es_mpi_trace_link has it
 *
 * Returns	the collective
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_collective *
es_mpi_trace_collective_of(const struct es_mpi_trace *trace, uint32_t part);

/*
 * es_mpi_trace_link - what ends with a tuple
 *
 * Returns	its links
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_link *
es_mpi_trace_link(const struct es_mpi_trace *trace, struct es_mpi_at at);

/*
 * es_mpi_trace_account - how much of what a rank did was brought together
 *
 * Returns	its account
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_account *
es_mpi_trace_account(const struct es_mpi_trace *trace, uint32_t rank);

/*
 * es_mpi_trace_tuple - the tuple at a place
 *
 * Returns	the tuple
 * Ownership	the ring's
 * Threads	any
 * Since	0.1
 */
static inline const struct es_tuple_mpi *
es_mpi_trace_tuple(const struct es_mpi_trace_input *input, struct es_mpi_at at)
{
	const struct es_mpi_trace_ring *ring = &input->rings[at.ring];

	return at.n < ring->older_count ?
	    &ring->older[at.n] :
	    &ring->newer[at.n - ring->older_count];
}

/*
 * es_mpi_trace_is_call - whether a tuple is a call, or belongs to one
 *
 * Returns	true when it is a call
 * Threads	any
 * Since	0.1
 */
static inline bool
es_mpi_trace_is_call(const struct es_mpi_trace_input *input,
    struct es_mpi_at at)
{
	struct es_mpi_at before = { at.ring, at.n - 1 };

	if (es_mpi_trace_tuple(input, at)->op == ES_MPI_COMPLETED)
		return false;
	return at.n == 0 ||
	    es_mpi_trace_tuple(input, before)->seq !=
	    es_mpi_trace_tuple(input, at)->seq;
}

#endif
