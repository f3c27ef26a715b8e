/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/renamed_private.h - code that has another name in the other run
 */

#ifndef SCOPES_DIFF_RENAMED_PRIVATE_H
#define SCOPES_DIFF_RENAMED_PRIVATE_H

#include "scopes/diff/diff_private.h"

/*
 * es__diff_renamed - find code that lies between other calls in the other run
 *
 * Sets renamed_ns of the entries of a computation that one of the runs lacks:
 * the time that the same thread spends in code that only the other run
 * has.  Code that begins or ends at the same place comes first.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__diff_renamed(struct es_diff *d) PATHS_CHECKED;

#endif
