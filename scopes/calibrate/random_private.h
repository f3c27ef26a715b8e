/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/random_private.h - makes random numbers that are the same at
 * all ranks
 */

#ifndef SCOPES_CALIBRATE_RANDOM_PRIVATE_H
#define SCOPES_CALIBRATE_RANDOM_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Returns a number from 0 to below `most`, the same at all ranks. */
uint32_t es__random_below(struct es__calibrate *c, uint32_t most);

/* Returns a random order of the numbers below count. */
void es__random_order(struct es__calibrate *c, uint32_t *order, uint32_t count);

#endif
