/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/sums_private.h - adds up the time of a replay by activity
 */

#ifndef SCOPES_WHATIF_SUMS_PRIVATE_H
#define SCOPES_WHATIF_SUMS_PRIVATE_H

#include "scopes/whatif/pass_private.h"

/* Times of an activity inside the measured interval. */
struct es__whatif_sum {
	double own_ns, wait_ns;
	double
	    /* Time without a core that own_ns leaves out, in the whole run. */
	    lost_ns;
	/* Its longest wait, and the begin of that wait. */
	double longest_ns, longest_at_ns;
	uint64_t count;
	bool members; /* the operation waits for members of a collective */
};

struct es__whatif_sums {
	struct es__whatif_times times;
	struct es__whatif_sum *list; /* of each activity */
};

/*
 * es__whatif_sums_find - replay a run twice: find its interval, then the sums
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_sums_fini, also on failure
 */
paths_status es__whatif_sums_find(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting, struct es__whatif_sums *sums)
    PATHS_CHECKED;

void es__whatif_sums_fini(struct es__whatif_sums *sums);

#endif
