/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/trace_private.h - the members of a trace
 *
 * A pass over each rank (scan.c) finds the halves of messages and the calls of
 * collectives.  Then the receives of each rank are matched with the sends to it
 * (match.c), and the calls of each communicator become collectives (gather.c).
 */

#ifndef SCOPES_MPI_TRACE_PRIVATE_H
#define SCOPES_MPI_TRACE_PRIVATE_H

#include "scopes/mpi_trace.h"

/* The properties of an MPI function. */
struct es__mpi_kind {
	uint8_t role;	     /* enum es_mpi_role */
	bool nonblocking;    /* its operation ends with a request */
	bool persistent;     /* it makes a request that is started */
	bool collective;     /* members of a communicator call it in order */
	bool some;	     /* some members may not wait for each other */
	bool partitioned;    /* matches only with partitioned ones */
	bool completes_none; /* it has role TEST, but completes no request */
};

/* A send or a receive.  Has only 32 bytes, because there are many. */
struct es__mpi_half {
	uint32_t other; /* rank of the run; PATHS_NONE: not decided */
	uint32_t comm;	/* of the run; partitioned: + ES__MPI_PARTITIONED */
	int32_t tag;	/* negative: not decided */
	uint32_t order; /* in which the rank posted it */
	struct es_mpi_at post, done;
};

#define ES__MPI_PARTITIONED 0x80000000u

struct es__mpi_halves {
	struct es__mpi_half *list;
	size_t count, room;
};

/* Returns true if a collective was called before another one on the same
   stream.  Their numbers wrap around. */
static inline bool
es__mpi_number_before(uint32_t number, uint32_t other)
{
	return number - other > UINT32_MAX / 2;
}

/* A rank's call of a collective. */
struct es__mpi_entry {
	uint32_t stream; /* comm + kind * comm_count */
	uint32_t plan;	 /* 0: not persistent */
	uint32_t number; /* counted for each stream and plan */
	uint32_t function;
	struct es_mpi_at begin, end;
};

struct es__mpi_entries {
	struct es__mpi_entry *list;
	size_t count, room;
};

/* The result of the scan of a rank. */
struct es__mpi_scan {
	struct es_mpi_at *order; /* of tuples; NULL: the rank has one ring */
	uint64_t events;
	uint32_t ring_first, ring_count;
	bool whole;	    /* no tuple is missing */
	uint32_t sure_from; /* from this order on no half is missing */
	struct es__mpi_halves sends, receives;
	struct es__mpi_halves open; /* receives of any source or tag that have
				       not ended, in order of comm and order */
	struct es__mpi_entries entries;
	struct es_mpi_at *pending; /* tuples that made or started requests that
				      have not ended, in no order */
	uint32_t pending_count;
	struct es_mpi_trace_account account;
};

struct es_mpi_trace {
	struct es_mpi_trace_input input;
	unsigned threads;
	struct es__mpi_kind *kinds; /* of each function */
	uint32_t kind_count;
	struct es__mpi_scan *scans;	  /* of each rank */
	struct es_mpi_trace_link **links; /* of each ring */
	struct es_mpi_message *messages;
	uint32_t *message_first; /* of each rank; one more at the end */
	struct es_mpi_trace_collective *collectives;
	size_t collective_count, collective_room;
	struct es_mpi_part_taken *parts;
	uint64_t part_count;
	size_t part_room;
};

static inline const struct es__mpi_kind *
es__mpi_kind(const struct es_mpi_trace *trace, uint32_t function)
{
	return &trace->kinds[function < trace->kind_count ? function : 0];
}

static inline struct es_mpi_trace_link *
es__mpi_link(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return &trace->links[at.ring][at.n];
}

static inline bool
es__mpi_at_none(struct es_mpi_at at)
{
	return at.ring == PATHS_NONE;
}

#define ES__MPI_NOWHERE ((struct es_mpi_at){ PATHS_NONE, 0 })

#endif
