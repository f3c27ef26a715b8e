/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/swap_private.h - a placement that is changed by swaps, and the
 * change of its cost
 *
 * Places are slots in the order of the tree, see machine_private.h.  The change
 * of the cost by a swap is computed in one of two ways.  Without tables, the
 * rows of both processes are read.  With tables, `pull` has, for each process
 * and each group of each level, the weight between them, or the cost that is
 * saved if the process is in the group.  Then computing a change takes a few
 * reads, and making a swap takes an update for each partner.
 */

#ifndef SCOPES_PLACE_SWAP_PRIVATE_H
#define SCOPES_PLACE_SWAP_PRIVATE_H

#include "scopes/place/pair_private.h"
#include "scopes/place/random_private.h"

#include <stdbool.h>

/* Unit of budgets: work, which is the same on all machines.  Each entry of the
   matrix that is read counts 1, and each change that is computed counts this
   much.  A unit takes about a nanosecond. */
#define ES__SWAP_WORK 24u

/* A place without a process. */
#define ES__SWAP_EMPTY UINT32_MAX

struct es__swap {
	const struct es_machine *m;
	const struct es_traffic *t;
	uint32_t *at;	/* place of each process */
	uint32_t *who;	/* process at each place, or ES__SWAP_EMPTY */
	uint64_t *code; /* of the place of each process */
	/* Changes of the cost that are smaller than this count as 0. */
	double scale;
	uint64_t work; /* see ES__SWAP_WORK */
	struct es__random random;
	/* Tables; pull is NULL if there are none. */
	double *pull; /* index: process * width + column */
	size_t width;
	uint32_t update; /* work of an update for a partner */
	uint32_t levels;
	/* Columns of the groups of a place, from index place * levels on. */
	uint32_t *column;
	/* Factor of `pull` on each level, see es__pair_scale. */
	double saved[ES_MACHINE_LEVELS];
};

/*
 * es__swap_init - start from a placement
 *
 * places	of each process, different; copied
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__swap_fini, also after a failure
 */
paths_status es__swap_init(struct es__swap *s, const struct es_machine *m,
    const struct es_traffic *t, const uint32_t *places) PATHS_CHECKED;

void es__swap_fini(struct es__swap *s);

/* Replaces the placement. */
void es__swap_set(struct es__swap *s, const uint32_t *places);

/* Returns the change of the cost if the process goes to a place, and a process
   that is there goes to its place.  If the change is at least `limit`, the
   result may be too small, but is at least `limit`. */
double es__swap_delta(struct es__swap *s, uint32_t process, uint32_t place,
    double limit);

/* Makes the swap that es__swap_delta describes. */
void es__swap_make(struct es__swap *s, uint32_t process, uint32_t place);

/* Returns the cost of the placement. */
double es__swap_cost(const struct es__swap *s);

#endif
