/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/mpi_work_private.h - a graph of an MPI trace while it is made
 */

#ifndef SCOPES_GRAPH_MPI_WORK_PRIVATE_H
#define SCOPES_GRAPH_MPI_WORK_PRIVATE_H

#include "scopes/graph/meet_private.h"
#include "scopes/graph/mpi_private.h"
#include "scopes/graph/posted_private.h"
#include "scopes/match/rma_dependence_private.h"

/* A thread in the middle of its calls. */
struct es__graph_actor {
	bool inside; /* it is in a call, whose first tuple is the one behind
			those that it has left */
	bool queued;
	bool alone;    /* it no longer waits for threads that wait for it */
	uint32_t site; /* of its call; PATHS_NONE: none yet */
	int64_t ns;    /* its time */
	/* It waits until another thread has entered a tuple, or left its
	   call. */
	struct es_mpi_at parked; /* ring PATHS_NONE: it does not */
	bool ends;
	uint32_t next;	/* thread that is parked at the same one */
	uint32_t first; /* thread that is parked at this one */
	uint32_t way;	/* that it was visited on; see actors_cycle */
};

/* A slot that a call waits for. */
struct es__graph_await {
	enum es__graph_kind kind;
	uint32_t slot;
	uint64_t bytes;
	bool sure; /* it is a synchronous send */
	bool late; /* of flag ES__GRAPH_LATE */
};

/* The begin or end of a call that another one waits for. */
struct es__graph_awaited {
	struct es_mpi_at at; /* a tuple of the call */
	bool ends;
	bool progress; /* for the progress of a message */
};

/* Calls that wait for calls that post nothing, and posts of these; see
   mpi_calls_private.h. */
struct es__graph_calls {
	struct paths__hash waits, posts;
	/* What the current call waits for. */
	struct es__graph_awaited *found;
	size_t found_count, found_room;
};

struct es__graph_mpi_work {
	const int64_t *initialized_ns; /* of struct es__graph_mpi */
	const struct es_mpi_trace *trace;
	struct es__graph *graph;
	struct es__graph_posts posts;
	struct es__graph_meetings meetings;
	struct es__graph_calls calls;
	struct es__rma_dependence windows;
	struct es__graph_actor *actors; /* of each ring */
	/* Tuples of the calls that each ring has entered, and left. */
	uint32_t *entered, *left;
	uint32_t *queue; /* of rings that may go on: a ring buffer */
	uint32_t queue_first, queue_count;
	struct es__graph_await *awaits; /* of the current call */
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

/* Returns the number of the tuple behind those of a call. */
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

/* Returns the number of the tuple of a ring behind those of the window. */
static inline uint32_t
es__graph_work_window(const struct es__graph_mpi_work *w, uint32_t ring)
{
	const struct es__mpi_scan *scan =
	    &w->trace->scans[w->trace->input.rings[ring].rank];

	return scan->next[ring - scan->ring_first];
}

/* Returns whether a message that ends with a tuple is not known before a later
   window.  A receive that is posted there is after the exit of a call that ends
   before it. */
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
