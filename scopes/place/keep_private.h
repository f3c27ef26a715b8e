/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/keep_private.h - placements in which processes stay
 */

#ifndef SCOPES_PLACE_KEEP_PRIVATE_H
#define SCOPES_PLACE_KEEP_PRIVATE_H

#include "scopes/place/swap_private.h"

/*
 * es__keep_place - find places for processes that have none
 *
 * The others stay where they are.  There is a place for each process.
 *
 * places	of each process, or ES__SWAP_EMPTY; in and out
 * seed		of random choices
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__keep_place(const struct es_machine *m,
    const struct es_traffic *t, uint64_t seed, uint32_t *places) PATHS_CHECKED;

/* Swaps processes back to the places that they have now, as far as this costs
   nothing. */
void es__keep_return(struct es__swap *s, const uint32_t *current,
    uint32_t *places);

#endif
