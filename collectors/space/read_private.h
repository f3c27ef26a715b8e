/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/read_private.h - finds the tuples of a ring that can be read
 */

#ifndef COLLECTORS_SPACE_READ_PRIVATE_H
#define COLLECTORS_SPACE_READ_PRIVATE_H

#include "collectors/space/space_private.h"

/* Tuples [first, end) of a collector can be read. */
struct es__window {
	uint64_t first;
	uint64_t end;
	uint64_t reset;
	uint64_t slots; /* in use */
	bool inside;	/* the operation of tuple end - 1 has not returned */
};

/* Returns the tuples that a ring has now. */
struct es__window es__read_window(const struct es__ring *ring);

/* Returns the number of slots of a ring that are in use now, or all slots if it
   is not plausible. */
uint64_t es__read_slots(const struct es__ring *ring);

#endif
