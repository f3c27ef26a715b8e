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
 * In each epoch, the selected computations of each rank together take the mean
 * of those of the ranks that have some.  Work moves from the ranks above it to
 * those below, as moved_private.h describes.  If the ranks do not have the same
 * number of epochs, the run is taken as one.
 *
 * unchanged	out: the replay without a change that the lengths are of; NULL:
 *		it is not wanted
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
 * The time that the ranks of the selected computations compute longer than the
 * mean of all ranks moves to the other ranks in equal parts, as moved_private.h
 * describes.  The code of the other ranks is selected, too.
 *
 * Returns	as es__whatif_even_find; PATHS_EINVAL: no other rank computes
 */
paths_status es__whatif_share_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit) PATHS_CHECKED;

/* Returns the mean of the sums of ranks that are not 0. */
double es__whatif_even_mean(const double *sums, size_t ranks);

/* Frees what an edit selects and its means; spans are the caller's. */
void es__whatif_edit_fini(struct es__whatif_edit *edit);

#endif
