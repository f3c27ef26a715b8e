/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/account_private.h - how far the replay of a run can be trusted
 *
 * The graph holds the measured run, so a replay with lost cores gives it back,
 * because where clocks contradict each other operations have negative lengths.
 * The drift is
 * that of a replay in which none has: it is as long as the run if all that the
 * graph says about dependences is true.
 */

#ifndef SCOPES_WHATIF_ACCOUNT_PRIVATE_H
#define SCOPES_WHATIF_ACCOUNT_PRIVATE_H

#include "scopes/whatif/run_private.h"
#include "scopes/whatif/sums_private.h"

struct es__whatif_account {
	struct es_whatif_account account;
	struct es_whatif_frozen *frozen;
	/* Sums of the replay without a change.  It leaves out lost cores, as
	   replays with changes do. */
	struct es__whatif_sums unchanged;
};

/* Fills an account.  PATHS_OK; PATHS_ENOMEM.  The caller calls
   es__whatif_account_fini, also on failure. */
paths_status es__whatif_account_find(const struct es__whatif_run *run,
    struct es__whatif_account *account) PATHS_CHECKED;

/* Finds the drift of the replay of a run, as a share of it.  unchanged:
   the replay of it without a change.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__whatif_drift_find(const struct es__whatif_run *run,
    const struct es__whatif_times *unchanged, double *drift) PATHS_CHECKED;

void es__whatif_account_fini(struct es__whatif_account *account);

#endif
