/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/store.h - opens the view.db of a run
 */

#ifndef SCOPES_COMMAND_STORE_H
#define SCOPES_COMMAND_STORE_H

#include "scopes/command/command.h"
#include "scopes/store.h"

/*
 * Opens the views of a run, which are computed first if they are missing or
 * older than the run.
 *
 * run		a run directory, or a view.db
 */
paths_status es_command_store(const struct es_command *command, const char *run,
    struct es_store **store) PATHS_CHECKED;

#endif
