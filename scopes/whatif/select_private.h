/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/select_private.h - selects the activities of a change
 */

#ifndef SCOPES_WHATIF_SELECT_PRIVATE_H
#define SCOPES_WHATIF_SELECT_PRIVATE_H

#include "scopes/whatif/phase_private.h"

/*
 * es__whatif_select - select activities by keys
 *
 *	rank=LIST		of these ranks, such as 0,2-5
 *	thread=NAME,...		of these threads of the map, or of these numbers
 *	after=PLACE		computations behind the calls there
 *	before=PLACE		before them
 *	site=PLACE		before or behind them
 *	call=PLACE		the calls there, not computations
 *	stage=NAME		operations at a stage of paths
 *	phase=N			in the loop of that number
 *	iteration=N[-M]		in iterations; without phase, of the steps
 *
 * text		the first `bytes` are keys and values, with commas between; 0:
 *		all computations are selected
 * edit		out: selected and when
 * spans	out: of the edit, which the caller frees; NULL: none
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
