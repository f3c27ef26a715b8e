/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/command_report.c - prints the errors of a command
 */

#include "libpaths/base/command_report.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <string.h>

void
paths_command_print(const char *verb, const char *fmt, va_list args)
{
	char text[2 * PATHS_LOG_BYTES];

	(void)vsnprintf(text, sizeof(text), fmt, args);
	fprintf(stderr, "eventspace%s%s: %s\n", verb[0] == '\0' ? "" : " ",
	    verb, text);
}

int
paths_command_fail(const char *verb, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	paths_command_print(verb, fmt, args);
	va_end(args);
	return PATHS_COMMAND_FAILED;
}

int
paths_command_wrong(const char *verb, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	const char *blank = verb[0] == '\0' ? "" : " ";
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	/* A text that ends with a question gives advice already. */
	if (text[0] != '\0' && text[strlen(text) - 1] == '?')
		(void)paths_command_fail(verb, "%s", text);
	else
		(void)paths_command_fail(verb, "%s, see eventspace%s%s --help",
		    text, blank, verb);
	return PATHS_COMMAND_WRONG;
}
