/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/step_private.h - a step of a program activity graph
 *
 * A thread has a time, and a slot has the time of something that threads wait
 * for, such as the begin of a send.  The steps of an operation are, in order:
 *
 *	ENTER	the thread computes for ns, then enters the operation
 *	POST	a slot gets the time of the thread
 *	JOIN	a slot gets the later one of its time and that of another slot
 *	AWAIT	the operation waits for the time of a slot
 *	WAITED	it did so for ns.  Left out if it did not wait
 *	LEAVE	the operation ends, ns after all that it waits for
 *
 * With t at ENTER, an operation leaves at max(t, slots) + ns.  For the measured
 * times that is exactly the measured end.  A slot that is posted again is used
 * for something else.
 */

#ifndef SCOPES_GRAPH_STEP_PRIVATE_H
#define SCOPES_GRAPH_STEP_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

enum es__graph_kind {
	ES__GRAPH_ENTER, /* at: activity, a computation */
	ES__GRAPH_POST,	 /* at: slot */
	ES__GRAPH_JOIN,	 /* at: slot; ns: the other slot; thread: number of the
			    group of threads that is joined */
	/* An operation waits; at: slot; ns: bytes of the message. */
	ES__GRAPH_AWAIT_SEND,	 /* the begin of the send that it receives */
	ES__GRAPH_AWAIT_RECEIVE, /* the begin of the receive of what it sends */
	ES__GRAPH_AWAIT_MEMBER,	 /* a member of a collective */
	ES__GRAPH_AWAIT_CALL,	 /* the begin or end of a call, with no bytes */
	ES__GRAPH_WAITED,	 /* at: not used; ns may be 0 */
	ES__GRAPH_LEAVE,	 /* at: activity, an operation */
};

/* Flag of a step JOIN: the slot has only the time of the other slot. */
#define ES__GRAPH_NEW 1u

/* Flag of a step ENTER: it opens another part of the same operation on a path,
   after no time. */
#define ES__GRAPH_PART 1u

/* Flags of a step AWAIT. */
#define ES__GRAPH_BINDS 1u /* the wait ended with it */
#define ES__GRAPH_SURE 2u  /* a synchronous send, whatever its size */
#define ES__GRAPH_LATE \
	4u /* the call ended soon after this receive began: it was waited for,
	      also if messages of its size do not wait */

/* Flags of a step LEAVE: the operation could have taken another message or
   tuple. */
#define ES__GRAPH_ANY \
	1u		   /* it received from any source, or from an element
			    that gives a tuple to one of several threads, or
			    that several threads write */
#define ES__GRAPH_FIRST 2u /* what it completed depends on what came first */

struct es__graph_step {
	union {
		struct {
			uint32_t kind : 4;
			uint32_t flags : 4;
			uint32_t thread : 24;
		};
		uint32_t head; /* the members above, the first one lowest */
	};
	uint32_t at;
	int64_t ns;
};

/* Returns whether an operation cannot end before the slot of a step AWAIT has
   its time.  sent: the largest size of messages that were sent without their
   receive; eager: that of those that are sent so, UINT64_MAX: all */
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
