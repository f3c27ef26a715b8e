/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/notes.c - the troubles of a gather tree, in a file of the run
 * directory
 *
 * The file has a line for each subject, so that all that opens the run knows
 * what it lacks (scopes/run/notes.c).  It is replaced as a whole, under the
 * lock of its directory.
 */

#include "scopes/gather/notes_private.h"

#include "libpaths/program/run_copy.h"
#include "scopes/run/notes_private.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Subjects, at most. */
#define NOTES_MOST 1000u

#define NOTES_LINE_BYTES 1024

/* Writes a note as a line. */
static void
notes_put(FILE *to, const char *note)
{
	for (; *note != '\0'; note++)
		fputc(*note == '\n' ? ' ' : *note, to);
	fputc('\n', to);
}

/* Copies the lines, with the note in place of that about its subject.
   subject: bytes of the note that name it */
static void
notes_replace(FILE *from, FILE *to, const char *note, size_t subject)
{
	const bool over = strcmp(note + subject, ES__NOTES_OVER) == 0;
	char line[NOTES_LINE_BYTES];
	bool done = over;

	for (size_t n = 0; from != NULL && n < NOTES_MOST &&
	     fgets(line, sizeof(line), from) != NULL;
	     n++) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, note, subject) != 0)
			notes_put(to, line);
		else if (!done)
			notes_put(to, note);
		done |= strncmp(line, note, subject) == 0;
	}
	if (!done)
		notes_put(to, note);
}

void
es__notes_take(const char *directory, const char *note)
{
	const char *colon = strstr(note, ": ");
	char file[PATH_MAX], made[PATH_MAX];
	FILE *from, *to;
	int lock;

	if (colon == NULL ||
	    snprintf(file, sizeof(file), "%s/" ES__NOTES_FILE, directory) >=
		(int)sizeof(file) ||
	    snprintf(made, sizeof(made), "%s/." ES__NOTES_FILE ".tmp",
		directory) >= (int)sizeof(made))
		return;
	lock = paths__run_copy_lock(directory);
	from = fopen(file, "re");
	to = lock < 0 ? NULL : fopen(made, "we");
	if (to != NULL) {
		bool whole;

		notes_replace(from, to, note, (size_t)(colon + 2 - note));
		whole = !ferror(to);
		if (fclose(to) != 0 || !whole || rename(made, file) != 0)
			unlink(made);
	}
	if (from != NULL)
		fclose(from);
	if (lock >= 0)
		close(lock);
}
