/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/anneal_private.h - improves a placement by simulated annealing
 */

#ifndef SCOPES_PLACE_ANNEAL_PRIVATE_H
#define SCOPES_PLACE_ANNEAL_PRIVATE_H

#include "scopes/place/swap_private.h"

/* Makes random swaps while the temperature falls from `hot` to `cold`.  The
   unit of both is the mean weight of a pair times the range of distances.  Ends
   when `work` is used up. */
void es__anneal(struct es__swap *s, uint64_t work, double hot, double cold);

#endif
