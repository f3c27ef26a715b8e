/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/trace_private.h - the members of a trace
 *
 * A trace is made window by window.  In a window, a pass over each rank
 * (scan.c) finds the halves of messages and the calls of collectives.  Then
 * receives are matched with sends (match.c), and the calls of each communicator
 * become collectives (gather.c).  What is still open is kept for the next
 * window.
 *
 * All tuples are read twice.  The first time, halves are only counted, so that
 * the matches of a window do not depend on what comes after it.  If the whole
 * trace is one window, it is read once.
 */

#ifndef SCOPES_MPI_TRACE_PRIVATE_H
#define SCOPES_MPI_TRACE_PRIVATE_H

#include "libpaths/base/hash.h"

#include "scopes/match/probe_private.h"
#include "scopes/match/rma_scan_private.h"

/* The properties of an MPI function. */
struct es__mpi_kind {
	uint8_t role;	     /* enum es_mpi_role */
	bool nonblocking;    /* its operation ends with a request */
	bool persistent;     /* it makes a request that is started */
	bool collective;     /* members of a communicator call it in order */
	bool file;	     /* those that opened a file call it in order */
	bool some;	     /* a member waits only for those that send to it */
	bool partitioned;    /* matches only with partitioned ones */
	bool completes_none; /* it has role TEST, but completes no request */
	bool buffered;	     /* a send that never waits for its receive */
	bool synchronous;    /* a send that always waits for its receive */
	bool first;	     /* what it completes depends on what comes first */
	uint8_t rma;	     /* enum es__mpi_rma_action */
};

/* Values of `other` of a half.  UNDECIDED: a receive of any source that has not
   ended.  UNKNOWN: the other rank or the communicator is unknown, or the
   request was cancelled. */
#define ES__MPI_UNDECIDED PATHS_NONE
#define ES__MPI_UNKNOWN (PATHS_NONE - 1)

/* A send or a receive. */
struct es__mpi_half {
	uint32_t other; /* rank of the run, or a value above */
	uint32_t comm;	/* of the run; partitioned: + ES__MPI_PARTITIONED */
	int32_t tag;	/* negative: any */
	uint32_t order; /* in which the rank posted it */
	struct es_mpi_at post, done;
	uint32_t request; /* that is open and ends it; 0: none */
	uint32_t slot;	  /* of match.c; PATHS_NONE: none */
	bool empty;	  /* it is a receive that has ended without bytes */
};

#define ES__MPI_PARTITIONED 0x80000000u

/* Halves of a rank: first those of earlier windows that had not ended, then
   those that were posted in the window, in order. */
struct es__mpi_halves {
	struct es__mpi_half *list;
	size_t count, room;
	size_t old; /* of earlier windows */
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
	uint32_t plan;	 /* or number of a file; 0: neither */
	uint32_t number; /* counted for each stream and plan */
	uint32_t function;
	struct es_mpi_at begin, end;
	uint32_t request; /* that is open and ends it; 0: none */
	uint32_t part;	  /* of the trace; PATHS_NONE: none */
};

/* As struct es__mpi_halves. */
struct es__mpi_entries {
	struct es__mpi_entry *list;
	size_t count, room;
	size_t old;
};

/* The source and tag of a receive that ended in a later window than the one it
   was posted in, or UNKNOWN for a half that was cancelled there. */
struct es__mpi_fate {
	uint32_t order; /* of the half */
	uint32_t other;
	int32_t tag;
};

struct es__mpi_fates {
	struct es__mpi_fate
	    *list; /* in order of halves, after the first pass */
	size_t count, room;
	size_t at; /* the next one, in the second pass */
};

/* An UNSURE send that is decided after its end was dropped. */
struct es__mpi_late {
	struct es_mpi_at done;
	bool matched;
};

struct es__mpi_lates {
	struct es__mpi_late *list; /* of the window */
	size_t count, room;
	bool failed; /* there was no memory for one */
};

/* The scan of a rank. */
struct es__mpi_scan {
	/* Tuples of the window in order, and room; NULL: the rank has one
	   ring. */
	struct es_mpi_at *order;
	size_t order_room;
	uint64_t event_first, event_end; /* tuples of the window */
	uint64_t kept;			 /* tuples before it are done with */
	uint64_t events;		 /* tuples in all */
	uint32_t ring_first, ring_count;
	uint32_t *next;	   /* of each ring: tuple after those read */
	int64_t *ahead_ns; /* of each ring: until it has its share of the next
			      window */
	uint32_t *seq;	   /* of the last call of each ring */
	uint32_t posted;   /* order of the next half */
	struct paths__hash requests; /* of struct es__mpi_request */
	bool whole;		     /* no tuple is missing */
	uint32_t sure_from;	     /* from this order on no half is missing */
	struct es__mpi_halves sends, receives;
	struct es__mpi_fates send_fates, receive_fates;
	struct es__mpi_lates lates;
	struct es__mpi_halves open; /* receives of any source or tag that never
				       end, in order of posting */
	struct es__mpi_entries entries;
	struct es_mpi_at *pending; /* at the end: tuples that made or started
				      requests that have not ended, in no
				      order */
	uint32_t pending_count;
	/* From the first pass. */
	struct es__mpi_probes probes;
	struct es__mpi_rma rma;
	struct es__mpi_rma_scan rma_scan; /* while it lasts */
	struct es_mpi_trace_account account;
};

/* Halves of one communicator, source, destination and tag (match.c). */
struct es__mpi_group;
/* A half that is not matched or has not ended (match.c). */
struct es__mpi_slot;
/* The calls of the members of a communicator (gather.c). */
struct es__mpi_stream;
struct es__mpi_gathering;

struct es__mpi_match {
	struct paths__hash names; /* of groups */
	struct es__mpi_group *groups;
	uint32_t group_count;
	size_t group_room;
	struct es__mpi_slot *slots;
	uint32_t slot_count, slot_free; /* PATHS_NONE: none */
	size_t slot_room;
};

struct es__mpi_gather {
	struct paths__hash names; /* of streams */
	struct es__mpi_stream *streams;
	uint32_t stream_count;
	size_t stream_room;
	struct paths__hash numbers; /* of meetings */
	struct es__mpi_gathering *meetings;
	uint32_t meeting_count, meeting_free; /* PATHS_NONE: none */
	size_t meeting_room;
	uint32_t *meeting_of; /* of each part */
	size_t meeting_of_room;
	uint32_t *part_free; /* of each communicator: first part that was
				freed */
	uint32_t *changed;   /* meetings that changed in the window */
	size_t changed_count, changed_room;
	bool odd; /* there is a stream whose refused numbers are not known */
};

struct es_mpi_trace {
	struct es_mpi_trace_input input;
	unsigned threads;
	struct es__mpi_kind *kinds; /* of each function */
	uint32_t kind_count;
	struct es__mpi_scan *scans;	  /* of each rank */
	struct es_mpi_trace_link **links; /* of each ring */
	uint32_t *link_first; /* of each ring: tuple of its first link */
	size_t *link_count, *link_room;
	/* Window. */
	uint64_t quota;	  /* tuples of all ranks; UINT64_MAX: the whole trace */
	int64_t until_ns; /* calls that start before are in the window */
	bool counting;	  /* in the first pass */
	bool last;	  /* there is no further window */
	bool lists;	  /* messages are listed */
	struct es__mpi_match match;
	struct es__mpi_gather gather;
	/* Messages that ended in the window, if they are listed. */
	struct es_mpi_message *messages;
	size_t message_count, message_room;
	uint32_t *message_first; /* of each rank; one more at the end */
	/* Collectives that all members have begun. */
	struct es_mpi_trace_collective *collectives;
	size_t collective_count, collective_room;
	struct es_mpi_part_taken *parts;
	uint64_t part_count;
	size_t part_room;
	struct es__mpi_locks locks; /* of all ranks */
};

static inline const struct es__mpi_kind *
es__mpi_kind(const struct es_mpi_trace *trace, uint32_t function)
{
	return &trace->kinds[function < trace->kind_count ? function : 0];
}

/* As es_mpi_trace_event, inline. */
static inline struct es_mpi_at
es__mpi_trace_event(const struct es_mpi_trace *trace, uint32_t rank, uint64_t n)
{
	const struct es__mpi_scan *s = &trace->scans[rank];

	if (s->order != NULL)
		return s->order[n - s->event_first];
	return (struct es_mpi_at){ s->ring_first, (uint32_t)n };
}

static inline struct es_mpi_trace_link *
es__mpi_link(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return &trace->links[at.ring][at.n - trace->link_first[at.ring]];
}

/* Returns the link of a tuple; NULL: the tuple was not kept. */
static inline struct es_mpi_trace_link *
es__mpi_link_kept(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return at.n < trace->link_first[at.ring] ? NULL :
						   es__mpi_link(trace, at);
}

static inline bool
es__mpi_at_none(struct es_mpi_at at)
{
	return at.ring == PATHS_NONE;
}

#define ES__MPI_NOWHERE ((struct es_mpi_at){ PATHS_NONE, 0 })

/* In a link: the other half is in a later window; UNSURE: if there is one.
   Only a send can be UNSURE.  The scan of its rank lists it when it is decided
   after its end was dropped (struct es__mpi_lates). */
#define ES__MPI_LATER (PATHS_NONE - 1)
#define ES__MPI_UNSURE (PATHS_NONE - 2)

/* Returns true for the place of a tuple, not one of the values above. */
static inline bool
es__mpi_at_known(struct es_mpi_at at)
{
	return at.ring < ES__MPI_UNSURE;
}

/*
 * es__mpi_trace_begin - begin to match the messages and collectives of a run
 *
 * es__mpi_trace_next makes the first window.
 *
 * quota	tuples of a window; UINT64_MAX: all
 * lists	list the messages of each window
 *
 * Returns	as es_mpi_trace_open
 */
paths_status es__mpi_trace_begin(const struct es_mpi_trace_input *input,
    unsigned threads, uint64_t quota, bool lists, struct es_mpi_trace **trace)
    PATHS_CHECKED;

/*
 * es__mpi_trace_next - make the next window
 *
 * The window has the tuples that es__mpi_trace_keep kept, and new ones.
 * trace->last tells whether it is the last.
 *
 * Returns	as es_mpi_trace_open
 */
paths_status es__mpi_trace_next(struct es_mpi_trace *trace) PATHS_CHECKED;

/* Drops the tuples of a rank before the n-th from the next window. */
static inline void
es__mpi_trace_keep(struct es_mpi_trace *trace, uint32_t rank, uint64_t n)
{
	trace->scans[rank].kept = n;
}

#endif
