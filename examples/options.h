/* SPDX-License-Identifier: MIT */
/*
 * examples/options.h - the words after the name of an example
 *
 * --help prints the list; a wrong word ends the program with status 2.
 */

#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <stdint.h>

/*
 * One option: a number between from and to; or one of `choices`, counted
 * from 0; or, where from and to are the same, a word that stands alone.
 */
struct options_row {
	const char *name; /* "--width" */
	uint32_t *value;  /* holds the default, and takes what is given */
	uint32_t from, to;
	const char *choices; /* "plate|cylinder"; NULL for numbers */
	const char *about;
};

/*
 * options_parse - read the command line
 *
 * about	what the program does, one line
 * rows		its options, ended by a row without a name
 *
 * Returns	when every word is right; otherwise the program ends
 * Threads	one
 * Since	0.1
 */
void options_parse(char **argv, const char *about,
    const struct options_row *rows);

#endif
