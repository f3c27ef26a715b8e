/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/moved_private.h - work that moves between ranks
 *
 * A rank that gives work away has less of each code, by the same factor.  The
 * others take this work in the same code, so that the sum over ranks of each
 * code stays.  A rank without that code takes it in code that begins after, or
 * ends before, the same call, and without such code in all that it computes.
 *
 * The computations of a part grow in proportion to their length, but not to
 * more than twice of it; the rest is divided evenly among them.  A rank that
 * hardly computes in a code would otherwise take all work in that computation
 * which noise made the longest.
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
	uint32_t count; /* of them */
	double ns;	/* their sum */
	/* Each takes `factor` of its time, and then `more_ns`. */
	double factor, more_ns;
};

/* The parts of a rank in one code, in the order of epochs. */
struct es__whatif_parts {
	struct es__whatif_part *list;
	size_t count, room;
	uint32_t rank, class;
	double ns; /* of all parts */
	/* Codes that the rank does not have, whose work it takes here. */
	uint32_t *takes;
	size_t take_count, take_room;
};

struct es__whatif_moved {
	uint32_t *of; /* parts of each activity; PATHS_NONE: none */
	struct es__whatif_parts *parts;
	uint32_t count;
};

/* The sums of selected computations, and what they are to be. */
struct es__whatif_goals {
	const double *sums;  /* of epoch * ranks + rank */
	const double *goals; /* of each epoch, for ranks with a sum that is not
				0; share: of each rank, in the only epoch */
	size_t epoch_count;
	bool share;
};

/*
 * es__whatif_moved_init - prepare to add the computations of activities
 *
 * selected	of each activity
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_moved_fini, also on failure
 */
paths_status es__whatif_moved_init(struct es__whatif_moved *moved,
    const struct es__whatif_model *model, const bool *selected) PATHS_CHECKED;
void es__whatif_moved_fini(struct es__whatif_moved *moved);

/* Adds a computation.  The epochs of a rank ascend.  Returns whether there is
   memory. */
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

/* Returns the new length of a computation.  at: of the parts, 0 at first;
   epochs ascend from call to call. */
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
