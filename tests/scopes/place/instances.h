/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/place/instances.h - communication patterns and best placements
 *
 * The patterns are those of grids, collectives, NAS benchmarks, algebraic
 * multigrid and random graphs.  They are generated from their name and size
 * alone, so that their costs can be compared with those of other programs.
 */

#ifndef TESTS_SCOPES_PLACE_INSTANCES_H
#define TESTS_SCOPES_PLACE_INSTANCES_H

#include "scopes/place.h"

/* Sizes of which the best placements are known. */
#define INSTANCE_SIZES 5u

struct instance {
	const char *name; /* pattern; "-s": ranks are renumbered */
	uint32_t size;	  /* index of the size: 64, 128, ... */
	double best;	  /* least hop-bytes that are known */
	double bar;	  /* ratio of the best of other methods to it */
};

/* An allocation of nodes with different numbers of cores. */
struct instance_special {
	const char *name;
	uint32_t processes;
	const char *machine;   /* synthetic */
	const uint32_t *cores; /* of each node, from its first core on */
	double best;	       /* least hop-bytes that are known */
	double bar;	       /* the better of Scotch and TreeMatch */
};

extern const struct instance instances[];
extern const size_t instance_count;
extern const struct instance_special instance_specials[];
extern const size_t instance_special_count;

/* Number of processes of a size, and its machine, with costs of links. */
extern const uint32_t instance_processes[INSTANCE_SIZES];
extern const char *const instance_machines[INSTANCE_SIZES];
extern const char *const instance_links[INSTANCE_SIZES];

/* Generates a pattern; ends the program if that fails. */
struct es_traffic *instance_traffic(const char *name, uint32_t processes);

/* Makes the machine of a special allocation, likewise. */
struct es_machine *instance_special_machine(const struct instance_special *s);

#endif
