/* SPDX-License-Identifier: MIT */
/*
 * scopes/command.c - what eventspace scope, show and sql share
 */

#include "scopes/command_private.h"

#include "libpaths/log.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>

int
es__command_fail(const struct es__command *command)
{
	fprintf(stderr, "eventspace %s: %s\n", command->verb, paths_log_last());
	return ES__FAILED;
}

int
es__command_usage(const struct es__command *command, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list arguments;

	va_start(arguments, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, arguments);
	va_end(arguments);
	fprintf(stderr, "eventspace %s: %s, see eventspace %s --help\n",
	    command->verb, text, command->verb);
	return ES__USAGE;
}

void
es__command_note(const struct es__command *command, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list arguments;

	if (command->quiet)
		return;
	va_start(arguments, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, arguments);
	va_end(arguments);
	fprintf(stderr, "eventspace %s: %s\n", command->verb, text);
}

int
es__command_option(struct es__command *command, int option, char **argv)
{
	const char *word = argv[optind - 1];

	switch (option) {
	case 'h':
		fputs(command->help, stdout);
		return ES__DONE;
	case 'A':
		puts(command->about);
		return ES__DONE;
	case 'q':
		command->quiet = true;
		return -1;
	case ':':
		return es__command_usage(command, "%s: a value is missing",
		    word);
	default:
		return es__command_usage(command, "%s: no such option", word);
	}
}
