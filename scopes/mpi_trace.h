/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi_trace.h - matches the messages and collectives of an MPI run
 *
 * A trace finds the send of each receive, and the calls that form one
 * collective.  Wait states, root causes, the critical path, efficiencies and
 * arrival patterns are computed from it.  The input has one ring of tuples
 * (collectors/mpi_space.h) for each thread of a rank, and the communicators of
 * the ranks.
 *
 * Ranks, also spawned ones, and communicators have numbers of the run, from 0.
 * The tables of struct es_mpi_trace_rank translate the ids and peers of a
 * process.
 *
 * Sends and receives match by communicator, source, destination and tag: the
 * k-th send with the k-th receive in the order in which they were posted.  When
 * the oldest tuples were discarded, sends and receives are counted from the
 * end, if both ranks have finalized.  Uncertain matches are not made; struct
 * es_mpi_trace_account counts them.
 *
 * Collectives match by communicator, or file, and number; each start of a
 * persistent collective matches also by the number of the start.  A collective
 * is left out when the call of a member is missing.  Calls that make or free a
 * window, and fences, match by communicator, window and number.
 *
 * Source	The MPI standard: order of point-to-point communication, and of
 *		collective calls on a communicator
 */

#ifndef SCOPES_MPI_TRACE_H
#define SCOPES_MPI_TRACE_H

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"

#include "scopes/analysis.h"

PATHS_BEGIN_DECLS

struct es_mpi_trace;

/* The retained tuples of a thread. */
struct es_mpi_trace_ring {
	uint32_t rank; /* of the run */
	uint32_t thread;
	const struct es_tuple_mpi *older, *newer; /* older come first */
	uint64_t older_count, count;		  /* count: of both */
	uint64_t lost; /* tuples discarded before the first */
};

/* A rank and the meaning of its numbers. */
struct es_mpi_trace_rank {
	struct es_timebase base;
	/* Communicator of the run for each id of the rank; PATHS_NONE:
	   unknown. */
	const uint32_t *comms;
	/* Rank of the run for each peer; PATHS_NONE: not a rank of the
	   input. */
	const uint32_t *peers;
	uint32_t comm_count, peer_count;
	const struct es_mpi_plan *plans; /* in order of requests */
	/* Sets of ranks that tuples name, each followed by its runs; in order
	   of ids. */
	const struct es_mpi_rank_set *const *sets;
	uint32_t plan_count, set_count;
	bool ended;   /* it has finalized, and all its tuples are read */
	bool sources; /* it has ES_MPI_SOURCES */
	/* It has ES_MPI_PHASES: calls between chosen phases are missing, and no
	   message crosses the end of a phase. */
	bool phases;
};

/* A communicator: the ranks of the run that are its members. */
struct es_mpi_trace_comm {
	const uint32_t *members; /* in order; in an intercommunicator the first
				    group, then the second */
	uint32_t count;		 /* of all members */
	uint32_t first;		 /* of members in the first group; count in an
				    intracommunicator */
	bool own;		 /* MPI_COMM_SELF: each rank has its own */
};

struct es_mpi_trace_input {
	const struct es_mpi_trace_rank *ranks;
	const struct es_mpi_trace_comm *comms;
	const struct es_mpi_trace_ring *rings; /* in order of ranks */
	uint32_t rank_count, comm_count, ring_count;
};

/* The place of a tuple. */
struct es_mpi_at {
	uint32_t ring; /* PATHS_NONE: not known, or there is none yet */
	uint32_t n;    /* among the tuples that the ring retains */
};

/*
 * A message and its receive.  A blocking call posts and ends a send or a
 * receive with one tuple; otherwise these are the tuples of two calls.
 */
struct es_mpi_message {
	struct es_mpi_at recv, recv_end;
	struct es_mpi_at send, send_end; /* send.ring PATHS_NONE: not matched */
	uint32_t source;		 /* rank of the run */
	uint32_t comm;			 /* of the run */
	int32_t tag;
	uint32_t order; /* number of the receive among the sends and receives
			   that the receiver posted, from 0 */
};

/* The begin and the end of a collective for a member: one tuple where the call
   blocks. */
struct es_mpi_part_taken {
	struct es_mpi_at begin, end;
};

enum es_mpi_trace_kind {
	ES_MPI_TRACE_COLLECTIVE,
	ES_MPI_TRACE_INIT,
	ES_MPI_TRACE_FINALIZE,
	ES_MPI_TRACE_FILE,
	ES_MPI_TRACE_WINDOW, /* makes or frees a window, or is a fence */
	ES_MPI_TRACE_KINDS
};

/* A collective with the calls of all members. */
struct es_mpi_trace_collective {
	uint64_t first; /* of its parts, in the order of the members */
	enum es_mpi_trace_kind kind;
	uint32_t comm;
	uint32_t plan;	 /* of a persistent collective, or number of a file or
			    window on its communicator; 0: none */
	uint32_t number; /* on its communicator, file or window; of the start,
			    if persistent; from 1 */
	uint32_t function;
};

/* The messages and the collective that end with a tuple. */
struct es_mpi_trace_link {
	/* The tuple that posted the send of a message whose receive ends, and
	   the receive of one whose send ends; the ring PATHS_NONE: none. */
	struct es_mpi_at received, sent;
	uint32_t collective; /* number of a part; PATHS_NONE: none */
	uint32_t send;	     /* function that began the send that ends */
};

/* Counts of the messages and collectives of a rank, and of those that were
   matched. */
struct es_mpi_trace_account {
	uint64_t sends;		/* begun, to ranks of the run */
	uint64_t receives;	/* posted, for messages of ranks of the run */
	uint64_t sends_matched; /* with a receive */
	uint64_t receives_matched;
	uint64_t empty;	    /* matched receives that got no bytes */
	uint64_t discarded; /* receives not matched: tuples are missing */
	uint64_t differing; /* receives not matched: the number of sends
			       differs */
	uint64_t undecided; /* receives of any source or tag that have not
			       ended, and receives posted after them */
	uint64_t unposted;  /* ends of requests whose begin is missing */
	/* Calls of collectives, Init and Finalize included, on communicators
	   other than MPI_COMM_SELF. */
	uint64_t collectives, collectives_matched;
	uint64_t mixed; /* calls of collectives not matched: the members called
			   different functions */
};

/*
 * es_mpi_trace_open - match the messages and collectives of a run
 *
 * input	its indices are checked
 * threads	number of threads to use, at least 1
 * trace	out
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	an index of the input is out of range
 *		PATHS_EFULL	over 2^32 - 2 tuples in a ring, messages in all,
 *				or parts of collectives in all
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_mpi_trace_close, and keeps all that the
 *		input points to until then
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_mpi_trace_open(const struct es_mpi_trace_input *input,
    unsigned threads, struct es_mpi_trace **trace) PATHS_CHECKED;

/*
 * es_mpi_trace_close - free a trace and all that it lent
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
 * Ranks and communicators have the numbers of scopes/mpi.h, threads those of
 * the map.  The first call computes the trace.
 *
 * trace	out
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	the run is not one of MPI processes
 *		a status of es_mpi_trace_open
 * Ownership	the analysis's
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_mpi_trace_get(struct es_analysis *analysis,
    const struct es_mpi_trace **trace) PATHS_CHECKED;

/*
 * es_mpi_trace_input - the input of a trace
 *
 * Returns	as given to es_mpi_trace_open
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_input *es_mpi_trace_input(
    const struct es_mpi_trace *trace);

/*
 * es_mpi_trace_events - the number of tuples of a rank
 * es_mpi_trace_event - the n-th tuple of a rank, in the order of their start
 *
 * Tuples that belong to a call follow it immediately.
 *
 * n	from 0, below es_mpi_trace_events
 *
 * Returns	the number; the place of the tuple
 * Threads	any
 * Since	0.1
 */
ES_API uint64_t es_mpi_trace_events(const struct es_mpi_trace *trace,
    uint32_t rank);
ES_API struct es_mpi_at es_mpi_trace_event(const struct es_mpi_trace *trace,
    uint32_t rank, uint64_t n);

/*
 * es_mpi_trace_messages - the messages for which a rank posted a receive
 *
 * Sorted by source, communicator, tag, and order of posting.
 *
 * first	out: number of the first message
 * count	out
 *
 * Returns	an array of the messages
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
 * Collectives are sorted by kind, communicator, plan and number.
 *
 * Returns	the collective; NULL past the last
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_collective *
es_mpi_trace_collective(const struct es_mpi_trace *trace, uint64_t n);

/*
 * es_mpi_trace_parts - the calls of the members of a collective
 *
 * Returns	an array with a part of each member of its communicator, in
 *		order
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
 * part		number of the part
 *
 * Returns	the collective
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_collective *
es_mpi_trace_collective_of(const struct es_mpi_trace *trace, uint32_t part);

/*
 * es_mpi_trace_link - the messages and the collective that end with a tuple
 *
 * Returns	the links of the tuple
 * Ownership	the trace's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_trace_link *
es_mpi_trace_link(const struct es_mpi_trace *trace, struct es_mpi_at at);

/*
 * es_mpi_trace_account - counts of matched messages and collectives of a rank
 *
 * Returns	the account of the rank
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
 * es_mpi_trace_set - find the set of ranks that a tuple names
 *
 * rank		of the tuple
 * peer		of the tuple
 *
 * Returns	the set, followed by its runs; NULL: the tuple names none, or it
 *		was not recorded
 * Ownership	the input's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_rank_set *
es_mpi_trace_set(const struct es_mpi_trace_rank *rank, int32_t peer);

/*
 * es_mpi_trace_is_call - find whether a tuple is a call, or belongs to one
 *
 * Returns	true: it is a call
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

PATHS_END_DECLS

#endif
