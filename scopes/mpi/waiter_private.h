/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waiter_private.h - finds the wait states in the calls of a rank
 */

#ifndef SCOPES_MPI_WAITER_PRIVATE_H
#define SCOPES_MPI_WAITER_PRIVATE_H

#include "scopes/clock/interval_private.h"
#include "scopes/match/peer_progress_private.h"
#include "scopes/match/trace_private.h"
#include "scopes/mpi/lost_private.h"
#include "scopes/mpi/waits_part_private.h"
#include "scopes/mpi/waits_private.h"
#include "scopes/phase/phases_private.h"

/* A wait inside a call. */
struct es__mpi_wait {
	int64_t ns;	  /* 0: there is none */
	uint32_t culprit; /* ring; PATHS_NONE: no culprit */
	enum es__wait_pattern pattern;
};

struct es__mpi_call {
	int64_t enter_ns, exit_ns;
	struct es__mpi_wait lead;   /* begins at the enter */
	struct es__mpi_wait wait;   /* begins at the end of lead */
	struct es__mpi_wait behind; /* begins at behind_ns */
	int64_t behind_ns;
	struct es__mpi_wait completion; /* ends at the exit */
	uint32_t end; /* number of the tuple behind those of the call */
	struct es__mpi_waits_part *parts; /* memory, kept for the next call */
	size_t room;
};

/*
 * es__mpi_call_waits - find the wait states of one call
 *
 * Does not find out whether a Late Sender is of wrong order.
 *
 * at		a call that has returned
 * call		out; all 0 before the first call
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees call->parts at the end
 */
paths_status es__mpi_call_waits(const struct es_mpi_trace *trace,
    struct es_mpi_at at, struct es__mpi_call *call) PATHS_CHECKED;

/* Number of Late Senders that later receives may show to be of wrong order. */
#define ES__WAIT_LATE_KEPT 100u

/* A Late Sender. */
struct es__wait_late {
	int64_t sent_ns;
	struct es__doubted wait;
	int64_t lost_ns; /* part of it that follows from lost cores */
	uint32_t site;
	uint32_t op;		  /* MPI function */
	uint32_t waiter, culprit; /* rings */
};

/* The reason why a call waited. */
struct es__wait_reason {
	int64_t wait_ns;  /* 0: it did not */
	int64_t lost_ns;  /* part of it that follows from lost cores */
	int64_t doubt;	  /* largest error of the times that it is from */
	int64_t sent_ns;  /* of a Late Sender */
	uint32_t culprit; /* ring; PATHS_NONE: there is none */
	enum es__wait_pattern pattern;
	/* Another reason for the first part of the wait; lead.ns 0: none. */
	struct es__mpi_wait lead;
	int64_t lead_doubt;
};

struct es__waiter;

struct es__waits_work {
	const struct es_mpi_trace *trace;
	/* Parts of all collectives, or of one: its parts from `first` on. */
	struct es__mpi_waits_part *parts;
	size_t parts_room;
	uint64_t first;
	/* The collectives that changed in the window. */
	const struct es_mpi_trace_collective **changed;
	size_t changed_count, changed_room;
	/* First parts of collectives that wait until the delays at their calls
	   are known. */
	uint64_t *postponed;
	size_t postponed_count, postponed_room;
	struct es__waiter *ranks; /* NULL: only one call */
	struct es__mpi_doubts doubts;
	const struct es__mpi_intervals *intervals; /* NULL: all is measured */
	struct es__mpi_delays *delays;		   /* NULL: no time was lost */
	const struct es__phases *phases;	   /* NULL: not searched */
	struct es__mpi_also *also; /* NULL: nothing, or it was ended */
	paths_status also_st;	   /* of its window */
	struct es__mpi_waits *waits;
};

/* A rank whose waits are computed. */
struct es__waiter {
	const struct es__waits_work *waits_work;
	const struct es_mpi_trace *trace;
	uint32_t rank;
	struct es__mpi_rank_waits *waits;
	uint64_t next; /* tuple of its next call */
	/* The Late Senders that are kept, the oldest at late_first, and the
	   time of the latest send among them. */
	struct es__wait_late late[ES__WAIT_LATE_KEPT];
	uint32_t late_first, late_count;
	int64_t late_sent_ns;
	/* The current call. */
	int64_t enter_ns, exit_ns;
	int64_t remain_ns; /* its enter without lost cores */
	uint32_t ring, site, op;
	uint32_t bin;	 /* of the phase, that a call was in */
	uint32_t unsure; /* its sends that may not be matched */
	bool uncovered;	 /* a tuple of the call was not searched */
	/* Calls with such sends, of earlier windows: struct
	   es__waiter_unsure. */
	struct paths__hash unsure_calls;
	struct es__wait_reason receives, sends, collective, window, completion;
	/* The latest wait for the progress of a peer; stop_ns INT64_MIN:
	   none. */
	struct es__peer_progress progress;
	/* A wait behind that of the reason, and its begin. */
	struct es__wait_reason behind;
	int64_t behind_ns;
};

/* Returns the part of a time that is inside the measured interval. */
static inline int64_t
es__waiter_inside(const struct es__waiter *w, int64_t from_ns, int64_t ns)
{
	const struct es__mpi_intervals *all = w->waits_work->intervals;

	/* A rank has the number of its process. */
	return all == NULL ?
	    ns :
	    es__mpi_interval_part(&all->of[w->rank], from_ns, from_ns + ns);
}

/* Takes the call at n with the tuples that belong to it; end: the next call.
   PATHS_OK; PATHS_ENOMEM. */
paths_status es__waiter_call(struct es__waiter *w, uint64_t n, uint64_t end)
    PATHS_CHECKED;

/* Returns whether the waits of the call at n depend on no later window; end:
   out, the next call. */
bool es__waiter_is_decided(const struct es__waiter *w, uint64_t n,
    uint64_t *end);

/* Counts the Late Senders that are kept.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__waiter_finish(struct es__waiter *w) PATHS_CHECKED;

#endif
