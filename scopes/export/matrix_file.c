/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/matrix_file.c - files with numbers of pairs of ranks
 */

#include "scopes/export/matrix_file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

uint32_t
es__export_matrix_ranks(const struct es_mpi *mpi)
{
	const struct es_mpi_rank *rank;
	uint32_t count = 0;

	while ((rank = es_mpi_rank(mpi, count)) != NULL && rank->world == 0)
		count++;
	return count;
}

FILE *
es__export_matrix_file_open(const char *prefix, const char *fmt, ...)
{
	char *behind, *name = NULL;
	FILE *to = NULL;
	va_list args;
	int length;

	va_start(args, fmt);
	length = vasprintf(&behind, fmt, args);
	va_end(args);
	if (length < 0 || asprintf(&name, "%s%s", prefix, behind) < 0)
		name = NULL;
	if (length >= 0)
		free(behind);
	if (name == NULL) {
		(void)paths_log_fail(PATHS_ENOMEM, "no memory for a name");
		return NULL;
	}
	to = fopen(name, "we");
	if (to == NULL)
		(void)paths_log_fail(PATHS_EIO, "%s: %s", name,
		    strerror(errno));
	free(name);
	return to;
}

paths_status
es__export_matrix_file_close(FILE *to)
{
	bool failed = ferror(to) != 0;

	/* The last bytes are written here. */
	failed = fclose(to) != 0 || failed;
	if (!failed)
		return PATHS_OK;
	return paths_log_fail(errno == ENOSPC ? PATHS_EFULL : PATHS_EIO,
	    "matrix file: %s", strerror(errno));
}
