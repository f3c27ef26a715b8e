/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring.c - files of Open MPI's monitoring, read and
 * written
 */

#include "scopes/mpi/ompi_monitoring_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* E, rank, peer, bytes, messages, classes. */
#define FIELDS_MAX 6u

static const char *const names[ES__PROF_KINDS] = {
	[ES__PROF_EXTERNAL] = "E",
	[ES__PROF_INTERNAL] = "I",
	[ES__PROF_PUT] = "S",
	[ES__PROF_GET] = "R",
	[ES__PROF_COLLECTIVE] = "C",
	[ES__PROF_ONE_TO_ALL] = "O2A",
	[ES__PROF_ALL_TO_ONE] = "A2O",
	[ES__PROF_ALL_TO_ALL] = "A2A",
};

/* A file that is being read. */
struct prof {
	/* Heap memory. */
	char *line;
	size_t line_room;
	char *comm, *members; /* as the last D line says; NULL */
	char *fields[FIELDS_MAX];
	unsigned field_count;
};

static bool
prof_is_comm(enum es__prof_kind kind)
{
	return kind >= ES__PROF_ONE_TO_ALL;
}

/* Split a line at its tabs; false: it has too many. */
static bool
prof_split(struct prof *prof, char *line)
{
	char *rest = line;

	line[strcspn(line, "\r\n")] = '\0';
	prof->field_count = 0;
	while (rest != NULL) {
		if (prof->field_count == FIELDS_MAX)
			return false;
		prof->fields[prof->field_count++] = strsep(&rest, "\t");
	}
	return true;
}

/* A number, and what stands behind it. */
static bool
number_read(const char *text, const char *behind, uint64_t *number)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return errno == 0 && strcmp(end, behind) == 0;
}

static bool
rank_read(const char *text, uint32_t *rank)
{
	uint64_t number;

	/* Ranks are ints. */
	if (!number_read(text, "", &number) || number > INT32_MAX)
		return false;
	*rank = (uint32_t)number;
	return true;
}

static bool
classes_read(char *text, struct es__prof_line *line)
{
	while (text != NULL) {
		if (line->class_count == ES__PROF_CLASSES ||
		    !number_read(strsep(&text, ","), "",
			&line->classes[line->class_count++]))
			return false;
	}
	return line->class_count == ES__PROF_CLASSES;
}

static bool
counts_read(char **fields, struct es__prof_line *line)
{
	return number_read(fields[0], " bytes", &line->bytes) &&
	    number_read(fields[1], " msgs sent", &line->messages);
}

/* Whether the fields of a line of this kind hold. */
static bool
prof_fields(struct prof *prof, struct es__prof_line *line)
{
	char **fields = prof->fields;
	unsigned count = prof->field_count;

	if (count < 2 || !rank_read(fields[1], &line->rank))
		return false;
	if (prof_is_comm(line->kind)) {
		line->comm = prof->comm;
		line->members = prof->members;
		return count == 4 && prof->comm != NULL &&
		    counts_read(fields + 2, line);
	}
	if (count < 5 || !rank_read(fields[2], &line->peer) ||
	    !counts_read(fields + 3, line))
		return false;
	return count == 5 || classes_read(fields[5], line);
}

/* The communicator that the lines after this one are about. */
static bool
prof_take_comm(struct prof *prof)
{
	static const char before[] = "procs: ";
	size_t length = sizeof(before) - 1;

	if (prof->field_count != 3 ||
	    strncmp(prof->fields[2], before, length) != 0)
		return false;
	free(prof->comm);
	prof->comm = strdup(prof->fields[1]);
	free(prof->members);
	prof->members = strdup(prof->fields[2] + length);
	return prof->comm != NULL && prof->members != NULL;
}

static paths_status
prof_line(struct prof *prof, es__prof_show *show, void *to)
{
	struct es__prof_line line = { .kind = ES__PROF_KINDS };

	if (prof->line[0] == '#' || prof->line[0] == '\n')
		return PATHS_OK;
	if (!prof_split(prof, prof->line))
		return PATHS_EDAMAGED;
	if (strcmp(prof->fields[0], "D") == 0)
		return prof_take_comm(prof) ? PATHS_OK : PATHS_EDAMAGED;
	for (int n = 0; n < ES__PROF_KINDS; n++) {
		if (strcmp(prof->fields[0], names[n]) == 0)
			line.kind = (enum es__prof_kind)n;
	}
	if (line.kind == ES__PROF_KINDS || !prof_fields(prof, &line))
		return PATHS_EDAMAGED;
	return show(to, &line);
}

paths_status
es__prof_read(FILE *from, const char *name, es__prof_show *show, void *to)
{
	struct prof prof = { 0 };
	unsigned long number = 0;
	paths_status st = PATHS_OK;

	while (
	    st == PATHS_OK && getline(&prof.line, &prof.line_room, from) >= 0) {
		number++;
		st = prof_line(&prof, show, to);
	}
	if (st == PATHS_EDAMAGED)
		st = paths_log_fail(st,
		    "%s:%lu: not a line of Open MPI's monitoring", name,
		    number);
	else if (st == PATHS_OK && !feof(from))
		st = paths_log_fail(errno == ENOMEM ? PATHS_ENOMEM : PATHS_EIO,
		    "%s: %s", name, strerror(errno));
	free(prof.line);
	free(prof.comm);
	free(prof.members);
	return st;
}

void
es__prof_write(FILE *to, const struct es__prof_line *line)
{
	if (line->kind == ES__PROF_ONE_TO_ALL)
		fprintf(to, "D\t%s\tprocs: %s\n", line->comm, line->members);
	fprintf(to, "%s\t%" PRIu32, names[line->kind], line->rank);
	if (!prof_is_comm(line->kind))
		fprintf(to, "\t%" PRIu32, line->peer);
	fprintf(to, "\t%" PRIu64 " bytes\t%" PRIu64 " msgs sent", line->bytes,
	    line->messages);
	for (uint32_t n = 0; n < line->class_count; n++)
		fprintf(to, "%c%" PRIu64, n == 0 ? '\t' : ',',
		    line->classes[n]);
	fputc('\n', to);
}
