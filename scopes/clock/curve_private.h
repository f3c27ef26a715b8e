/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/curve_private.h - the pieces and windows of an aligned clock
 */

#ifndef SCOPES_CLOCK_CURVE_PRIVATE_H
#define SCOPES_CLOCK_CURVE_PRIVATE_H

#include "scopes/clock/clock_private.h"

#include "scopes/align/align_private.h"

/* Makes the conversion and the windows of a domain. */
paths_status es__clock_curve(const struct es__clocks *clocks,
    const struct es__align *align, uint32_t domain,
    struct es__clock_solution *solution) PATHS_CHECKED;

/* Lists the jumps of all clocks. */
paths_status es__clock_curve_jumps(const struct es__align *align,
    struct es__clock_result *result) PATHS_CHECKED;

#endif
