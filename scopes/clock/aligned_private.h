/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/aligned_private.h - clocks aligned by messages (scopes/align)
 */

#ifndef SCOPES_CLOCK_ALIGNED_PRIVATE_H
#define SCOPES_CLOCK_ALIGNED_PRIVATE_H

#include "scopes/clock/clock_private.h"

/*
 * es__clock_aligned - align the clocks by the messages of operations
 *
 * network	corrects the lines of all clocks together
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__clock_aligned(const struct es_analysis *a, bool network,
    struct es__clock_result *result) PATHS_CHECKED;

#endif
