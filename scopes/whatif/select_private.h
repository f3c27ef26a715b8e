/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/select_private.h - selects the activities that a change applies
 * to, by keys
 */

#ifndef SCOPES_WHATIF_SELECT_PRIVATE_H
#define SCOPES_WHATIF_SELECT_PRIVATE_H

#include "scopes/whatif/phase_private.h"

/*
 * es__whatif_select - select activities by keys
 *
 *	rank=LIST		activities of these ranks, such as 0,2-5
 *	thread=NAME,...		activities of these threads, by name in the map
 *				or by number
 *	after=PLACE		computations that begin after calls at PLACE
 *	before=PLACE		computations that end before calls at PLACE
 *	site=PLACE		both of these
 *	call=PLACE		the calls at PLACE, not computations
 *	stage=NAME		operations at a stage of paths
 *	phase=N			in the loop of that number
 *	iteration=N[-M]		in these iterations of the phase, or of the
 *				steps
 *
 * text		its first `bytes` bytes are keys and values, separated by
 *		commas; bytes 0: selects all computations
 * edit		out: members `selected` and `when`
 * spans	out: memory of edit->when, which the caller frees; NULL: none
 *
 * Returns	as es__whatif_change_read
 */
paths_status es__whatif_select(const struct es__whatif_run *run,
    const char *text, size_t bytes, struct es__whatif_edit *edit,
    struct es__whatif_spans **spans) PATHS_CHECKED;

/* Selects the computations before the operations at a place that wait for
   members.  Returns as es__whatif_change_read. */
paths_status es__whatif_select_wait(const struct es__whatif_run *run,
    const char *place, struct es__whatif_edit *edit) PATHS_CHECKED;

/*
 * es__whatif_select_joins - select joins of paths by the name of their stage,
 * which may have wildcards
 *
 * groups	out: of edit
 *
 * Returns	as es__whatif_change_read
 * Ownership	the caller frees *groups
 */
paths_status es__whatif_select_joins(const struct es__whatif_run *run,
    const char *stage, struct es__whatif_edit *edit, bool **groups)
    PATHS_CHECKED;

#endif
