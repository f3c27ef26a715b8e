/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/keep_private.h - changes placements so that processes keep their
 * places
 */

#ifndef SCOPES_PLACE_KEEP_PRIVATE_H
#define SCOPES_PLACE_KEEP_PRIVATE_H

#include "scopes/place/swap_private.h"

/*
 * es__keep_place - find places for processes that have none
 *
 * Processes that have a place keep it.  There must be a place for each process.
 *
 * places	in and out: place of each process, or ES__SWAP_EMPTY
 * seed		seed of random choices
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__keep_place(const struct es_machine *m,
    const struct es_traffic *t, uint64_t seed, uint32_t *places) PATHS_CHECKED;

/* Swaps processes back to their places in `current`, as far as this does not
   increase the cost. */
void es__keep_return(struct es__swap *s, const uint32_t *current,
    uint32_t *places);

#endif
