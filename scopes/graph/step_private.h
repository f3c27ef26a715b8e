/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/step_private.h - a step of a program activity graph
 *
 * While a pass follows the steps, each thread and each slot has a current time.
 * The time of a slot is that of an event that threads wait for, such as the
 * begin of a send.  The steps of an operation are, in order:
 *
 *	ENTER	the thread computes for ns, then enters the operation
 *	POST	a slot gets the time of the thread
 *	JOIN	a slot gets the later one of its time and that of another slot
 *	AWAIT	the operation waits for the time of a slot
 *	WAITED	the operation waited for ns; left out if it did not wait
 *	LEAVE	the operation ends, ns after all that it waits for
 *
 * An operation that enters at time t leaves at max(t, times of its slots) + ns.
 * With the measured times, this is exactly the measured end.  A slot that is
 * posted again stands for another event.
 */

#ifndef SCOPES_GRAPH_STEP_PRIVATE_H
#define SCOPES_GRAPH_STEP_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

enum es__graph_kind {
	ES__GRAPH_ENTER, /* at: activity, a computation */
	ES__GRAPH_POST,	 /* at: slot */
	/* at: slot; ns: number of the other slot; thread: number of the group
	   of threads that is joined. */
	ES__GRAPH_JOIN,
	/* An operation waits; at: slot; ns: bytes of the message. */
	ES__GRAPH_AWAIT_SEND,	 /* the begin of the send that it receives */
	ES__GRAPH_AWAIT_RECEIVE, /* the begin of the receive of what it sends */
	ES__GRAPH_AWAIT_MEMBER,	 /* a member of a collective */
	ES__GRAPH_AWAIT_CALL,	 /* the begin or end of a call, with no bytes */
	/* ns: length of the wait, may be 0; at: not used. */
	ES__GRAPH_WAITED,
	ES__GRAPH_LEAVE, /* at: activity, an operation */
};

/* Flag of a step JOIN: the slot has only the time of the other slot. */
#define ES__GRAPH_NEW 1u

/* Flag of a step ENTER: begins another part of the same operation on a path; ns
   is 0. */
#define ES__GRAPH_PART 1u

/* Flags of a step AWAIT. */
#define ES__GRAPH_BINDS 1u /* the wait ended with it */
#define ES__GRAPH_SURE 2u  /* a synchronous send, whatever its size */
/* The call ended soon after this receive began.  So it waited for the receive,
   even if other sends of this size do not wait. */
#define ES__GRAPH_LATE 4u

/* Flags of a step LEAVE: the operation could have taken another message or
   tuple. */
/* It received from MPI_ANY_SOURCE, or used an element from which one of several
   readers takes each tuple, or that several threads write. */
#define ES__GRAPH_ANY 1u
#define ES__GRAPH_FIRST 2u /* what it completed depends on what came first */

struct es__graph_step {
	union {
		struct {
			uint32_t kind : 4;
			uint32_t flags : 4;
			uint32_t thread : 24;
		};
		/* The members above; kind is in the lowest bits. */
		uint32_t head;
	};
	uint32_t at;
	int64_t ns;
};

/* Returns whether a step AWAIT holds its operation until the time of the slot.
   sent: size of the largest message that was sent without waiting for its
   receive, in the measured run; eager: the same in the run that is computed,
   UINT64_MAX: no send waits */
static inline bool
es__graph_step_holds(const struct es__graph_step *step, uint64_t sent,
    uint64_t eager)
{
	if (step->kind != ES__GRAPH_AWAIT_RECEIVE)
		return true;
	if (eager == UINT64_MAX)
		return false;
	return (step->flags & ES__GRAPH_SURE) || (uint64_t)step->ns > eager ||
	    ((step->flags & ES__GRAPH_LATE) && (uint64_t)step->ns <= sent);
}

/* Bits of `head` below the thread. */
#define ES__GRAPH_HEAD_THREAD 8

#define ES__GRAPH_THREADS_MAX (UINT32_C(1) << 24)

#endif
