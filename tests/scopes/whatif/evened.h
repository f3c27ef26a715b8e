/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/evened.h - how long the computations of a simulated
 * program take if its work is evened out
 */

#ifndef TESTS_SCOPES_WHATIF_EVENED_H
#define TESTS_SCOPES_WHATIF_EVENED_H

#include "tests/scopes/graph/simulated.h"

/* Finds the factor of each computation of a program, whose work is noted.
   Returns how many have another one than all code of their rank in the epoch
   would have.  spread: grows by those that take more than twice their time, the
   same time as others of the code. */
uint32_t evened_factors(const struct simulated *program, double *factors,
    uint32_t *spread);

#endif
