/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/ranks_private.h - how long ranks compute, and in which parts of
 * the run
 */

#ifndef SCOPES_WHATIF_RANKS_PRIVATE_H
#define SCOPES_WHATIF_RANKS_PRIVATE_H

#include "scopes/whatif/account_private.h"

/* Parts of the run from which on a statement is about a habit. */
#define ES__WHATIF_HABIT 20u

struct es__whatif_rank {
	bool there;
	double computing_ns; /* of all its threads */
	double busy_ns;	     /* that, less lost_ns */
	/* They were without a core while they computed, and in calls: what
	   replays do not leave out. */
	double lost_ns, lost_inside_ns;
	/* In the parts: excess over the mean of the other ranks, its standard
	   error, and the parts in which it computes longest. */
	double excess_ns, error_ns;
	uint64_t longest;
};

struct es__whatif_ranks {
	struct es__whatif_rank *list; /* of each rank */
	double median_ns;	      /* of busy_ns */
	double mean_ns;		      /* of computing_ns */
	/* The run in parts: epochs, or iterations of the steps if the epochs
	   are few; those whose computing is a tenth of the mean or more. */
	uint64_t parts;
	bool iterations; /* parts are these, or groups of them */
	bool sampled;	 /* lost times are known */
};

/* Finds how long ranks compute.  PATHS_OK; PATHS_ENOMEM.  The caller frees
   ranks->list, also on failure. */
paths_status es__whatif_ranks_find(const struct es__whatif_run *run,
    const struct es__whatif_account *account, struct es__whatif_ranks *ranks)
    PATHS_CHECKED;

#endif
