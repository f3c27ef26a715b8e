/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/advise_private.h - finds the single changes that gain most
 *
 * Candidates are changes that could gain 1 % of the run: ranks that compute
 * longer than the median, code that is evened out or quicker, an ideal network,
 * sends and collectives that do not wait.  Code with too little time on the
 * critical path, and collectives with too little waiting, are left out at once.
 * All other candidates are replayed.
 */

#ifndef SCOPES_WHATIF_ADVISE_PRIVATE_H
#define SCOPES_WHATIF_ADVISE_PRIVATE_H

#include "scopes/whatif/account_private.h"

#define ES__WHATIF_ADVICE_MOST 10u

struct es__whatif_advised {
	struct es_whatif_advice list[ES__WHATIF_ADVICE_MOST];
	size_t count;
};

/* Finds advice.  PATHS_OK; PATHS_ENOMEM.  The caller calls
   es__whatif_advised_fini, also on failure. */
paths_status es__whatif_advise(const struct es__whatif_run *run,
    const struct es__whatif_account *account,
    struct es__whatif_advised *advised) PATHS_CHECKED;

void es__whatif_advised_fini(struct es__whatif_advised *advised);

#endif
