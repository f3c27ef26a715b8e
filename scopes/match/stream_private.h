/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/stream_private.h - finds the numbers of the collectives that all
 * members of a communicator call
 *
 * A stream consists of the calls on a communicator of one kind, or with one
 * plan.  Each member numbers its calls.  The first pass notes the first and
 * last number of each member, and the numbers that a member leaves out.
 */

#ifndef SCOPES_MATCH_STREAM_PRIVATE_H
#define SCOPES_MATCH_STREAM_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Numbers [first, end) that a member did not call. */
struct stream_gap {
	uint32_t first, end;
};

/* A stream. */
struct es__mpi_stream {
	uint32_t stream, plan;
	/* The number of the first and last call of each member; NULL: the
	   members are not all known. */
	uint32_t *first, *last;
	/* For each member: it has made a call; cleared between the passes. */
	bool *any;
	/* Set after the first pass: first and last number that all members
	   call; numbers outside of them are refused. */
	uint32_t from, to;
	/* After the first pass: sorted, and relative to `from`. */
	struct stream_gap *gaps;
	size_t gap_count, gap_room;
	bool none; /* no number is called by all members */
	/* The numbers of a member do not ascend, so it is not known which ones
	   all members call. */
	bool odd;
};

static inline const struct es_mpi_trace_comm *
es__mpi_stream_comm(const struct es_mpi_trace *t, uint32_t stream)
{
	return &t->input.comms[stream % t->input.comm_count];
}

/* Returns the stream of an entry, and makes it if there is none; NULL: no
   memory. */
struct es__mpi_stream *es__mpi_stream_of(struct es_mpi_trace *trace,
    const struct es__mpi_entry *entry);

/* Returns the number of the member of a communicator that is a rank of the run;
   PATHS_NONE: none. */
uint32_t es__mpi_comm_member(const struct es_mpi_trace_comm *comm,
    uint32_t rank);

/* Notes the calls of a window in the first pass.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__mpi_streams_count(struct es_mpi_trace *trace) PATHS_CHECKED;

/* Decides after the first pass which numbers all members call. */
void es__mpi_streams_decide(struct es_mpi_trace *trace);

/* Returns whether a member never calls a number. */
bool es__mpi_stream_refuses(const struct es__mpi_stream *stream,
    uint32_t number);

void es__mpi_streams_fini(struct es__mpi_gather *gather);

#endif
