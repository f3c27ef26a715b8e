/* SPDX-License-Identifier: MIT */
/*
 * scopes/machine.h - a machine as a tree of groups, with distances
 *
 * The leaves of the tree are slots, each of which takes one process or thread.
 * The inner levels are groups of slots, such as switches, hosts, packages and
 * caches.  The depth of two slots is the number of levels on which they share
 * their group; the distance of two slots depends on their depth alone.
 *
 * A core that takes several processes is a group of several slots whose
 * distance is 0.
 */

#ifndef SCOPES_MACHINE_H
#define SCOPES_MACHINE_H

#include "collectors/api.h"

#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/* The largest number of levels of groups. */
#define ES_MACHINE_LEVELS 15u
/* The largest number of slots. */
#define ES_MACHINE_SLOTS (1u << 24)

struct es_machine;

/* A machine as arrays of the caller. */
struct es_machine_tree {
	uint32_t slot_count;
	uint32_t level_count; /* of groups; 0: all slots are one group */
	/* The group of slot s on level n is groups[s * level_count + n]; level
	   0 is the top.  Numbers are arbitrary; on a level below the top they
	   tell groups of the same parent apart. */
	const uint32_t *groups;
	/* The distance of two slots whose depth is n is distances[n], for n
	   from 0 to level_count; NULL: twice the levels up to the group that
	   they share, 2 (level_count + 1 - n). */
	const double *distances;
};

/*
 * es_machine_create - make a machine from the groups of each slot
 *
 * Slots keep their numbers.  Groups may have any number of slots.
 *
 * tree		copied
 * machine	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no slots; a distance that is negative or not
 *				finite, or larger than that of a smaller depth
 *		PATHS_ERANGE	more levels or slots than the limits above
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_machine_destroy
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_machine_create(const struct es_machine_tree *tree,
    struct es_machine **machine) PATHS_CHECKED;

/*
 * es_machine_synthetic - make a symmetric machine from its arities
 *
 * arity	such as "8:2:4": 8 nodes of 2 sockets of 4 cores
 * links	cost of a link on each level, such as "10:3:1": two cores of a
 *		socket are 1 apart, two of a node 3 + 1, two of different nodes
 *		10 + 3 + 1; NULL: the distances count hops, here 2, 4, 6
 * machine	out
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	not numbers, or not as many links as arities
 *		PATHS_ERANGE	more levels or slots than the limits above
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_machine_destroy
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_machine_synthetic(const char *arity, const char *links,
    struct es_machine **machine) PATHS_CHECKED;

/*
 * es_machine_subset - make a machine of some slots of another one
 *
 * slots	numbers in from, each once; slot n of the new machine is
 *		slots[n]
 * machine	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no slots, or a slot twice
 *		PATHS_ERANGE	no such slot
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_machine_destroy; keeps nothing of from
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_machine_subset(const struct es_machine *from,
    const uint32_t *slots, uint32_t count, struct es_machine **machine)
    PATHS_CHECKED;

/*
 * es_machine_destroy - free a machine
 *
 * machine	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_machine_destroy(struct es_machine *machine);

/*
 * es_machine_slots - the number of slots
 *
 * Returns	the number; at least 1
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_machine_slots(const struct es_machine *machine);

/*
 * es_machine_levels - the number of levels of groups
 *
 * Returns	the number; the largest depth of two slots
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_machine_levels(const struct es_machine *machine);

/*
 * es_machine_group - the group of a slot on a level
 *
 * slot		below es_machine_slots
 * level	below es_machine_levels; 0 is the top
 *
 * Returns	number of the group, counted from 0 over the whole level in the
 *		order of first slots
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_machine_group(const struct es_machine *machine,
    uint32_t slot, uint32_t level);

/*
 * es_machine_depth - the number of levels on which two slots share their group
 *
 * a, b		below es_machine_slots, and different
 *
 * Returns	0 to es_machine_levels
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_machine_depth(const struct es_machine *machine, uint32_t a,
    uint32_t b);

/*
 * es_machine_distance - the distance of two slots
 *
 * a, b		below es_machine_slots
 *
 * Returns	the distance; 0 if a and b are equal
 * Threads	any
 * Since	0.1
 */
ES_API double es_machine_distance(const struct es_machine *machine, uint32_t a,
    uint32_t b);

PATHS_END_DECLS

#endif
