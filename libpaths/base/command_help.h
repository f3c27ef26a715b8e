/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/command_help.h - prints the text of --help
 */

#ifndef LIBPATHS_BASE_COMMAND_HELP_H
#define LIBPATHS_BASE_COMMAND_HELP_H

#include "libpaths/base/command.h"

/* Prints the text of --help on standard output.  Returns the exit status. */
int paths_command_help(const struct paths_command *command);

#endif
