/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring.c - reads and writes the .prof files, and reads
 * the .mat files, of Open MPI's monitoring
 */

#include "scopes/mpi/ompi_monitoring_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Fields of the longest line: kind, rank, peer, bytes, messages, classes. */
#define FIELDS_MAX 6u

static const char *const names[ES__OMPI_MONITORING_KINDS] = {
	[ES__OMPI_MONITORING_EXTERNAL] = "E",
	[ES__OMPI_MONITORING_INTERNAL] = "I",
	[ES__OMPI_MONITORING_PUT] = "S",
	[ES__OMPI_MONITORING_GET] = "R",
	[ES__OMPI_MONITORING_COLLECTIVE] = "C",
	[ES__OMPI_MONITORING_ONE_TO_ALL] = "O2A",
	[ES__OMPI_MONITORING_ALL_TO_ONE] = "A2O",
	[ES__OMPI_MONITORING_ALL_TO_ALL] = "A2A",
};

/* A file under reading. */
struct file {
	/* Heap memory. */
	char *line;
	size_t line_room;
	char *comm, *members; /* of the last D line; NULL: none yet */
	char *fields[FIELDS_MAX];
	unsigned field_count;
};

static bool
file_is_comm(enum es__ompi_monitoring_kind kind)
{
	return kind >= ES__OMPI_MONITORING_ONE_TO_ALL;
}

/* Splits a line at its tabs; false: it has too many. */
static bool
file_split(struct file *file, char *line)
{
	char *rest = line;

	line[strcspn(line, "\r\n")] = '\0';
	file->field_count = 0;
	while (rest != NULL) {
		if (file->field_count == FIELDS_MAX)
			return false;
		file->fields[file->field_count++] = strsep(&rest, "\t");
	}
	return true;
}

/* Reads a number that a known text follows. */
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
classes_read(char *text, struct es__ompi_monitoring_line *line)
{
	while (text != NULL) {
		if (line->class_count == ES__OMPI_MONITORING_CLASSES ||
		    !number_read(strsep(&text, ","), "",
			&line->classes[line->class_count++]))
			return false;
	}
	return line->class_count == ES__OMPI_MONITORING_CLASSES;
}

static bool
counts_read(char **fields, struct es__ompi_monitoring_line *line)
{
	return number_read(fields[0], " bytes", &line->bytes) &&
	    number_read(fields[1], " msgs sent", &line->messages);
}

/* Reads the fields of a line of a known kind; false: they are wrong. */
static bool
file_fields(struct file *file, struct es__ompi_monitoring_line *line)
{
	char **fields = file->fields;
	unsigned count = file->field_count;

	if (count < 2 || !rank_read(fields[1], &line->rank))
		return false;
	if (file_is_comm(line->kind)) {
		line->comm = file->comm;
		line->members = file->members;
		return count == 4 && file->comm != NULL &&
		    counts_read(fields + 2, line);
	}
	if (count < 5 || !rank_read(fields[2], &line->peer) ||
	    !counts_read(fields + 3, line))
		return false;
	return count == 5 || classes_read(fields[5], line);
}

/* Takes the communicator that the next lines are about. */
static bool
file_take_comm(struct file *file)
{
	static const char before[] = "procs: ";
	size_t length = sizeof(before) - 1;

	if (file->field_count != 3 ||
	    strncmp(file->fields[2], before, length) != 0)
		return false;
	free(file->comm);
	file->comm = strdup(file->fields[1]);
	free(file->members);
	file->members = strdup(file->fields[2] + length);
	return file->comm != NULL && file->members != NULL;
}

static paths_status
file_line(struct file *file, es__ompi_monitoring_show *show, void *to)
{
	struct es__ompi_monitoring_line line = {
		.kind = ES__OMPI_MONITORING_KINDS
	};

	if (file->line[0] == '#' || file->line[0] == '\n')
		return PATHS_OK;
	if (!file_split(file, file->line))
		return PATHS_EDAMAGED;
	if (strcmp(file->fields[0], "D") == 0)
		return file_take_comm(file) ? PATHS_OK : PATHS_EDAMAGED;
	for (int n = 0; n < ES__OMPI_MONITORING_KINDS; n++) {
		if (strcmp(file->fields[0], names[n]) == 0)
			line.kind = (enum es__ompi_monitoring_kind)n;
	}
	if (line.kind == ES__OMPI_MONITORING_KINDS || !file_fields(file, &line))
		return PATHS_EDAMAGED;
	return show(to, &line);
}

paths_status
es__ompi_monitoring_read(FILE *from, const char *name,
    es__ompi_monitoring_show *show, void *to)
{
	struct file file = { 0 };
	unsigned long number = 0;
	paths_status st = PATHS_OK;

	while (
	    st == PATHS_OK && getline(&file.line, &file.line_room, from) >= 0) {
		number++;
		st = file_line(&file, show, to);
	}
	if (st == PATHS_EDAMAGED)
		st = paths_log_fail(st,
		    "%s:%lu: not a line of Open MPI's monitoring", name,
		    number);
	else if (st == PATHS_OK && !feof(from))
		st = paths_log_fail(errno == ENOMEM ? PATHS_ENOMEM : PATHS_EIO,
		    "%s: %s", name, strerror(errno));
	free(file.line);
	free(file.comm);
	free(file.members);
	return st;
}

void
es__ompi_monitoring_write(FILE *to, const struct es__ompi_monitoring_line *line)
{
	if (line->kind == ES__OMPI_MONITORING_ONE_TO_ALL)
		fprintf(to, "D\t%s\tprocs: %s\n", line->comm, line->members);
	fprintf(to, "%s\t%" PRIu32, names[line->kind], line->rank);
	if (!file_is_comm(line->kind))
		fprintf(to, "\t%" PRIu32, line->peer);
	fprintf(to, "\t%" PRIu64 " bytes\t%" PRIu64 " msgs sent", line->bytes,
	    line->messages);
	for (uint32_t n = 0; n < line->class_count; n++)
		fprintf(to, "%c%" PRIu64, n == 0 ? '\t' : ',',
		    line->classes[n]);
	fputc('\n', to);
}

/* ---- matrices */

/* Characters between numbers and at the end of a line. */
#define MATRIX_BLANKS " \t\r\n"

static bool
matrix_keep(struct es__ompi_monitoring_matrix *matrix, uint32_t at,
    uint64_t number)
{
	if (!paths__array_grow(&matrix->numbers, at, &matrix->room,
		sizeof(*matrix->numbers)))
		return false;
	matrix->numbers[at] = number;
	return true;
}

/* Reads a word that is a number; SQLite has none above INT64_MAX. */
static bool
matrix_number(const char *word, uint64_t *number)
{
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return false;
	errno = 0;
	*number = strtoull(word, &end, 10);
	return errno == 0 && *end == '\0' && *number <= INT64_MAX;
}

static paths_status
matrix_numbers(struct es__ompi_monitoring_matrix *matrix, uint32_t *count)
{
	char *rest = NULL;
	uint64_t number;

	*count = 0;
	for (char *word = strtok_r(matrix->line, MATRIX_BLANKS, &rest);
	     word != NULL; word = strtok_r(NULL, MATRIX_BLANKS, &rest)) {
		if (!matrix_number(word, &number))
			return paths_log_fail(PATHS_EDAMAGED,
			    "%s:%" PRIu32 ": \"%.40s\" is no number",
			    matrix->name, matrix->rows, word);
		/* Ranks are ints. */
		if (*count == INT32_MAX || !matrix_keep(matrix, *count, number))
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a row of %s", matrix->name);
		++*count;
	}
	return PATHS_OK;
}

static paths_status
matrix_end(const struct es__ompi_monitoring_matrix *matrix)
{
	/* getline does not set ferror when it has no memory. */
	if (!feof(matrix->from))
		return paths_log_fail(errno == ENOMEM ? PATHS_ENOMEM :
							PATHS_EIO,
		    "%s: %s", matrix->name, strerror(errno));
	if (matrix->rows == 0)
		return paths_log_fail(PATHS_EDAMAGED, "%s: it is empty",
		    matrix->name);
	if (matrix->rows < matrix->count)
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s:%" PRIu32 ": the last of %" PRIu32
		    " rows, each has %" PRIu32 " numbers",
		    matrix->name, matrix->rows, matrix->rows, matrix->count);
	return PATHS_OK;
}

paths_status
es__ompi_monitoring_matrix_row(struct es__ompi_monitoring_matrix *matrix,
    bool *more)
{
	uint32_t count;
	paths_status st;

	*more = getline(&matrix->line, &matrix->line_room, matrix->from) >= 0;
	if (!*more)
		return matrix_end(matrix);
	matrix->rows++;
	st = matrix_numbers(matrix, &count);
	if (st != PATHS_OK)
		return st;
	if (matrix->rows == 1)
		matrix->count = count;
	if (count != matrix->count || matrix->rows > matrix->count)
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s:%" PRIu32 ": %" PRIu32 " numbers in row %" PRIu32
		    " of %" PRIu32,
		    matrix->name, matrix->rows, count, matrix->rows,
		    matrix->count);
	return PATHS_OK;
}

void
es__ompi_monitoring_matrix_fini(struct es__ompi_monitoring_matrix *matrix)
{
	free(matrix->numbers);
	free(matrix->line);
}
