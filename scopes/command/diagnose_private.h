/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/diagnose_private.h - prints the diagnostics of a run
 */

#ifndef SCOPES_COMMAND_DIAGNOSE_PRIVATE_H
#define SCOPES_COMMAND_DIAGNOSE_PRIVATE_H

#include "scopes/command/command.h"
#include "scopes/run.h"

/*
 * Prints the warnings and errors of a run, unless the command is quiet.
 *
 * Returns the exit status: PATHS_COMMAND_FAILED if the run has an error.
 */
int es__diagnose_print(const struct es_command *command,
    const struct es_run *run);

#endif
