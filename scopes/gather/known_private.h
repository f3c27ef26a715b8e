/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/known_private.h - the spaces and tuple types that a stage of a
 * gather tree has seen
 */

#ifndef SCOPES_GATHER_KNOWN_PRIVATE_H
#define SCOPES_GATHER_KNOWN_PRIVATE_H

#include "scopes/gather/batch_private.h"

#include "collectors/space_format.h"

/* A tuple type of a space.  Use is that of the stage; 0 at first. */
struct es__known_type {
	struct es_space_type *type; /* its fields follow; NULL: unknown */
	uint32_t use[3];
};

struct es__known_space {
	uint64_t number;
	struct paths_clock_pair start;
	double ns_per_tick;
	struct es__known_type *types;
	size_t type_count;
};

/* All zeros at first. */
struct es__known {
	struct es__known_space *spaces;
	size_t count, room;
};

/* Learns from a SPACE or TYPE record; others are passed over.  Returns PATHS_OK
   or PATHS_ENOMEM. */
paths_status es__known_learn(struct es__known *known,
    const struct es__record *record) PATHS_CHECKED;

/* Returns a space, or NULL. */
struct es__known_space *es__known_space(const struct es__known *known,
    uint64_t number);

/* Returns a type of a space, or NULL. */
struct es__known_type *es__known_type(const struct es__known *known,
    uint64_t space, uint16_t type);

/* Returns a time on the wall clock of the space's host, in ns. */
static inline uint64_t
es__known_ns(const struct es__known_space *space, uint64_t ticks)
{
	double ns;

	if (space == NULL)
		return ticks;
	ns = (double)(int64_t)(ticks - space->start.ticks) * space->ns_per_tick;
	/* Only a damaged stamp is further away. */
	if (ns > 9e18 || ns < -9e18)
		return ticks;
	return space->start.realtime_ns + (uint64_t)(int64_t)ns;
}

void es__known_fini(struct es__known *known);

#endif
