/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/other_private.h - the event spaces in a run directory that are not
 * those of the run's processes
 */

#ifndef SCOPES_RUN_OTHER_PRIVATE_H
#define SCOPES_RUN_OTHER_PRIVATE_H

#include "scopes/run/mapless_list_private.h"

struct es_run;

/*
 * es__other_list_open - open the other event spaces of a directory
 *
 * Each becomes a process with a thread for each of its collectors.  Spaces that
 * cannot be read become diagnostics of the run.
 *
 * list	out
 * run	the run of the directory; NULL: all spaces are other ones
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mapless_list_close, also on failure
 */
paths_status es__other_list_open(struct es__mapless_list *list, const char *dir,
    struct es_run *run) PATHS_CHECKED;

#endif
