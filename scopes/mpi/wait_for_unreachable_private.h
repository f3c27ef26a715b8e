/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_for_unreachable_private.h - who can never go on
 *
 * A thread that waits needs one thing or several, all of them or any; each
 * names the ranks that could bring it about, all of them together or any alone.
 * A rank can go on when one of its threads can.  Whoever cannot, although
 * everybody who can does, is stuck: each knot of such threads is a deadlock.
 *
 * Source	Hilbrich and others: distributed wait state tracking for
 *		runtime MPI deadlock detection, the AND and OR model
 */

#ifndef SCOPES_MPI_WAIT_FOR_UNREACHABLE_PRIVATE_H
#define SCOPES_MPI_WAIT_FOR_UNREACHABLE_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum es__knot_needs {
	ES__KNOT_NOTHING, /* it goes on, or may */
	ES__KNOT_ALL,
	ES__KNOT_ANY
};

/* What it takes of other ranks; never nobody. */
struct es__knot_need {
	enum es__knot_needs targets; /* ALL or ANY of them */
	size_t first;		     /* of its targets */
	uint32_t count;
};

/* A thread. */
struct es__knot_thread {
	uint32_t rank;
	enum es__knot_needs needs;
	size_t first; /* of its needs */
	uint32_t count;
	bool stuck; /* out */
};

struct es__knot {
	struct es__knot_thread *threads;
	uint32_t thread_count, rank_count;
	struct es__knot_need *needs;
	uint32_t *targets; /* ranks */
	bool *gone;	   /* of each rank: it will never do anything again */
	bool *stuck;	   /* out: of each rank; those that are gone too */
	/* Out, of each rank: one that it waits for in vain; NONE. */
	uint32_t *next;
};

/* es__knot_solve - fill in what is out */
void es__knot_solve(struct es__knot *knot);

/*
 * es__knot_cycle - follow `next` from a rank to where it comes round, or ends
 *
 * seen		of each rank: what it was called with; ranks on the way get
 *		`mark`, which no rank has yet
 * start	out: the first rank of the cycle; the last on the way when it
 *		ends; NONE when the way meets one that was seen before
 *
 * Returns	how many ranks the cycle has; 0: there is none
 */
uint32_t es__knot_cycle(const struct es__knot *knot, uint32_t rank,
    uint32_t *seen, uint32_t mark, uint32_t *start);

#endif
