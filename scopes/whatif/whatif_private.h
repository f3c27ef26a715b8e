/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/whatif_private.h - the state of es_whatif: a run, its changes,
 * and the latest results
 */

#ifndef SCOPES_WHATIF_WHATIF_PRIVATE_H
#define SCOPES_WHATIF_WHATIF_PRIVATE_H

#include "scopes/whatif/account_private.h"
#include "scopes/whatif/advise_private.h"
#include "scopes/whatif/change_private.h"
#include "scopes/whatif/sums_private.h"

struct es_whatif {
	struct es__whatif_run run;
	struct es__whatif_change **changes;
	size_t change_count, change_room;
	/* NULL: the travel of messages does not change. */
	es_whatif_message *message;
	void *message_from;
	struct es__whatif_account account;
	/* Memory of the latest results, which the library lends to the
	   caller. */
	struct es_whatif_thread *before, *after;
	double *alone_ns;
	struct es__whatif_advised advised;
};

/* Completes a struct whose run is initialised.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__whatif_begin(struct es_whatif *whatif) PATHS_CHECKED;

#endif
