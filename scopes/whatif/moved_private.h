/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/moved_private.h - moves work between ranks: computes the new
 * lengths of computations
 *
 * A rank that gives work away has less of each code, by the same factor.  Other
 * ranks take this work in the same code, so that the sum of each code over all
 * ranks stays the same.  A rank without that code takes the work in code that
 * begins after the same call or ends before the same call; if it has no such
 * code, in all its computations.
 *
 * The computations of a part grow in proportion to their length, but at most to
 * twice their length.  The remainder is divided evenly among them.  Otherwise a
 * rank that hardly computes in a code would take all work in the one
 * computation that noise has made longer than the others.
 */

#ifndef SCOPES_WHATIF_MOVED_PRIVATE_H
#define SCOPES_WHATIF_MOVED_PRIVATE_H

#include "scopes/whatif/model_private.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The computations of a rank in one code and epoch. */
struct es__whatif_part {
	uint32_t epoch;
	uint32_t count; /* number of computations */
	double ns;	/* sum of their lengths */
	/* New length of each computation: its length * factor + more_ns. */
	double factor, more_ns;
};

/* The parts of a rank in one code, in the order of epochs. */
struct es__whatif_parts {
	struct es__whatif_part *list;
	size_t count, room;
	uint32_t rank, class;
	double ns; /* sum of all parts */
	/* Classes of code that the rank does not have, and whose work it takes
	   in this code. */
	uint32_t *takes;
	size_t take_count, take_room;
};

struct es__whatif_moved {
	/* For each activity: its entry in `parts`; PATHS_NONE: none. */
	uint32_t *of;
	struct es__whatif_parts *parts;
	uint32_t count;
};

/* Sums of the selected computations before and after the change, in ns. */
struct es__whatif_goals {
	const double *sums; /* of epoch * ranks + rank */
	/* By epoch, for ranks whose sum is not 0; if `share`: by rank, with
	   only one epoch. */
	const double *goals;
	size_t epoch_count;
	bool share;
};

/*
 * es__whatif_moved_init - prepare to add up computations
 *
 * selected	of each activity: its computations are added
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_moved_fini, also on failure
 */
paths_status es__whatif_moved_init(struct es__whatif_moved *moved,
    const struct es__whatif_model *model, const bool *selected) PATHS_CHECKED;
void es__whatif_moved_fini(struct es__whatif_moved *moved);

/* Adds a computation of a selected activity; false: no memory.  The epochs of a
   rank ascend from call to call. */
bool es__whatif_moved_add(struct es__whatif_moved *moved, uint32_t activity,
    uint32_t epoch, double ns);

/*
 * es__whatif_moved_find - find the factors of all parts
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__whatif_moved_find(struct es__whatif_moved *moved,
    const struct es__whatif_model *model, const struct es__whatif_goals *goals)
    PATHS_CHECKED;

/* Returns the new length of a computation.  at: position in the list of parts,
   0 at first; epochs ascend from call to call. */
static inline double
es__whatif_moved_length(const struct es__whatif_parts *parts, size_t *at,
    uint32_t epoch, double ns)
{
	const struct es__whatif_part *part;

	while (*at < parts->count && parts->list[*at].epoch < epoch)
		++*at;
	if (*at == parts->count || parts->list[*at].epoch != epoch)
		return ns;
	part = &parts->list[*at];
	return ns * part->factor + part->more_ns;
}

#endif
