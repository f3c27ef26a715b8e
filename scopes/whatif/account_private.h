/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/account_private.h - measures how far the replay of a run can be
 * trusted
 *
 * A replay without a change gives back the measured times, even if clocks
 * contradict each other, because operations then have negative lengths.  So a
 * second replay is made in which negative lengths count as 0.  Its drift, the
 * difference of its length from that of the run, is 0 if all dependences of the
 * graph are right.
 */

#ifndef SCOPES_WHATIF_ACCOUNT_PRIVATE_H
#define SCOPES_WHATIF_ACCOUNT_PRIVATE_H

#include "scopes/whatif/run_private.h"
#include "scopes/whatif/sums_private.h"

struct es__whatif_account {
	struct es_whatif_account account;
	struct es_whatif_frozen *frozen;
	/* Sums of the replay without a change.  Like replays with changes, it
	   leaves out time without a core. */
	struct es__whatif_sums unchanged;
};

/* Fills an account.  PATHS_OK; PATHS_ENOMEM.  The caller calls
   es__whatif_account_fini, also on failure. */
paths_status es__whatif_account_find(const struct es__whatif_run *run,
    struct es__whatif_account *account) PATHS_CHECKED;

/* Computes the drift of the replay of a run, as a share of the length of the
   run.  unchanged: the replay without a change.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__whatif_drift_find(const struct es__whatif_run *run,
    const struct es__whatif_times *unchanged, double *drift) PATHS_CHECKED;

void es__whatif_account_fini(struct es__whatif_account *account);

#endif
