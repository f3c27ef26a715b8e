/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/ompi_monitoring_matrix.c - matrices of Open MPI's monitoring, read
 */

#include "scopes/mpi/ompi_monitoring_matrix_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What stands between numbers, and ends a line. */
#define MAT_BLANKS " \t\r\n"
#define MAT_ROOM_FIRST 64u

static bool
mat_keep(struct es__mat *mat, uint32_t at, uint64_t number)
{
	uint32_t room = mat->room == 0 ? MAT_ROOM_FIRST : 2 * mat->room;

	if (at == mat->room) {
		uint64_t *numbers =
		    reallocarray(mat->numbers, room, sizeof(*numbers));

		if (numbers == NULL)
			return false;
		mat->numbers = numbers;
		mat->room = room;
	}
	mat->numbers[at] = number;
	return true;
}

/* The number that is all of a word; SQLite has none above INT64_MAX. */
static bool
mat_number(const char *word, uint64_t *number)
{
	char *end;

	if (word[0] < '0' || word[0] > '9')
		return false;
	errno = 0;
	*number = strtoull(word, &end, 10);
	return errno == 0 && *end == '\0' && *number <= INT64_MAX;
}

static paths_status
mat_numbers(struct es__mat *mat, uint32_t *count)
{
	char *rest = NULL;
	uint64_t number;

	*count = 0;
	for (char *word = strtok_r(mat->line, MAT_BLANKS, &rest); word != NULL;
	     word = strtok_r(NULL, MAT_BLANKS, &rest)) {
		if (!mat_number(word, &number))
			return paths_log_fail(PATHS_EDAMAGED,
			    "%s:%" PRIu32 ": \"%.40s\" is no number", mat->name,
			    mat->rows, word);
		/* Ranks are ints. */
		if (*count == INT32_MAX || !mat_keep(mat, *count, number))
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a row of %s", mat->name);
		++*count;
	}
	return PATHS_OK;
}

static paths_status
mat_end(const struct es__mat *mat)
{
	/* No memory for a line sets no ferror. */
	if (!feof(mat->from))
		return paths_log_fail(errno == ENOMEM ? PATHS_ENOMEM :
							PATHS_EIO,
		    "%s: %s", mat->name, strerror(errno));
	if (mat->rows == 0)
		return paths_log_fail(PATHS_EDAMAGED, "%s: it is empty",
		    mat->name);
	if (mat->rows < mat->count)
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s:%" PRIu32 ": the last of %" PRIu32
		    " rows, each has %" PRIu32 " numbers",
		    mat->name, mat->rows, mat->rows, mat->count);
	return PATHS_OK;
}

paths_status
es__mat_row(struct es__mat *mat, bool *more)
{
	uint32_t count;
	paths_status st;

	*more = getline(&mat->line, &mat->line_room, mat->from) >= 0;
	if (!*more)
		return mat_end(mat);
	mat->rows++;
	st = mat_numbers(mat, &count);
	if (st != PATHS_OK)
		return st;
	if (mat->rows == 1)
		mat->count = count;
	if (count != mat->count || mat->rows > mat->count)
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s:%" PRIu32 ": %" PRIu32 " numbers in row %" PRIu32
		    " of %" PRIu32,
		    mat->name, mat->rows, count, mat->rows, mat->count);
	return PATHS_OK;
}

void
es__mat_fini(struct es__mat *mat)
{
	free(mat->numbers);
	free(mat->line);
}
