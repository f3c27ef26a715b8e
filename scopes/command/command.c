/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/command.c - what commands share
 */

#include "scopes/command/command.h"

#include "libpaths/log.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>

int
es_command_fail(const struct es_command *command)
{
	fprintf(stderr, "eventspace %s: %s\n", command->verb, paths_log_last());
	return ES_FAILED;
}

int
es_command_usage(const struct es_command *command, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list arguments;

	va_start(arguments, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, arguments);
	va_end(arguments);
	fprintf(stderr, "eventspace %s: %s, see eventspace %s --help\n",
	    command->verb, text, command->verb);
	return ES_USAGE;
}

void
es_command_note(const struct es_command *command, const char *fmt, ...)
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
es_command_option(struct es_command *command, int option, char **argv)
{
	const char *word = argv[optind - 1];

	switch (option) {
	case 'h':
		fputs(command->help, stdout);
		return ES_DONE;
	case 'A':
		puts(command->about);
		return ES_DONE;
	case 'q':
		command->quiet = true;
		return -1;
	case ':':
		return es_command_usage(command, "%s: a value is missing",
		    word);
	default:
		return es_command_usage(command, "%s: no such option", word);
	}
}
