/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/command.h - what commands share: of this floor and of those
 * above
 *
 * Compiled into each of them, not part of the library.
 */

#ifndef SCOPES_COMMAND_COMMAND_H
#define SCOPES_COMMAND_COMMAND_H

#include "scopes/store.h"

#include <stdbool.h>

/* The exit status of every command. */
#define ES_DONE 0
#define ES_FAILED 1
#define ES_USAGE 2

struct es_command {
	const char *verb;
	const char *about; /* one line */
	const char *help;  /* "usage: ..." and what the options mean */
	bool quiet;
};

/* Say why the last call failed.  Returns ES_FAILED. */
int es_command_fail(const struct es_command *command);

/* Say what is wrong with the command line.  Returns ES_USAGE. */
int es_command_usage(const struct es_command *command, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Say something the user may want to know, unless quiet. */
void es_command_note(const struct es_command *command, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * The option getopt_long came back with, where every command means the same:
 * 'h' help, 'A' about, 'q' quiet.  Returns the exit status, or -1: go on.
 */
int es_command_option(struct es_command *command, int option, char **argv);

/*
 * Open what was computed of a run, after computing it where that was not done
 * since the run was.  run: a run directory, or a view.db itself.
 */
paths_status es_command_store(const struct es_command *command, const char *run,
    struct es_store **store) PATHS_CHECKED;

#endif
