/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_work_private.h - state while the graph of an MPI trace is
 * made
 */

#ifndef SCOPES_GRAPH_MPI_WORK_PRIVATE_H
#define SCOPES_GRAPH_MPI_WORK_PRIVATE_H

#include "scopes/graph/meet_private.h"
#include "scopes/graph/mpi_private.h"
#include "scopes/graph/posted_private.h"
#include "scopes/match/rma_dependence_private.h"

/* A thread of the graph, and how far its calls have been taken. */
struct es__graph_actor {
	/* It has entered a call, which begins at tuple number left[ring]. */
	bool inside;
	bool queued;
	/* It is part of a cycle of waits, and goes on without waiting for
	   threads that wait for it. */
	bool alone;
	uint32_t site; /* site of its last call; PATHS_NONE: none yet */
	int64_t ns;    /* its current time */
	/* It waits until another thread has entered the call of this tuple, or
	   has left that call if `ends`. */
	struct es_mpi_at parked; /* ring PATHS_NONE: it is not parked */
	bool ends;
	uint32_t next;	/* next thread that is parked at the same one */
	uint32_t first; /* first thread that is parked at this one */
	/* Number of the search that visited it; see actors_cycle. */
	uint32_t way;
};

/* A slot that a call waits for. */
struct es__graph_await {
	enum es__graph_kind kind;
	uint32_t slot;
	uint64_t bytes;
	bool sure; /* it is a synchronous send */
	bool late; /* gets the flag ES__GRAPH_LATE */
};

/* The begin or end of a call that another one waits for. */
struct es__graph_awaited {
	struct es_mpi_at at; /* a tuple of the call */
	bool ends;
	bool progress; /* the wait is for the progress of a message */
	bool lock;     /* that it ends; either call could have got it first */
};

/* Calls that wait for other calls which post nothing by themselves, and the
   posts of these others; see mpi_calls_private.h. */
struct es__graph_calls {
	struct paths__hash waits, posts;
	/* Calls that the current call waits for. */
	struct es__graph_awaited *found;
	size_t found_count, found_room;
};

struct es__graph_mpi_work {
	const int64_t *initialized_ns; /* as in struct es__graph_mpi */
	const struct es_mpi_trace *trace;
	struct es__graph *graph;
	struct es__graph_posts posts;
	struct es__graph_meetings meetings;
	struct es__graph_calls calls;
	struct es__rma_dependence windows;
	struct es__graph_actor *actors; /* one for each ring */
	/* Number of tuples of the calls that each ring has entered, and
	   left. */
	uint32_t *entered, *left;
	/* Circular buffer of the rings whose threads may go on. */
	uint32_t *queue;
	uint32_t queue_first, queue_count;
	/* Slots that the current call waits for. */
	struct es__graph_await *awaits;
	size_t await_count, await_room;
};

static inline const struct es_tuple_mpi *
es__graph_work_tuple(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	return es_mpi_trace_tuple(&w->trace->input, at);
}

static inline const struct es__mpi_kind *
es__graph_work_kind(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	return es__mpi_kind(w->trace, es__graph_work_tuple(w, at)->op);
}

static inline int64_t
es__graph_work_ns(const struct es__graph_mpi_work *w, uint32_t ring,
    uint64_t ticks)
{
	const struct es_mpi_trace_input *input = &w->trace->input;

	return es_time_ns(&input->ranks[input->rings[ring].rank].base, ticks);
}

static inline int64_t
es__graph_work_start(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	return es__graph_work_ns(w, at.ring,
	    es__graph_work_tuple(w, at)->start);
}

/* Returns the number of the first tuple after those of a call. */
static inline uint32_t
es__graph_work_call_end(const struct es__graph_mpi_work *w, struct es_mpi_at at)
{
	const struct es_mpi_trace_input *input = &w->trace->input;

	do
		at.n++;
	while (at.n < input->rings[at.ring].count &&
	    !es_mpi_trace_is_call(input, at));
	return at.n;
}

/* Returns the number of the first tuple of a ring after the window. */
static inline uint32_t
es__graph_work_window(const struct es__graph_mpi_work *w, uint32_t ring)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[ring].rank];

	return scan->next[ring - scan->ring_first];
}

/* Returns whether the message that a tuple ends will only be known in a later
   window.  A receive that a later window posts begins after all calls that end
   in this window, so no send of this window waits for it. */
static inline bool
es__graph_work_message_later(const struct es__graph_mpi_work *w,
    struct es_mpi_at at)
{
	const struct es_mpi_trace_link *link = es__mpi_link(w->trace, at);

	return link->received.ring == ES__MPI_LATER ||
	    (!es__mpi_at_known(link->sent) && !es__mpi_at_none(link->sent) &&
		es__graph_work_ns(w, at.ring,
		    es__graph_work_tuple(w, at)->stop) >= w->trace->until_ns);
}

/* Returns true if a send that ends at a tuple may have waited for its
   receive. */
static inline bool
es__graph_work_send_may_wait(const struct es__graph_mpi_work *w,
    struct es_mpi_at end, struct es_mpi_at receive)
{
	return es__graph_work_start(w, receive) <=
	    es__graph_work_ns(w, end.ring, es__graph_work_tuple(w, end)->stop);
}

#endif
