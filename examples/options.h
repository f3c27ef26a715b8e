/* SPDX-License-Identifier: MIT */
/*
 * examples/options.h - command line options of the examples
 *
 * --help prints the options; a wrong option ends the program with status 2.
 */

#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <stdint.h>

/*
 * One option.  Its value is a number from `from` to `to`, or the index of one
 * of `choices`.  An option without choices whose `from` equals `to` is a flag
 * without a value.
 */
struct options_row {
	const char *name; /* "--width" */
	uint32_t *value;  /* in: the default, out: the value given */
	uint32_t from, to;
	const char *choices; /* "plate|cylinder"; NULL for numbers */
	const char *about;
};

/*
 * options_parse - parse the command line
 *
 * about	one line about the program
 * rows		options, ended by a row without a name
 *
 * Returns	if all options are right; otherwise the program ends
 * Threads	one
 * Since	0.1
 */
void options_parse(char **argv, const char *about,
    const struct options_row *rows);

#endif
