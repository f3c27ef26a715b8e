/* SPDX-License-Identifier: MIT */
/*
 * examples/borders.h - what slices that lie side by side tell each other
 *
 * Thread tN has slice N, counted from the top.  Each border is crossed by two
 * elements with one writer and one reader each:
 *
 *	up.N	written by tN, read by the thread of the slice above
 *	down.N	written by tN, read by the thread of the slice below
 */

#ifndef EXAMPLES_BORDERS_H
#define EXAMPLES_BORDERS_H

#include "examples/team.h"

/* A thread's paths to its neighbours; NULL where there is none. */
struct borders {
	const struct team_member *me;
	struct paths_path *write_up, *write_down, *read_above, *read_below;
};

/* Where tuples come from and go to: in place, nothing is copied. */
struct borders_rows {
	const void *top, *bottom; /* of this slice, for the neighbours */
	void *above, *below;	  /* where the neighbours' are needed */
	uint32_t bytes;		  /* of each */
};

/*
 * borders_open - take up the paths to the neighbours
 *
 * Returns	nothing; a path that is missing ends the process
 * Threads	the member's
 * Since	0.1
 */
void borders_open(struct borders *borders, const struct team_member *me);

/*
 * borders_exchange - tell both neighbours, then hear from both
 *
 * In this order nobody waits for somebody who waits for him, and neighbours
 * are never more than one step apart.
 *
 * Returns	when all has come; a lost neighbour ends the process
 * Threads	the member's
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Wind-tunnel"
 * Since	0.1
 */
void borders_exchange(const struct borders *borders,
    const struct borders_rows *rows);

#endif
