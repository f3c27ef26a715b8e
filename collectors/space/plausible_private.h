/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/plausible_private.h - finds tuples whose values are
 * impossible
 */

#ifndef COLLECTORS_SPACE_PLAUSIBLE_PRIVATE_H
#define COLLECTORS_SPACE_PLAUSIBLE_PRIVATE_H

#include "collectors/space/space_private.h"

/* The values that tuples of a ring can have. */
struct es__plausible {
	bool path, mpi;	   /* type of the tuples; false: they are not checked */
	uint64_t slack;	   /* ticks by which clocks of two cores may differ */
	uint64_t earliest; /* ticks */
	uint64_t latest;
	uint64_t latest_inside; /* of an operation that may not have returned */
};

/* A tuple and its neighbours. */
struct es__neighbours {
	const void *before; /* the last one that is plausible, or NULL */
	const void *tuple;
	const void *after; /* the next one in the ring, or NULL */
	bool oldest;	   /* number 0 of its ring */
	bool newest;	   /* one of the last two of its ring */
};

/* Fills in the limits of a ring. */
void es__plausible_init(struct es__plausible *limits,
    const struct es_space *space, const struct es__ring *ring);

/* Returns the reason why a tuple is impossible, or NULL. */
const char *es__plausible_reason(const struct es__plausible *limits,
    const struct es__neighbours *at);

#endif
