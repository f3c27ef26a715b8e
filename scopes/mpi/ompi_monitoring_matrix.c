/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring_matrix.c - reads the .mat files of Open MPI's
 * monitoring
 */

#include "scopes/mpi/ompi_monitoring_matrix_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
