/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/even_private.h - finds the mean lengths of computations over
 * ranks
 */

#ifndef SCOPES_WHATIF_EVEN_PRIVATE_H
#define SCOPES_WHATIF_EVEN_PRIVATE_H

#include "scopes/whatif/pass_private.h"

/*
 * es__whatif_even_find - find the mean lengths of an edit with effect EVEN
 *
 * In each epoch, the sum of the selected computations of each rank becomes the
 * mean over the ranks that have some.  Work moves from ranks above the mean to
 * ranks below it, as moved_private.h describes.  If the ranks do not have the
 * same number of epochs, the whole run counts as one epoch.
 *
 * unchanged	out: times of the replay without a change; NULL: not needed
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_edit_fini, also on failure, and
 *		frees unchanged->end_ns
 */
paths_status es__whatif_even_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit, struct es__whatif_times *unchanged)
    PATHS_CHECKED;

/*
 * es__whatif_share_find - find the lengths of an edit with effect SHARE
 *
 * The ranks of the selected computations give away the time that they compute
 * longer than the mean of all ranks.  The other ranks get it in equal parts, as
 * moved_private.h describes.  Also selects the computations of the other ranks
 * that take this work.
 *
 * Returns	as es__whatif_even_find; PATHS_EINVAL: no other rank computes
 */
paths_status es__whatif_share_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit) PATHS_CHECKED;

/* Returns the mean of the sums of ranks that are not 0. */
double es__whatif_even_mean(const double *sums, size_t ranks);

/* Frees the members of an edit, except its spans, which are the caller's. */
void es__whatif_edit_fini(struct es__whatif_edit *edit);

#endif
