/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/notes.c - what a gather tree could not copy, as diagnostics of a
 * run
 *
 * The file tells of a moment.  When the run has the spaces themselves, it has
 * no meaning.
 */

#include "scopes/run/notes_private.h"

#include "scopes/run/run_private.h"
#include "scopes/run/space_file_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines that are read, and bytes of one, at most. */
#define NOTES_LINES 100
#define NOTES_LINE_BYTES 1024

/* Returns the host that a subject names: "host NAME", or "gather-NAME", its
   process in the default tree.  PATHS_NONE: none of the run. */
static uint32_t
notes_host(const struct es_run *run, const char *subject)
{
	static const char *const begins[] = { "host ", "gather-" };

	for (size_t n = 0; n < sizeof(begins) / sizeof(begins[0]); n++) {
		const size_t bytes = strlen(begins[n]);

		if (strncmp(subject, begins[n], bytes) != 0)
			continue;
		for (uint32_t h = 0; h < run->map->host_count; h++)
			if (strcmp(run->map->hosts[h].name, subject + bytes) ==
			    0)
				return h;
	}
	return PATHS_NONE;
}

/* Returns true if a process of a host, or of any, has a copy, or none, in place
   of its space. */
static bool
notes_apply(const struct es_run *run, uint32_t host)
{
	struct es_space_info info;

	for (uint32_t p = 0; p < run->map->process_count; p++) {
		if (host != PATHS_NONE && run->map->processes[p].host != host)
			continue;
		if (run->states[p] == ES__SPACE_MISSING)
			return true;
		if (run->spaces[p] == NULL)
			continue;
		es_space_info(run->spaces[p], &info);
		if (info.copy != ES_COPY_NONE)
			return true;
	}
	return run->others != NULL && run->others != run &&
	    notes_apply(run->others, PATHS_NONE);
}

/* Adds the line of a file to the diagnostics. */
static void
notes_line(struct es_run *run, char *line)
{
	char *text;

	line[strcspn(line, "\n")] = '\0';
	text = strstr(line, ": ");
	if (text == NULL)
		return;
	*text = '\0';
	if (notes_apply(run, notes_host(run, line)))
		es_run_diagnose(run, ES_WARNING, line, "%s", text + 2);
}

void
es__notes_diagnose(struct es_run *run)
{
	const char *copies = es__space_file_copies();
	char *file, line[NOTES_LINE_BYTES];
	FILE *from;

	if (asprintf(&file, "%s/" ES__NOTES_FILE,
		copies == NULL ? run->dir : copies) < 0)
		return;
	from = fopen(file, "re");
	free(file);
	for (int n = 0; from != NULL && n < NOTES_LINES &&
	     fgets(line, sizeof(line), from) != NULL;
	     n++)
		notes_line(run, line);
	if (from != NULL)
		fclose(from);
}
