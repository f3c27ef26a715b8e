/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/bound_private.h - bounds of the errors of clocks
 */

#ifndef SCOPES_ALIGN_BOUND_PRIVATE_H
#define SCOPES_ALIGN_BOUND_PRIVATE_H

#include "scopes/align/align_private.h"

/* Computes the bounds of each window, after es__align_network or
   es__align_windows. */
paths_status es__align_bounds(struct es__align *align) PATHS_CHECKED;

#endif
