/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_pattern_private.h - names the reasons why a rank waits inside
 * an MPI call
 *
 * Source	Boehme, Geimer, Wolf, Arnold: Identifying the root causes of
 *		wait states in large-scale parallel applications; Mao et al.:
 *		Catching Idlers with Ease, section 3
 */

#ifndef SCOPES_MPI_WAIT_PATTERN_PRIVATE_H
#define SCOPES_MPI_WAIT_PATTERN_PRIVATE_H

#include "collectors/mpi_function.h"

#include <stdbool.h>
#include <stdint.h>

enum es__wait_pattern {
	ES__WAIT_NONE,
	ES__WAIT_LATE_SENDER,	/* a receiver waits for the send */
	ES__WAIT_LATE_RECEIVER, /* a sender waits for the receive */
	/* A rank waits for an epoch, a lock, or the completion of operations on
	   a window. */
	ES__WAIT_ONE_SIDED,
	ES__WAIT_NEIGHBOUR,  /* a member waits for the last neighbour */
	ES__WAIT_EARLY_SCAN, /* a member waits for those of lower rank */
	/* es__wait_pattern_collective is true from here on. */
	ES__WAIT_N_TO_N,	 /* members wait for the last one */
	ES__WAIT_BARRIER,	 /* members wait for the last one */
	ES__WAIT_LATE_BROADCAST, /* members wait for the root */
	ES__WAIT_EARLY_REDUCE,	 /* the root waits for the first other */
	ES__WAIT_FENCE,		 /* members wait for the last one at a fence, or
				    where a window is made or freed */
	/* Found only by a trace. */
	ES__WAIT_FILE, /* members wait for the last one */
	/* Members wait for the last one, although no member passes bytes. */
	ES__WAIT_N_TO_N_EMPTY,
	ES__WAIT_FINALIZE,   /* members wait for the last one */
	ES__WAIT_ORDER_SAME, /* a receiver waits, although a message from the
				 same source was sent earlier */
	/* As ORDER_SAME, with a message from another source. */
	ES__WAIT_ORDER_OTHER,
	/* Time in a Barrier after the last member has arrived. */
	ES__WAIT_BARRIER_COMPLETION,
	ES__WAIT_N_TO_N_COMPLETION,
	ES__WAIT_NEIGHBOUR_COMPLETION,
	ES__WAIT_FILE_COMPLETION,
	ES__WAIT_INIT_COMPLETION,
	ES__WAIT_PEER_PROGRESS, /* the peer of a message is outside of MPI */
	/* One-sided communication. */
	ES__WAIT_WINDOW_CREATE, /* members wait for the last one */
	ES__WAIT_WINDOW_FREE,
	/* A rank waits for the accesses to its memory. */
	ES__WAIT_EARLY_FENCE,
	ES__WAIT_LATE_POST,	/* an origin waits for the target's post */
	ES__WAIT_EARLY_WAIT,	/* a target waits for accesses */
	ES__WAIT_LATE_COMPLETE, /* a target waits, although the last access
				    has ended */
	ES__WAIT_LOCK,		/* another rank holds the lock */
	ES__WAIT_FOR_PROGRESS,	/* the target is outside of MPI */
	ES__WAIT_REDUCE,	/* the root waits for the last of the others */
	ES__WAIT_PATTERNS
};

/* Returns the name of a pattern; NULL for ES__WAIT_NONE. */
const char *es__wait_pattern_name(enum es__wait_pattern pattern);

/*
 * es__wait_pattern_of - get the reason why a call of a function waits
 *
 * function	NULL: not known
 * flags	a set of enum es_mpi_profile_flag
 *
 * Returns	the pattern; NONE for all other calls, such as tests,
 *		nonblocking calls and calls on files
 */
enum es__wait_pattern
es__wait_pattern_of(const struct es_mpi_function *function, uint32_t flags);

/* Returns whether, in calls of a pattern that es__wait_pattern_of returned, all
   members of a communicator wait for each other, so that a call without waiting
   takes equally long in all of them. */
static inline bool
es__wait_pattern_collective(enum es__wait_pattern pattern)
{
	return pattern >= ES__WAIT_N_TO_N;
}

#endif
