/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/logical_private.h - checks aligned clocks, and corrects the few
 * stamps that contradict a message
 */

#ifndef SCOPES_CLOCK_LOGICAL_PRIVATE_H
#define SCOPES_CLOCK_LOGICAL_PRIVATE_H

#include "scopes/clock/clock_private.h"

/*
 * es__clock_logical - correct clocks by the controlled logical clock
 *
 * Counts the messages that are received before they are sent.  When there are
 * a few, the conversions of the clocks are bent around them until there are
 * none; when there are many, the clocks are left as they are, because this
 * corrects stamps and does not align clocks.
 *
 * result	of a method; its conversions, bounds and `logical` change
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__clock_logical(const struct es_analysis *a,
    struct es__clock_result *result) PATHS_CHECKED;

#endif
