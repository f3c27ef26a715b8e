/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside_cycle_private.h - finds deadlocks: threads that wait for
 * each other in a cycle
 */

#ifndef SCOPES_PATH_INSIDE_CYCLE_PRIVATE_H
#define SCOPES_PATH_INSIDE_CYCLE_PRIVATE_H

#include "scopes/path/inside_private.h"

/*
 * es__inside_cycle_diagnose - find the threads that can never continue
 *
 * Adds a diagnostic "deadlock" for each cycle.  In a live run, only operations
 * that have been under way for a second count.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__inside_cycle_diagnose(struct es_analysis *a,
    const struct es__inside_paths *inside) PATHS_CHECKED;

#endif
