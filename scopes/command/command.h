/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/command.h - what commands share: of this floor and of those
 * above
 *
 * Compiled into each of them, not part of the library.
 */

#ifndef SCOPES_COMMAND_COMMAND_H
#define SCOPES_COMMAND_COMMAND_H

#include "libpaths/base/command.h"

#include <stdbool.h>

/* A command on a run, as the functions below need it. */
struct es_command {
	const char *verb;
	bool quiet;
	struct paths_command_list plugins; /* see plugins.h */
};

/* Reports why the last call failed.  Returns PATHS_COMMAND_FAILED. */
int es_command_fail(const struct es_command *command);

/* Prints a line the user may want to know, unless quiet. */
void es_command_note(const struct es_command *command, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

#endif
