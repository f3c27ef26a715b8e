/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/eager_private.h - finds the eager limit of MPI, from a
 * control variable and by probing
 */

#ifndef SCOPES_CALIBRATE_EAGER_PRIVATE_H
#define SCOPES_CALIBRATE_EAGER_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Finds the limit of each locality; called by all ranks. */
void es__eager_find(struct es__calibrate *c);

#endif
