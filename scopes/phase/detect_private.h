/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/detect_private.h - finds the loops of one sequence of symbols
 *
 * The sequence is read several times, in O(n) time.  The memory depends on the
 * number of different symbols and transitions, not on the length of the
 * sequence.
 */

#ifndef SCOPES_PHASE_DETECT_PRIVATE_H
#define SCOPES_PHASE_DETECT_PRIVATE_H

#include "scopes/phase/stats_private.h"

/* A sequence of symbols that can be read again. */
struct es__phase_source {
	void (*rewind)(struct es__phase_source *self);
	/* Reads the next symbols; 0: there are no more. */
	size_t (*read)(struct es__phase_source *self, uint32_t *symbols,
	    size_t room);
};

/* A loop that was found. */
struct es__phase_found {
	/* Index of the enclosing loop in the same list; ES__PHASE_NONE:
	   none. */
	uint32_t parent;
	uint32_t loop; /* number of the loop in the nest */
	uint64_t iterations, instances;
	/* Mean number of calls of an iteration, including inner loops. */
	double calls;
	/* An iteration of this loop is a step of the program.  The enclosing
	   loop only adds a few calls after every so many iterations. */
	bool sampled;
};

struct es__phase_detection {
	struct es__phase_graph graph;
	struct es__phase_nest nest;
	struct es__phase_found *found; /* outer loops first */
	uint32_t count;
	/* For each loop of the nest: index in `found`; ES__PHASE_NONE: it was
	   rejected. */
	uint32_t *found_of;
	uint64_t events;
};

/*
 * es__phase_detect - find the loops of a sequence
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__phase_detect_close, also on failure
 */
paths_status es__phase_detect(struct es__phase_source *source,
    struct es__phase_detection *detection) PATHS_CHECKED;
void es__phase_detect_close(struct es__phase_detection *detection);

/*
 * es__phase_follow - follow the sequence through its loops
 *
 * to	receives the iterations of all loops of the nest, including rejected
 *	ones
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; PATHS_EDAMAGED: the sequence has changed
 */
paths_status es__phase_follow(struct es__phase_source *source,
    struct es__phase_detection *detection, struct es__phase_to *to)
    PATHS_CHECKED;

/* Returns the loop of the detection in which a person would count the steps of
   the program; ES__PHASE_NONE: there is none. */
uint32_t es__phase_steps(const struct es__phase_detection *detection);

#endif
