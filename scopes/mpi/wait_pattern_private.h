/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_pattern_private.h - why a rank waits inside an MPI call
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
	ES__WAIT_LATE_SENDER,	 /* a receiver, for the message to be sent */
	ES__WAIT_LATE_RECEIVER,	 /* a sender, for it to be received */
	ES__WAIT_N_TO_N,	 /* for the last to come */
	ES__WAIT_BARRIER,	 /* for the last to come */
	ES__WAIT_LATE_BROADCAST, /* for the root to come */
	ES__WAIT_EARLY_REDUCE,	 /* the root, for the others to come */
	/* What only a trace tells. */
	ES__WAIT_EARLY_SCAN,  /* for those of lower rank to come */
	ES__WAIT_FINALIZE,    /* for the last to come */
	ES__WAIT_ORDER_SAME,  /* a receiver that had another message of */
	ES__WAIT_ORDER_OTHER, /* the same, or another source to take */
	ES__WAIT_BARRIER_COMPLETION, /* from the last that came to the end */
	ES__WAIT_N_TO_N_COMPLETION,
	ES__WAIT_INIT_COMPLETION,
	ES__WAIT_PATTERNS
};

/* What a pattern is called; NULL: none. */
const char *es__wait_pattern_name(enum es__wait_pattern pattern);

/*
 * es__wait_pattern_of - what a call that takes long waits for
 *
 * function	NULL: not known
 * flags	a set of enum es_mpi_profile_flag
 *
 * Returns	the pattern; NONE for what never waits, or says nothing about
 *		it: tests, nonblocking calls, scans
 */
enum es__wait_pattern
es__wait_pattern_of(const struct es_mpi_function *function, uint32_t flags);

/* Whether members of a communicator wait for each other. */
static inline bool
es__wait_pattern_collective(enum es__wait_pattern pattern)
{
	return pattern >= ES__WAIT_N_TO_N;
}

#endif
