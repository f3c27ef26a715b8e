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

/* A wait inside of a call. */
struct es__mpi_wait {
	int64_t ns;	  /* 0: no wait */
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
	uint32_t end; /* number of the first tuple after those of the call */
	/* Work space, kept for the next call. */
	struct es__mpi_waits_part *parts;
	size_t room;
};

/*
 * es__mpi_call_waits - find the wait states of one call
 *
 * Does not tell whether a Late Sender is of wrong order, which depends on later
 * calls.
 *
 * at		a call that has returned
 * call		out; all 0 before the first call
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller frees call->parts at the end
 */
paths_status es__mpi_call_waits(const struct es_mpi_trace *trace,
    struct es_mpi_at at, struct es__mpi_call *call) PATHS_CHECKED;

/* Number of the latest Late Senders of a rank that are kept, because later
   receives may show that they are of wrong order. */
#define ES__WAIT_LATE_KEPT 100u

/* A Late Sender. */
struct es__wait_late {
	int64_t sent_ns;
	struct es__doubted wait;
	int64_t lost_ns; /* part of the wait that follows from lost cores */
	uint32_t site;
	uint32_t op;		  /* MPI function */
	uint32_t waiter, culprit; /* rings */
};

/* The reason why a call waited. */
struct es__wait_reason {
	int64_t wait_ns;  /* 0: it did not wait */
	int64_t lost_ns;  /* part of wait_ns that follows from lost cores */
	int64_t doubt;	  /* error bound of wait_ns */
	int64_t sent_ns;  /* begin of the send of a Late Sender */
	uint32_t culprit; /* ring; PATHS_NONE: there is none */
	enum es__wait_pattern pattern;
	/* Another reason for the first part of the wait; lead.ns is 0: none. */
	struct es__mpi_wait lead;
	int64_t lead_doubt;
};

struct es__waiter;

struct es__waits_work {
	const struct es_mpi_trace *trace;
	/* Results of the parts of collectives: all, or only those of one
	   collective, which begin at part `first`. */
	struct es__mpi_waits_part *parts;
	size_t parts_room;
	uint64_t first;
	/* The collectives that changed in the window. */
	const struct es_mpi_trace_collective **changed;
	size_t changed_count, changed_room;
	/* First parts of the collectives that are postponed until the delays at
	   their calls are known. */
	uint64_t *postponed;
	size_t postponed_count, postponed_room;
	struct es__waiter *ranks; /* NULL: only a single call is searched */
	struct es__mpi_doubts doubts;
	/* NULL: all times are in the measured interval. */
	const struct es__mpi_intervals *intervals;
	struct es__mpi_delays *delays; /* NULL: no time was lost */
	/* NULL: waits are not added by step. */
	const struct es__phases *phases;
	struct es__mpi_also *also; /* NULL: there is none, or it was ended */
	paths_status also_st;	   /* its status in the current window */
	struct es__mpi_waits *waits;
};

/* A rank whose waits are computed. */
struct es__waiter {
	const struct es__waits_work *waits_work;
	const struct es_mpi_trace *trace;
	uint32_t rank;
	struct es__mpi_rank_waits *waits;
	uint64_t next; /* number of the first tuple of its next call */
	/* Ring buffer of the latest Late Senders, the oldest at late_first, and
	   the begin of the latest send among them. */
	struct es__wait_late late[ES__WAIT_LATE_KEPT];
	uint32_t late_first, late_count;
	int64_t late_sent_ns;
	/* The current call. */
	int64_t enter_ns, exit_ns;
	int64_t remain_ns; /* enter of the call without lost cores */
	uint32_t ring, site, op;
	uint32_t bin; /* bin of the phase in which the last call was */
	/* Number of its sends for which it is not known whether they are
	   matched. */
	uint32_t unsure;
	bool uncovered; /* a tuple of the call was not searched for waiting */
	/* Calls of earlier windows with such sends; see waiter_unsure.c. */
	struct paths__hash unsure_calls;
	struct es__wait_reason receives, sends, collective, window, completion;
	/* The latest wait for the progress of a peer; stop_ns INT64_MIN:
	   none. */
	struct es__peer_progress progress;
	/* A second wait of the call, after that of its reason, and the begin of
	   the second wait. */
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

/* Finds the waits of the call whose tuples are n to end - 1, and adds them to
   the sums.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__waiter_call(struct es__waiter *w, uint64_t n, uint64_t end)
    PATHS_CHECKED;

/* Returns whether the waits of the call at n do not depend on a later window;
   end: out, number of the first tuple of the next call. */
bool es__waiter_is_decided(const struct es__waiter *w, uint64_t n,
    uint64_t *end);

/* Adds the Late Senders that are still kept to the sums.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__waiter_finish(struct es__waiter *w) PATHS_CHECKED;

#endif
