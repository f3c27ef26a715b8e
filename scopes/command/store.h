/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/store.h - opens the view.db of a run
 */

#ifndef SCOPES_COMMAND_STORE_H
#define SCOPES_COMMAND_STORE_H

#include "scopes/command/command.h"
#include "scopes/store.h"

#include <limits.h>

/* The view.db of a run; temporary when the run directory is read-only. */
struct es_command_file {
	char path[PATH_MAX];
	char folder[PATH_MAX]; /* that holds only this file; "": it stays */
};

/*
 * Finds the view.db of a run, which is computed first if it is missing or older
 * than the run.  The caller calls es_command_file_remove after PATHS_OK.
 *
 * run		a run directory, or a view.db
 */
paths_status es_command_file_find(const struct es_command *command,
    const char *run, struct es_command_file *file) PATHS_CHECKED;

/* Removes the file if it is temporary.  A store that is open stays usable. */
void es_command_file_remove(const struct es_command_file *file);

/*
 * Opens the views of a run, which are computed first if they are missing or
 * older than the run.
 *
 * run		a run directory, or a view.db
 */
paths_status es_command_store(const struct es_command *command, const char *run,
    struct es_store **store) PATHS_CHECKED;

/* Returns true if the views were computed while the run was under way. */
bool es_command_is_live(struct es_store *store);

/* Returns true if a run directory has an event space. */
bool es_command_has_space(const char *run);

#endif
