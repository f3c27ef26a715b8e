/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/change_private.h - parses the text of a change of a run
 *
 *	[KEY=VALUE,...:]even	computations take their mean over ranks
 *	KEY=VALUE,...:share	their time above the mean moves to other ranks
 *	[KEY=VALUE,...]:xFACTOR	computations take FACTOR times as long
 *	call=PLACE:xFACTOR	own time of calls, likewise
 *	nowait=PLACE		a collective, or a join, does not wait for its
 *				members
 *	map=FILE		joins are as in another path map
 *	latency=CHANGE		of all messages; also latency-inside, between
 *	bandwidth=CHANGE	the same
 *	eager=BYTES|all		sends of so many bytes do not wait for receives
 *	ideal			calls take no time of their own
 *
 * The keys are rank, thread, after, before, site, phase and iteration.
 */

#ifndef SCOPES_WHATIF_CHANGE_PRIVATE_H
#define SCOPES_WHATIF_CHANGE_PRIVATE_H

#include "scopes/whatif/even_private.h"
#include "scopes/whatif/run_private.h"

struct es__whatif_change {
	char *text;
	/* It has an edit; otherwise it has one of the members below `spans`. */
	bool edits;
	struct es__whatif_edit edit;
	struct es__whatif_spans *spans; /* spans of the edit; NULL: none */
	/* Changes of messages, of calls and of joins. */
	struct es__whatif_travel travel[ES__WHATIF_LINKS];
	bool eager;
	uint64_t eager_bytes;
	bool ideal;
	struct es__whatif_shapes *shapes; /* NULL: joins stay as in the run */
	bool *groups;			  /* memory of edit.groups */
};

/*
 * es__whatif_change_read - read a change
 *
 * change	out
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	no such change, place, rank, phase or iteration,
 *				or the graph cannot tell: paths_log_last gives
 *				the reason and the nearest name
 *		PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_change_fini, also on failure
 */
paths_status es__whatif_change_read(const struct es__whatif_run *run,
    const char *text, struct es__whatif_change *change) PATHS_CHECKED;

void es__whatif_change_fini(const struct es__whatif_run *run,
    struct es__whatif_change *change);

/* Makes the setting of a replay with changes.  edits: room for count. */
void es__whatif_change_set(const struct es__whatif_run *run,
    const struct es__whatif_change *const *changes, size_t count,
    const struct es__whatif_edit **edits, struct es__whatif_setting *setting);

#endif
