/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/command.h - messages and options of commands on a run
 *
 * Compiled into the commands of this floor and of the viewer, not part of the
 * library.
 */

#ifndef SCOPES_COMMAND_COMMAND_H
#define SCOPES_COMMAND_COMMAND_H

#include "scopes/analysis.h"

#include "libpaths/base/command.h"

#include <stdbool.h>

/* A command on a run. */
struct es_command {
	const char *verb;
	bool quiet;
	struct paths_command_list plugins; /* see plugins.h */
};

/* The option that names the method of clocks. */
#define ES_COMMAND_CLOCK(values, field) \
	{ \
		"clock", 0, "METHOD", \
		    "method that aligns the clocks of hosts, see " \
		    "eventspace-scope(1)", \
		    0, \
		    PATHS_COMMAND_TO_CHECKED(values, field, \
			es_analysis_check_clock) \
	}

/* Reports why the last call failed.  Returns PATHS_COMMAND_FAILED. */
int es_command_fail(const struct es_command *command);

/* Prints a line about the work, unless quiet. */
void es_command_note(const struct es_command *command, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

#endif
