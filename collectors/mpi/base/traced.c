/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/base/traced.c - the phases whose calls are traced
 */

#include "collectors/mpi/base/traced_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first instances of a phase that MPI_TRACED_AUTO takes. */
#define TRACED_FIRST 4u

struct traced_line {
	char *name;
	uint64_t first, last; /* instances */
	uint64_t begun;
};

struct mpi_traced {
	struct traced_line *lines;
	size_t count;
	bool chooses; /* MPI_TRACED_AUTO: a line is added for each phase */
};

/* Takes numbers off the end of a line.  Returns false if they are wrong. */
static bool
traced_numbers(char *text, struct traced_line *line)
{
	char *blank = strrchr(text, ' '), *end;

	*line = (struct traced_line){ .last = UINT64_MAX };
	if (blank == NULL || blank[1] < '0' || blank[1] > '9' ||
	    blank[1 + strspn(blank + 1, "0123456789-")] != '\0')
		return true;
	line->first = line->last = strtoull(blank + 1, &end, 10);
	if (*end == '-' && end[1] != '\0')
		line->last = strtoull(end + 1, &end, 10);
	*blank = '\0';
	return *end == '\0' && line->last >= line->first;
}

/* Adds a line for a phase; its name is copied. */
static paths_status
traced_put(struct mpi_traced *t, const char *name, struct traced_line line)
{
	struct traced_line *lines =
	    realloc(t->lines, (t->count + 1) * sizeof(*lines));

	if (lines == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	t->lines = lines;
	line.name = strdup(name);
	if (line.name == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	lines[t->count++] = line;
	return PATHS_OK;
}

static paths_status
traced_add(struct mpi_traced *t, const char *file, char *text)
{
	struct traced_line line;

	text[strcspn(text, "\r\n")] = '\0';
	if (text[0] == '\0')
		return PATHS_OK;
	return traced_numbers(text, &line) ?
	    traced_put(t, text, line) :
	    paths_log_fail(PATHS_EINVAL,
		"%s: %s: no instances such as 3 or 3-9", file, text);
}

static paths_status
traced_read(struct mpi_traced *t, const char *file, FILE *in)
{
	char *text = NULL;
	size_t room = 0;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && getline(&text, &room, in) >= 0)
		st = traced_add(t, file, text);
	free(text);
	if (st == PATHS_OK && ferror(in))
		st = paths_log_fail(PATHS_EIO, "%s: cannot be read", file);
	if (st == PATHS_OK && t->count == 0)
		st = paths_log_fail(PATHS_EINVAL, "%s: has no phase", file);
	return st;
}

/* Reads the phases that a file has. */
static paths_status
traced_load(struct mpi_traced *t, const char *file)
{
	FILE *in = fopen(file, "re");
	paths_status st;

	if (in == NULL)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	st = traced_read(t, file, in);
	fclose(in);
	return st;
}

paths_status
mpi_traced_open(const char *file, struct mpi_traced **traced)
{
	struct mpi_traced *t;
	paths_status st = PATHS_OK;

	*traced = NULL;
	if (file == NULL)
		return PATHS_OK;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	t->chooses = strcmp(file, MPI_TRACED_AUTO) == 0;
	if (!t->chooses)
		st = traced_load(t, file);
	if (st == PATHS_OK)
		*traced = t;
	else
		mpi_traced_close(t);
	return st;
}

void
mpi_traced_close(struct mpi_traced *t)
{
	if (t == NULL)
		return;
	for (size_t n = 0; n < t->count; n++)
		free(t->lines[n].name);
	free(t->lines);
	free(t);
}

/* Returns whether MPI_TRACED_AUTO takes an instance. */
static bool
traced_chosen(uint64_t instance)
{
	return instance < TRACED_FIRST || (instance & (instance - 1)) == 0;
}

bool
mpi_traced_begin(struct mpi_traced *t, const char *name)
{
	bool traces = false, known = false;

	for (size_t n = 0; name[0] != '\0' && n < t->count; n++) {
		struct traced_line *line = &t->lines[n];

		if (strcmp(line->name, name) != 0)
			continue;
		known = true;
		traces |= t->chooses ?
		    traced_chosen(line->begun) :
		    line->begun >= line->first && line->begun <= line->last;
		line->begun++;
	}
	if (name[0] == '\0' || known || !t->chooses)
		return traces;
	if (traced_put(t, name, (struct traced_line){ .begun = 1 }) == PATHS_OK)
		return true;
	paths_log_warn("%s; phase %s is not traced", paths_log_last(), name);
	return false;
}
