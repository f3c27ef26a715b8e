/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/command.c - messages of commands on a run
 */

#include "scopes/command/command.h"

#include "libpaths/log.h"

#include <stdarg.h>

int
es_command_fail(const struct es_command *command)
{
	return paths_command_fail(command->verb, "%s", paths_log_last());
}

void
es_command_note(const struct es_command *command, const char *fmt, ...)
{
	va_list arguments;

	if (command->quiet)
		return;
	va_start(arguments, fmt);
	paths_command_print(command->verb, fmt, arguments);
	va_end(arguments);
}
