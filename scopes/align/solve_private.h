/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/solve_private.h - solves the least squares problem of all clocks
 */

#ifndef SCOPES_ALIGN_SOLVE_PRIVATE_H
#define SCOPES_ALIGN_SOLVE_PRIVATE_H

#include "scopes/align/network_private.h"

/* Returns what a solution predicts for a middle. */
double es__align_solve_predict(const struct es__align_network *network,
    const struct es__align_middle *middle, const double *solution);

/* Solves the problem from the solution that is there. */
paths_status es__align_solve(struct es__align_network *network) PATHS_CHECKED;

#endif
