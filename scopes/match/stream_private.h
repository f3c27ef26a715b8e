/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/stream_private.h - the numbers of collectives that all members
 * of a communicator call
 *
 * A stream has the calls on a communicator of one kind, or with one plan.  Its
 * members number them.  The first pass notes their first and last numbers, and
 * those that they leave out.
 */

#ifndef SCOPES_MATCH_STREAM_PRIVATE_H
#define SCOPES_MATCH_STREAM_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Numbers [first, end) that a member did not call. */
struct stream_gap {
	uint32_t first, end;
};

/* Calls on a communicator with one plan. */
struct es__mpi_stream {
	uint32_t stream, plan;
	/* The number of the first and last call of each member; NULL: the
	   members are not all known. */
	uint32_t *first, *last;
	bool *any; /* of each member: it has made a call; in the second pass
		      again from the begin */
	/* After the first pass: the first and last number that all members
	   call; before the first one, all are refused. */
	uint32_t from, to;
	struct stream_gap *gaps; /* then relative to `from`, in order */
	size_t gap_count, gap_room;
	bool none; /* no number is called by all members */
	bool odd;  /* a member's numbers do not ascend: it is not known which
		      ones all members call */
};

static inline const struct es_mpi_trace_comm *
es__mpi_stream_comm(const struct es_mpi_trace *t, uint32_t stream)
{
	return &t->input.comms[stream % t->input.comm_count];
}

/* Returns the stream of an entry, which is made when it is new; NULL: no
   memory. */
struct es__mpi_stream *es__mpi_stream_of(struct es_mpi_trace *trace,
    const struct es__mpi_entry *entry);

/* Returns the member of a communicator that is a rank; PATHS_NONE: none. */
uint32_t es__mpi_comm_member(const struct es_mpi_trace_comm *comm,
    uint32_t rank);

/* Takes the calls of a window in the first pass.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__mpi_streams_count(struct es_mpi_trace *trace) PATHS_CHECKED;

/* Decides after the first pass which numbers all members call. */
void es__mpi_streams_decide(struct es_mpi_trace *trace);

/* Returns whether a member never calls a number. */
bool es__mpi_stream_refuses(const struct es__mpi_stream *stream,
    uint32_t number);

void es__mpi_streams_fini(struct es__mpi_gather *gather);

#endif
