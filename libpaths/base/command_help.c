/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/command_help.c - prints the text of --help
 */

#include "libpaths/base/command_help.h"

#include <stdio.h>
#include <string.h>

#define HELP_WIDTH 79
/* A longer option has its description on the next line. */
#define HELP_COLUMN_MOST 26

static const struct paths_command_option help_common[] = {
	{ .name = "help",
	    .letter = 'h',
	    .about = "this text",
	    .kind = PATHS_COMMAND_SET },
	{ .name = "about",
	    .about = "one line about the command",
	    .kind = PATHS_COMMAND_SET },
	{ .name = "version",
	    .about = "version of eventspace",
	    .kind = PATHS_COMMAND_SET },
};

#define HELP_COMMON (sizeof(help_common) / sizeof(help_common[0]))

static const char help_exits[] =
    "  0  done\n"
    "  1  failed; the reason is on standard error\n"
    "  2  wrong usage\n";

/* Writes "  -o, --output FILE" to text.  Returns its length. */
static size_t
help_option(const struct paths_command_option *option, char text[64])
{
	char letter[8] = "";

	if (option->letter != '\0')
		snprintf(letter, sizeof(letter), "-%c, ", option->letter);
	return (size_t)snprintf(text, 64, "  %s--%s%s%s", letter, option->name,
	    option->argument == NULL ? "" : " ",
	    option->argument == NULL ? "" : option->argument);
}

/* Returns the column in which descriptions of options begin. */
static size_t
help_column(const struct paths_command_option *options, size_t count)
{
	size_t column = 0, length;
	char text[64];

	for (size_t n = 0; n < count; n++) {
		if (options[n].kind == PATHS_COMMAND_HEADING)
			continue;
		length = help_option(&options[n], text) + 2;
		if (length > column && length <= HELP_COLUMN_MOST)
			column = length;
	}
	return column;
}

/* Prints words from a column on, broken into lines. */
static void
help_words(const char *words, size_t column, size_t at)
{
	while (*words != '\0') {
		size_t length = strcspn(words, " ");

		if (at > column && at + 1 + length > HELP_WIDTH) {
			printf("\n%*s", (int)column, "");
			at = column;
		} else if (at > column) {
			putchar(' ');
			at++;
		}
		printf("%.*s", (int)length, words);
		at += length;
		words += length + strspn(words + length, " ");
	}
	putchar('\n');
}

static void
help_print_option(const struct paths_command_option *option, size_t column)
{
	char text[64];
	size_t length;

	if (option->kind == PATHS_COMMAND_HEADING) {
		printf("\n%s\n", option->about);
		return;
	}
	length = help_option(option, text);
	if (length + 2 > column)
		printf("%s\n%*s", text, (int)column, "");
	else
		printf("%-*s", (int)column, text);
	help_words(option->about, column, column);
}

/* Prints a line for each way to call the command. */
static void
help_usage(const struct paths_command *command)
{
	const char *blank = command->verb[0] == '\0' ? "" : " ";
	const char *from = command->usage;
	const char *head = "usage:";

	for (;; from++) {
		size_t length = strcspn(from, "\n");

		printf("%s eventspace%s%s %.*s\n", head, blank, command->verb,
		    (int)length, from);
		from += length;
		if (*from == '\0')
			return;
		head = "      ";
	}
}

int
paths_command_help(const struct paths_command *command)
{
	size_t column = help_column(command->options, command->option_count);
	size_t common = help_column(help_common, HELP_COMMON);

	if (column < common)
		column = common;
	help_usage(command);
	if (command->text[0] != '\0')
		printf("\n%s\n", command->text);
	if (command->option_count == 0 ||
	    command->options[0].kind != PATHS_COMMAND_HEADING)
		printf("\nOptions:\n");
	for (size_t n = 0; n < command->option_count; n++)
		help_print_option(&command->options[n], column);
	for (size_t n = 0; n < HELP_COMMON; n++)
		help_print_option(&help_common[n], column);
	if (command->more != NULL)
		command->more();
	printf("\nExit status:\n%s",
	    command->exits == NULL ? help_exits : command->exits);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return PATHS_COMMAND_DONE;
	return paths_command_fail(command->verb,
	    "standard output: not written");
}
