/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/machine_private.h - the machine, in the form that placement uses
 *
 * Each slot has a second number, its *place* in the order of the tree, so that
 * each group is a range of places.  Each place has a code: the bits of its
 * child numbers on all levels, from the top.  The highest bit in which two
 * codes differ gives their depth, and so their distance, without a loop.
 */

#ifndef SCOPES_PLACE_MACHINE_PRIVATE_H
#define SCOPES_PLACE_MACHINE_PRIVATE_H

#include "scopes/machine.h"

/* The index in `between` of equal codes. */
#define ES__MACHINE_SAME 64u

struct es_machine {
	uint32_t slot_count, level_count;
	uint32_t *place; /* of each slot */
	uint32_t *slot;	 /* of each place */
	uint64_t *code;	 /* of each place */
	uint32_t *group; /* of each place, at [level * slot_count + place] */
	/* First place of each group, then slot_count as the end. */
	uint32_t *first[ES_MACHINE_LEVELS];
	uint32_t group_count[ES_MACHINE_LEVELS];
	double distance[ES_MACHINE_LEVELS + 1]; /* by depth */
	/* Depth and distance, indexed by the number of leading zeros of the
	   exclusive or of two codes. */
	uint8_t depth[ES__MACHINE_SAME + 1];
	double between[ES__MACHINE_SAME + 1];
};

static inline unsigned
es__machine_differ(uint64_t a, uint64_t b)
{
	return a == b ? ES__MACHINE_SAME : (unsigned)__builtin_clzll(a ^ b);
}

/* Returns the number of a place, or of its group, among the children of its
   group one level higher; on level level_count, that of the place. */
static inline uint32_t
es__machine_child(const struct es_machine *m, uint32_t level, uint32_t at)
{
	uint32_t start = 0;
	size_t slots = m->slot_count;

	if (level > 0)
		start = m->first[level - 1][m->group[(level - 1) * slots + at]];
	if (level == m->level_count)
		return at - start;
	return m->group[level * slots + at] - m->group[level * slots + start];
}

/* Returns the distance of two places by their codes. */
static inline double
es__machine_between(const struct es_machine *m, uint64_t a, uint64_t b)
{
	return m->between[es__machine_differ(a, b)];
}

#endif
