/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/ranks_private.h - compares how long ranks compute, in the run
 * and in parts of it
 */

#ifndef SCOPES_WHATIF_RANKS_PRIVATE_H
#define SCOPES_WHATIF_RANKS_PRIVATE_H

#include "scopes/whatif/account_private.h"

/* Fewest parts of the run that allow a statement about how a rank usually
   is. */
#define ES__WHATIF_HABIT 20u

struct es__whatif_rank {
	bool there;
	double computing_ns; /* computing of all its threads */
	double busy_ns;	     /* computing_ns - lost_ns */
	/* Time without a core that replays do not leave out, while its threads
	   computed, and in calls. */
	double lost_ns, lost_inside_ns;
	/* Over all parts: sum of its excess over the mean of the other ranks,
	   the standard error of this sum, and the number of parts in which it
	   computes longest. */
	double excess_ns, error_ns;
	uint64_t longest;
};

struct es__whatif_ranks {
	struct es__whatif_rank *list; /* of each rank */
	double median_ns;	      /* of busy_ns */
	double mean_ns;		      /* of computing_ns */
	/* Number of parts of the run: epochs, or iterations of the steps if
	   there are more of them.  Parts with less than a tenth of the mean
	   computing do not count. */
	uint64_t parts;
	/* Parts are iterations or groups of them, else epochs. */
	bool iterations;
	bool sampled; /* it is known whether threads were without a core */
};

/* Finds how long ranks compute.  PATHS_OK; PATHS_ENOMEM.  The caller frees
   ranks->list, also on failure. */
paths_status es__whatif_ranks_find(const struct es__whatif_run *run,
    const struct es__whatif_account *account, struct es__whatif_ranks *ranks)
    PATHS_CHECKED;

#endif
