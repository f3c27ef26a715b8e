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
 * In each epoch, the selected computations of a rank are scaled by one factor,
 * such that they take together the mean of those of the ranks that have some.
 * If the ranks do not have the same number of epochs, the run is taken as one.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_edit_fini, also on failure
 */
paths_status es__whatif_even_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit) PATHS_CHECKED;

/* Returns the mean of the sums of ranks that are not 0. */
double es__whatif_even_mean(const double *sums, size_t ranks);

/* Frees what an edit selects and its means; spans are the caller's. */
void es__whatif_edit_fini(struct es__whatif_edit *edit);

#endif
