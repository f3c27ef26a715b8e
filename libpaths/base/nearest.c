/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/nearest.c - finds the name that is nearest to a mistyped word
 *
 * Optimal string alignment distance: the Levenshtein distance, with the
 * exchange of two neighbours as one edit.
 */

#include "libpaths/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NEAREST_BYTES PATHS_NEAREST_BYTES

/* Distance of a name that begins with the word. */
#define NEAREST_BEGINNING 1
/* Shorter words are the beginning of too many names. */
#define NEAREST_BEGINNING_LEAST 3

static int
nearest_letter(char letter)
{
	return letter == '-' ? '_' : tolower((unsigned char)letter);
}

static unsigned
nearest_least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Returns the distance of two texts that are shorter than NEAREST_BYTES. */
static unsigned
nearest_distance(const char *a, const char *b)
{
	unsigned rows[3][NEAREST_BYTES];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];
	size_t columns = strlen(b);

	for (unsigned j = 0; j <= columns; j++)
		row[j] = j;
	for (unsigned i = 1; a[i - 1] != '\0'; i++) {
		unsigned *free = before;
		int letter = nearest_letter(a[i - 1]);

		before = above;
		above = row;
		row = free;
		row[0] = i;
		for (unsigned j = 1; j <= columns; j++) {
			int other = nearest_letter(b[j - 1]);

			row[j] = nearest_least(above[j], row[j - 1]) + 1;
			row[j] = nearest_least(row[j],
			    above[j - 1] + (letter != other));
			if (i > 1 && j > 1 &&
			    letter == nearest_letter(b[j - 2]) &&
			    nearest_letter(a[i - 2]) == other)
				row[j] =
				    nearest_least(row[j], before[j - 2] + 1);
		}
	}
	return row[columns];
}

void
paths_nearest_init(struct paths_nearest *nearest, const char *word)
{
	size_t length = strlen(word);

	*nearest = (struct paths_nearest){ .word = word,
		.distance =
		    length < NEAREST_BYTES ? 2 + (unsigned)length / 4 : 0 };
	/* A name must share a letter with the word. */
	if (nearest->distance > length)
		nearest->distance = (unsigned)length;
}

void
paths_nearest_try(struct paths_nearest *nearest, const char *name)
{
	size_t length = strlen(nearest->word);
	unsigned distance;

	if (nearest->distance == 0 || strlen(name) >= NEAREST_BYTES)
		return;
	distance = nearest_distance(nearest->word, name);
	if (length >= NEAREST_BEGINNING_LEAST &&
	    strncmp(name, nearest->word, length) == 0)
		distance = nearest_least(distance, NEAREST_BEGINNING);
	if (distance >= nearest->distance)
		return;
	nearest->distance = distance;
	strcpy(nearest->name, name);
}

const char *
paths_nearest_hint(struct paths_nearest *nearest)
{
	nearest->hint[0] = '\0';
	if (nearest->name[0] != '\0')
		snprintf(nearest->hint, sizeof(nearest->hint),
		    ", did you mean %s?", nearest->name);
	return nearest->hint;
}
