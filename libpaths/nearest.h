/* SPDX-License-Identifier: MIT */
/*
 * libpaths/nearest.h - finds the name that is nearest to a mistyped word
 *
 *	struct paths_nearest nearest;
 *
 *	paths_nearest_init(&nearest, "lod_balance");
 *	for (...)
 *		paths_nearest_try(&nearest, names[n]);
 *	... "%s: no such view%s", word, paths_nearest_hint(&nearest)
 */

#ifndef LIBPATHS_NEAREST_H
#define LIBPATHS_NEAREST_H

#include "libpaths/status.h"

PATHS_BEGIN_DECLS

/* The longest word or name that is compared, with its closing 0. */
#define PATHS_NEAREST_BYTES 64

struct paths_nearest {
	const char *word;
	unsigned distance;		/* of name in edits; at first a limit */
	char name[PATHS_NEAREST_BYTES]; /* the nearest so far; "": none */
	char hint[PATHS_NEAREST_BYTES + 24];
};

/*
 * paths_nearest_init - begin to look for the nearest name of a word
 *
 * Returns	nothing
 * Ownership	borrows word for as long as names are tried
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
PATHS_API void paths_nearest_init(struct paths_nearest *nearest,
    const char *word);

/*
 * paths_nearest_try - compare a name with the word
 *
 * The distance is the number of letters that were left out, added, replaced or
 * exchanged with their neighbour.  Case is ignored, and "-" is equal to "_".  A
 * name that begins with the word, in the same case, has at most distance 1, if
 * the word has 3 letters or more.  Of names with the same distance the first
 * one is kept.  Names over 63 bytes are ignored.
 *
 * Returns	nothing
 * Ownership	keeps a copy of name
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
PATHS_API void paths_nearest_try(struct paths_nearest *nearest,
    const char *name);

/*
 * paths_nearest_hint - the end of a message about an unknown word
 *
 * Returns	", did you mean NAME?"; "" when no name was near
 * Ownership	part of *nearest
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
PATHS_API const char *paths_nearest_hint(struct paths_nearest *nearest);

PATHS_END_DECLS

#endif
