/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/whatif_private.h - a run, its changes and its answers
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
	es_whatif_message *message; /* NULL: messages travel as they did */
	void *message_from;
	struct es__whatif_account account;
	/* Parts of the latest answer. */
	struct es_whatif_thread *before, *after;
	double *alone_ns;
	struct es__whatif_advised advised;
};

/* Completes one whose run is initialised.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__whatif_begin(struct es_whatif *whatif) PATHS_CHECKED;

#endif
