/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/trace_private.h - the state of a trace while messages and
 * collectives are matched
 *
 * A trace is processed in windows of time.  In a window, each rank is scanned
 * (scan.c) for the halves of messages, which are sends and receives, and for
 * calls of collectives.  Then receives are matched with sends (match.c), and
 * the calls on each communicator are joined to collectives (gather.c).  Halves
 * and collectives that have not ended are kept for the next window.
 *
 * All tuples are read twice.  The first pass only counts halves.  So the second
 * pass can match the halves of a window without knowing the later windows.  If
 * the whole trace is one window, it is read once.
 */

#ifndef SCOPES_MPI_TRACE_PRIVATE_H
#define SCOPES_MPI_TRACE_PRIVATE_H

#include "libpaths/base/hash.h"

#include "scopes/match/probe_private.h"
#include "scopes/match/rma_scan_private.h"

/* The properties of an MPI function. */
struct es__mpi_kind {
	uint8_t role;	  /* enum es_mpi_role */
	bool nonblocking; /* its operation ends when a request completes */
	bool persistent;  /* it makes a persistent request */
	/* All members of a communicator call it, in the same order. */
	bool collective;
	/* All ranks that opened a file call it, in the same order. */
	bool file;
	/* A member waits only for the members that send to it. */
	bool some;
	bool partitioned;    /* matches only with partitioned ones */
	bool completes_none; /* it has role TEST, but completes no request */
	bool buffered;	     /* a send that never waits for its receive */
	bool synchronous;    /* a send that always waits for its receive */
	/* Its result depends on which message or request ends first. */
	bool first;
	uint8_t rma; /* enum es__mpi_rma_action */
};

/* Values of `other` in struct es__mpi_half.  UNDECIDED: a receive of
   MPI_ANY_SOURCE that has not ended.  UNKNOWN: the other rank or the
   communicator is unknown, or the request was cancelled. */
#define ES__MPI_UNDECIDED PATHS_NONE
#define ES__MPI_UNKNOWN (PATHS_NONE - 1)

/* Half of a message: a send or a receive. */
struct es__mpi_half {
	uint32_t other; /* rank of the run, or a value above */
	/* Communicator of the run; partitioned: with the bit
	   ES__MPI_PARTITIONED. */
	uint32_t comm;
	int32_t tag;	/* negative: MPI_ANY_TAG */
	uint32_t order; /* number among the halves that the rank posted */
	struct es_mpi_at post, done;
	uint32_t request; /* open request that ends it; 0: none */
	uint32_t slot;	  /* its slot in match.c; PATHS_NONE: none */
	bool empty;	  /* it is a receive that has ended without bytes */
};

#define ES__MPI_PARTITIONED 0x80000000u

/* Halves of a rank: first those of earlier windows that had not ended, then
   those that were posted in the window, in order. */
struct es__mpi_halves {
	struct es__mpi_half *list;
	size_t count, room;
	size_t old; /* number of those of earlier windows */
};

/* Returns true if the collective `number` was called before `other` on the same
   stream.  Numbers wrap around. */
static inline bool
es__mpi_number_before(uint32_t number, uint32_t other)
{
	return number - other > UINT32_MAX / 2;
}

/* A rank's call of a collective. */
struct es__mpi_entry {
	uint32_t stream; /* communicator + kind * comm_count */
	/* Plan of a persistent collective, or number of a file or window; 0:
	   neither. */
	uint32_t plan;
	uint32_t number; /* number of the call on its stream and plan */
	uint32_t function;
	struct es_mpi_at begin, end;
	uint32_t request; /* that is open and ends it; 0: none */
	uint32_t part;	  /* its part in the trace; PATHS_NONE: none */
};

/* As struct es__mpi_halves. */
struct es__mpi_entries {
	struct es__mpi_entry *list;
	size_t count, room;
	size_t old;
};

/* Result of a half that ended in a later window than the one in which it was
   posted: source and tag of a receive, or UNKNOWN for a half that was
   cancelled. */
struct es__mpi_fate {
	uint32_t order; /* of the half */
	uint32_t other;
	int32_t tag;
};

struct es__mpi_fates {
	struct es__mpi_fate *list; /* sorted by `order` after the first pass */
	size_t count, room;
	size_t at; /* index of the next one in the second pass */
};

/* A send with the link UNSURE for which it is decided, after its end was
   dropped, whether it is matched. */
struct es__mpi_late {
	struct es_mpi_at done;
	bool matched;
};

struct es__mpi_lates {
	struct es__mpi_late *list; /* those of the current window */
	size_t count, room;
	bool failed; /* an entry is missing, for lack of memory */
};

/* The scan of a rank. */
struct es__mpi_scan {
	/* Tuples of the window in the order of their start; NULL: not needed,
	   because the rank has one ring. */
	struct es_mpi_at *order;
	size_t order_room;
	/* Numbers of the tuples of the window. */
	uint64_t event_first, event_end;
	/* Tuples before this number are no longer needed. */
	uint64_t kept;
	uint64_t events; /* number of all tuples of the rank */
	uint32_t ring_first, ring_count;
	/* For each ring: first tuple that has not been read. */
	uint32_t *next;
	/* For each ring: time at which it has its share of the next window. */
	int64_t *ahead_ns;
	uint32_t *seq;	 /* call number (seq) of the last call of each ring */
	uint32_t posted; /* `order` of the next half */
	struct paths__hash requests; /* of struct es__mpi_request */
	bool whole;		     /* no tuple is missing */
	/* No half with this `order` or a later one is missing. */
	uint32_t sure_from;
	struct es__mpi_halves sends, receives;
	struct es__mpi_fates send_fates, receive_fates;
	struct es__mpi_lates lates;
	/* Receives of any source or any tag that never end, by `order`. */
	struct es__mpi_halves open;
	struct es__mpi_entries entries;
	/* Set at the end of the trace: tuples that made or started the requests
	   that have not ended, in no order. */
	struct es_mpi_at *pending;
	uint32_t pending_count;
	/* Results of the first pass. */
	struct es__mpi_probes probes;
	struct es__mpi_rma rma;
	struct es__mpi_rma_scan rma_scan; /* used during the scan */
	struct es_mpi_trace_account account;
};

/* Halves with the same communicator, source, destination and tag
   (group_private.h). */
struct es__mpi_group;
/* A half that is not matched or has not ended (match.c). */
struct es__mpi_slot;
/* Collective calls on a communicator (stream_private.h), and a collective of
   them (gather.c). */
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
	/* For each communicator: first of its freed parts. */
	uint32_t *part_free;
	uint32_t *changed; /* meetings that changed in the window */
	size_t changed_count, changed_room;
	/* There is a stream for which it is not known which numbers all members
	   call. */
	bool odd;
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
	/* The current window. */
	/* Number of tuples of a window, of all ranks; UINT64_MAX: the whole
	   trace. */
	uint64_t quota;
	/* Calls that start before this time are in the window. */
	int64_t until_ns;
	bool counting; /* the first pass is running */
	bool last;     /* there is no further window */
	bool lists;    /* messages of the window are listed in `messages` */
	struct es__mpi_match match;
	struct es__mpi_gather gather;
	/* Messages that ended in the window, if they are listed. */
	struct es_mpi_message *messages;
	size_t message_count, message_room;
	uint32_t *message_first; /* of each rank; with an end marker */
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

/* Values in a link.  LATER: the other half is in a later window.  UNSURE: a
   send may have no other half; if there is one, it is in a later window.  If
   this is decided after the end of the send was dropped, the scan of its rank
   lists the send in `lates`. */
#define ES__MPI_LATER (PATHS_NONE - 1)
#define ES__MPI_UNSURE (PATHS_NONE - 2)

/* Returns true for the place of a tuple, false for one of the values above. */
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
 * quota	number of tuples of a window; UINT64_MAX: all
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

/* Tells that the next window needs no tuples of a rank before the n-th. */
static inline void
es__mpi_trace_keep(struct es_mpi_trace *trace, uint32_t rank, uint64_t n)
{
	trace->scans[rank].kept = n;
}

#endif
