/* SPDX-License-Identifier: MIT */
/*
 * libpaths/nearest.h - the name that a mistyped word was meant to be
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

/* The longest word and name that are compared, the closing 0 included. */
#define PATHS_NEAREST_BYTES 64

struct paths_nearest {
	const char *word;
	unsigned distance;		/* of name, in edits */
	char name[PATHS_NEAREST_BYTES]; /* the nearest so far; "": none */
	char hint[PATHS_NEAREST_BYTES + 24];
};

/*
 * paths_nearest_init - begin to look for the name of a word
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
 * exchanged with their neighbour; case, and "-" for "_", count nothing.  A name
 * that begins with the word is near it, too.  Of names that are as near the
 * first one is kept.  Names of over 63 bytes are never near.
 *
 * Returns	nothing
 * Ownership	keeps a copy of name
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
PATHS_API void paths_nearest_try(struct paths_nearest *nearest,
    const char *name);

/*
 * paths_nearest_hint - the end of a message about a word that is not known
 *
 * Returns	", did you mean NAME?"; "" when no name was near
 * Ownership	part of *nearest
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
PATHS_API const char *paths_nearest_hint(struct paths_nearest *nearest);

#endif
