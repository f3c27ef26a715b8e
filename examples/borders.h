/* SPDX-License-Identifier: MIT */
/*
 * examples/borders.h - exchange of border rows between neighbouring slices
 *
 * Thread tN has slice N, counted from the top.  Two elements carry the rows
 * across each border; each has one writer and one reader:
 *
 *	up.N	written by tN, read by the thread of the slice above
 *	down.N	written by tN, read by the thread of the slice below
 */

#ifndef EXAMPLES_BORDERS_H
#define EXAMPLES_BORDERS_H

#include "examples/team.h"

/* Paths of a thread to its neighbours; NULL for a missing neighbour. */
struct borders {
	const struct team_member *me;
	struct paths_path *write_up, *write_down, *read_above, *read_below;
};

/* Memory of the rows; they are sent from here and received into it. */
struct borders_rows {
	const void *top, *bottom; /* own rows, sent to the neighbours */
	void *above, *below;	  /* rows received from the neighbours */
	uint32_t bytes;		  /* length of each row */
};

/*
 * borders_open - open the paths to the neighbours
 *
 * Returns	nothing; a missing path ends the process
 * Threads	the member's
 * Since	0.1
 */
void borders_open(struct borders *borders, const struct team_member *me);

/*
 * borders_exchange - send rows to both neighbours, then receive from both
 *
 * Sending first avoids deadlock.  Neighbours are never more than one step
 * apart.
 *
 * Returns	when both rows have been received; a lost neighbour ends the
 *		process
 * Threads	the member's
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Wind-tunnel"
 * Since	0.1
 */
void borders_exchange(const struct borders *borders,
    const struct borders_rows *rows);

#endif
