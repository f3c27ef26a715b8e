/* SPDX-License-Identifier: MIT */
/*
 * scopes/place.h - which process runs on which core
 *
 * Finds a placement of processes on the slots of a machine with a small sum of
 * weight x distance, or of costs of their own, over all pairs that communicate.
 * The smallest sum cannot be known for machines of useful size; the result is
 * never worse than the placement that the caller has.
 */

#ifndef SCOPES_PLACE_H
#define SCOPES_PLACE_H

#include "scopes/machine.h"
#include "scopes/traffic.h"

#include <stdbool.h>

PATHS_BEGIN_DECLS

/* The slot of a process that has to get one. */
#define ES_PLACE_NOWHERE UINT32_MAX

/* Cost of a placement. */
struct es_place_cost {
	double total; /* sum of weight x distance, or of costs of pairs */
	/* By the depth of the two slots, see scopes/machine.h. */
	double weight[ES_MACHINE_LEVELS + 1];
	double cost[ES_MACHINE_LEVELS + 1];
	size_t pairs[ES_MACHINE_LEVELS + 1];
};

/* All zeros are the defaults. */
struct es_place_options {
	uint64_t seed; /* of random choices; any number */
	uint64_t
	    moves; /* budget: swaps to try, where one with many partners counts
			   for several; 0: by size */
	double seconds;	     /* budget: CPU time, instead of moves; 0: none */
	bool without_scotch; /* do not use Scotch */
};

/* The result of es_place. */
struct es_place_result {
	uint32_t process_count;
	uint32_t *slots;	    /* slot of each process */
	struct es_place_cost after; /* of *slots */
	/* The cost of the current placement, in which processes that had no
	   slot have one; without one, that of process n on slot n. */
	struct es_place_cost before;
	const char *start; /* method that made the start of the best, such as
			      "current", "packed", "matching", "growth" or
			      "scotch" */
	uint64_t moves;	   /* that were used */
	double seconds;	   /* CPU time that was used */
	bool repeatable;   /* the same arguments give the same *slots */
	bool improved;	   /* *slots costs less than the current placement */
};

/*
 * es_place - find a placement
 *
 * With a budget of moves the same arguments give the same result, on any
 * machine that has the same Scotch, or none.  With a budget of time they do
 * not.  By default the number of moves depends on the number of processes and
 * pairs, so that 256 processes take 0.25 s and 1024 take 0.5 s of CPU.
 *
 * Among placements of the cost that was found, it looks for one in which few
 * processes move.  Processes without a slot are placed first while the others
 * stay; nothing else moves unless that costs less.
 *
 * current	slot of each process, each slot at most once, or
 *		ES_PLACE_NOWHERE; NULL: process n is on slot n
 * options	NULL: the defaults
 * result	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	*current has a slot that does not exist, or one
 *				twice; options->seconds is negative or not
 *				finite; costs of pairs are of a machine with
 *				another number of levels
 *		PATHS_ERANGE	more processes than slots
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_place_fini; borrows all for the call
 * Threads	any; calls that use Scotch take turns
 * Since	0.1
 */
ES_API paths_status es_place(const struct es_machine *machine,
    const struct es_traffic *traffic, const uint32_t *current,
    const struct es_place_options *options, struct es_place_result *result)
    PATHS_CHECKED;

/*
 * es_place_fini - free what es_place made
 *
 * result	all zeros, or of es_place
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_place_fini(struct es_place_result *result);

/*
 * es_place_evaluate - the cost of a placement
 *
 * slots	slot of each process; two may have the same slot, and then
 *		count at the largest depth with distance 0, or with their cost
 *		there
 * cost		out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	costs of pairs are of a machine with another
 *				number of levels
 *		PATHS_ERANGE	a slot that does not exist
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_place_evaluate(const struct es_machine *machine,
    const struct es_traffic *traffic, const uint32_t *slots,
    struct es_place_cost *cost) PATHS_CHECKED;

/*
 * es_place_has_scotch - tell if this library was built with Scotch
 *
 * Returns	true: it was
 * Threads	any
 * Since	0.1
 */
ES_API bool es_place_has_scotch(void);

PATHS_END_DECLS

#endif
