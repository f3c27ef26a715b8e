/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/anneal_private.h - simulated annealing
 */

#ifndef SCOPES_PLACE_ANNEAL_PRIVATE_H
#define SCOPES_PLACE_ANNEAL_PRIVATE_H

#include "scopes/place/swap_private.h"

/* Makes random swaps while the temperature falls from `hot` to `cold`, both in
   mean weights of a pair times the range of distances; ends when `work` is
   done. */
void es__anneal(struct es__swap *s, uint64_t work, double hot, double cold);

#endif
