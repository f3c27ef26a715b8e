/* SPDX-License-Identifier: MIT */
/*
 * examples/options.c - command line options of the examples
 */

#include "examples/options.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRONG_USAGE 2

static bool
is_flag(const struct options_row *row)
{
	return row->choices == NULL && row->from == row->to;
}

static void
print_help(const char *program, const char *about,
    const struct options_row *rows)
{
	printf("usage: eventspace run MAP -- %s [OPTIONS]\n%s\n\n", program,
	    about);
	for (; rows->name != NULL; rows++) {
		printf("  %-12s %s", rows->name, rows->about);
		if (rows->choices != NULL)
			printf(": %s", rows->choices);
		else if (!is_flag(rows))
			printf("; default %" PRIu32, *rows->value);
		printf("\n");
	}
}

/* Sets the value to the index of `text` among the choices. */
static bool
read_choice(const struct options_row *row, const char *text)
{
	size_t bytes = strlen(text);
	const char *word = row->choices;

	for (uint32_t n = 0;; n++) {
		size_t length = strcspn(word, "|");

		if (length == bytes && memcmp(word, text, bytes) == 0) {
			*row->value = n;
			return true;
		}
		if (word[length] == '\0')
			return false;
		word += length + 1;
	}
}

static bool
read_number(const struct options_row *row, const char *text)
{
	uint64_t number;

	if (paths_unit_parse(PATHS_UNIT_COUNT, text, row->from, row->to,
		&number) != PATHS_OK)
		return false;
	*row->value = (uint32_t)number;
	return true;
}

static _Noreturn void
refuse_value(const char *program, const struct options_row *row,
    const char *text)
{
	if (row->choices != NULL)
		fprintf(stderr, "%s: %s \"%s\": expected %s\n", program,
		    row->name, text, row->choices);
	else
		fprintf(stderr, "%s: %s %s: %s\n", program, row->name, text,
		    paths_log_last());
	exit(WRONG_USAGE);
}

/* Reads one option and its value; returns the number of words read. */
static int
read_option(const char *program, char **argv, const struct options_row *rows)
{
	const struct options_row *row = rows;
	const char *text = argv[1];

	while (row->name != NULL && strcmp(row->name, argv[0]) != 0)
		row++;
	if (row->name == NULL) {
		fprintf(stderr, "%s: \"%s\": no such option, see --help\n",
		    program, argv[0]);
		exit(WRONG_USAGE);
	}
	if (is_flag(row)) {
		*row->value = row->to;
		return 1;
	}
	if (text == NULL)
		text = "";
	if (!(row->choices != NULL ? read_choice : read_number)(row, text))
		refuse_value(program, row, text);
	return 2;
}

void
options_parse(char **argv, const char *about, const struct options_row *rows)
{
	const char *slash = strrchr(argv[0], '/');
	const char *program = slash != NULL ? slash + 1 : argv[0];

	/* libtool prefixes the names of programs that are not installed. */
	if (strncmp(program, "lt-", 3) == 0)
		program += 3;
	for (char **word = argv + 1; *word != NULL;) {
		if (strcmp(*word, "--help") == 0) {
			print_help(program, about, rows);
			exit(EXIT_SUCCESS);
		}
		word += read_option(program, word, rows);
	}
}
