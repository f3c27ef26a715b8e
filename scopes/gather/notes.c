/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/notes.c - the troubles of a gather tree, in a file of the run
 * directory
 *
 * The file has a line for each subject, so that all that opens the run knows
 * what it lacks (scopes/run/notes.c).  It is replaced as a whole.
 */

#include "scopes/gather/notes_private.h"

#include "libpaths/base/array.h"
#include "scopes/run/notes_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Subjects, at most. */
#define NOTES_MOST 1000u

#define NOTES_LINE_BYTES 1024

struct es__notes {
	char file[PATH_MAX], made[PATH_MAX];
	char **lines;
	size_t count, room;
};

/* Appends a line, which the notes own from then on. */
static void
notes_append(struct es__notes *notes, char *line)
{
	if (line != NULL && notes->count < NOTES_MOST &&
	    paths__array_grow(&notes->lines, notes->count, &notes->room,
		sizeof(*notes->lines)))
		notes->lines[notes->count++] = line;
	else
		free(line);
}

/* Takes the lines of the file. */
static void
notes_read(struct es__notes *notes)
{
	char line[NOTES_LINE_BYTES];
	FILE *from = fopen(notes->file, "re");

	while (from != NULL && notes->count < NOTES_MOST &&
	    fgets(line, sizeof(line), from) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		notes_append(notes, strdup(line));
	}
	if (from != NULL)
		fclose(from);
}

struct es__notes *
es__notes_open(const char *run)
{
	struct es__notes *notes = calloc(1, sizeof(*notes));

	if (notes == NULL)
		return NULL;
	if (snprintf(notes->file, sizeof(notes->file), "%s/" ES__NOTES_FILE,
		run) >= (int)sizeof(notes->file) ||
	    snprintf(notes->made, sizeof(notes->made),
		"%s/." ES__NOTES_FILE ".tmp",
		run) >= (int)sizeof(notes->made)) {
		free(notes);
		return NULL;
	}
	notes_read(notes);
	return notes;
}

void
es__notes_close(struct es__notes *notes)
{
	if (notes == NULL)
		return;
	for (size_t n = 0; n < notes->count; n++)
		free(notes->lines[n]);
	free(notes->lines);
	free(notes);
}

static void
notes_write(const struct es__notes *notes)
{
	FILE *to = fopen(notes->made, "we");
	bool whole = to != NULL;

	for (size_t n = 0; whole && n < notes->count; n++)
		whole = fprintf(to, "%s\n", notes->lines[n]) > 0;
	if (to != NULL)
		whole = fclose(to) == 0 && whole;
	if (!whole || rename(notes->made, notes->file) != 0)
		unlink(notes->made);
}

/* Returns the index of the line about the same subject, or the count. */
static size_t
notes_find(const struct es__notes *notes, const char *note, size_t subject)
{
	size_t n = 0;

	while (n < notes->count && strncmp(notes->lines[n], note, subject) != 0)
		n++;
	return n;
}

bool
es__notes_take(struct es__notes *notes, const char *note)
{
	const char *colon = strstr(note, ": ");
	size_t subject = colon == NULL ? 0 : (size_t)(colon + 2 - note);
	bool over = strcmp(note + subject, ES__NOTES_OVER) == 0;
	char *line = over ? NULL : strdup(note);
	size_t n;

	if (subject == 0 || (line == NULL && !over)) {
		free(line);
		return true;
	}
	for (char *at = line; at != NULL && *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	n = notes_find(notes, note, subject);
	if (n < notes->count) {
		free(notes->lines[n]);
		notes->lines[n] = line;
	} else {
		notes_append(notes, line);
	}
	if (over && n < notes->count)
		notes->lines[n] = notes->lines[--notes->count];
	notes_write(notes);
	return !over;
}
