/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/search_private.h - tries several methods, and keeps the best
 * placement
 */

#ifndef SCOPES_PLACE_SEARCH_PRIVATE_H
#define SCOPES_PLACE_SEARCH_PRIVATE_H

#include "scopes/place/rough_private.h"
#include "scopes/place/swap_private.h"

struct es__search {
	struct es__swap swap;
	struct es__rough rough; /* if pairs have costs of their own */
	uint64_t seed;
	uint64_t work;		 /* budget, see ES__SWAP_WORK */
	double seconds;		 /* budget of CPU time; 0: none */
	bool asked;		 /* the caller has set the budget */
	bool scotch;		 /* use Scotch */
	const uint32_t *current; /* borrowed: present placement */
	uint32_t *trial;
	/* Best placement of all (best), and best one without Scotch (twin). */
	uint32_t *best, *twin;
	double best_cost, twin_cost;
	const char *best_start, *twin_start;
	double began; /* CPU time at the begin, in s */
};

/*
 * es__search_init - begin with a placement
 *
 * places	of each process; lent to s
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__search_fini, also after a failure
 */
paths_status es__search_init(struct es__search *s, const struct es_machine *m,
    const struct es_traffic *t, const uint32_t *places) PATHS_CHECKED;

void es__search_fini(struct es__search *s);

/* Searches until a budget is used up.  The result is s->best. */
paths_status es__search(struct es__search *s) PATHS_CHECKED;

/* Returns the CPU time of this thread, in s. */
double es__search_time(void);

#endif
