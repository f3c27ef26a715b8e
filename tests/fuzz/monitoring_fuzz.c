/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/monitoring_fuzz.c - readers of Open MPI's monitoring files take or
 * refuse any bytes
 *
 * The first byte chooses the reader: .mat if it is odd, else .prof.  Each line
 * of a .prof file that is taken is written and read again, and is the same.
 */

#include "scopes/mpi/ompi_monitoring_private.h"

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static FILE *
fuzz_file(const void *bytes, size_t size)
{
	/* fmemopen refuses a buffer without bytes. */
	FILE *file =
	    size > 0 ? fmemopen((void *)(uintptr_t)bytes, size, "r") : NULL;

	MUST(file != NULL || size == 0);
	return file;
}

static paths_status
line_compare(void *to, const struct es__ompi_monitoring_line *again)
{
	const struct es__ompi_monitoring_line *line = to;

	MUST(again->kind == line->kind && again->rank == line->rank &&
	    again->peer == line->peer && again->bytes == line->bytes &&
	    again->messages == line->messages &&
	    again->class_count == line->class_count);
	MUST(memcmp(again->classes, line->classes, sizeof(line->classes)) == 0);
	MUST((again->comm == NULL) == (line->comm == NULL));
	if (line->comm != NULL)
		MUST(strcmp(again->comm, line->comm) == 0 &&
		    strcmp(again->members, line->members) == 0);
	return PATHS_OK;
}

static paths_status
line_show(void *to, const struct es__ompi_monitoring_line *line)
{
	struct es__ompi_monitoring_line copy = *line;
	char *text = NULL;
	size_t bytes = 0;
	FILE *file = open_memstream(&text, &bytes);

	(void)to;
	MUST(file != NULL);
	/* The writer names a communicator before its first kind alone. */
	if (copy.comm != NULL)
		copy.kind = ES__OMPI_MONITORING_ONE_TO_ALL;
	es__ompi_monitoring_write(file, &copy);
	MUST(fclose(file) == 0);
	file = fuzz_file(text, bytes);
	MUST(es__ompi_monitoring_read(file, "again", line_compare, &copy) ==
	    PATHS_OK);
	(void)fclose(file);
	free(text);
	return PATHS_OK;
}

static void
fuzz_lines(FILE *file)
{
	paths_status st =
	    es__ompi_monitoring_read(file, "fuzz", line_show, NULL);

	MUST(st == PATHS_OK || st == PATHS_EDAMAGED);
}

static void
fuzz_matrix(FILE *file)
{
	struct es__ompi_monitoring_matrix matrix = { .from = file,
		.name = "fuzz" };
	bool more = true;

	while (es__ompi_monitoring_matrix_row(&matrix, &more) == PATHS_OK &&
	    more) {
		MUST(matrix.rows <= matrix.count);
		for (uint32_t n = 0; n < matrix.count; n++)
			MUST(matrix.numbers[n] <= INT64_MAX);
	}
	es__ompi_monitoring_matrix_fini(&matrix);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *file;

	if (size < 2)
		return 0;
	file = fuzz_file(data + 1, size - 1);
	if (data[0] & 1)
		fuzz_matrix(file);
	else
		fuzz_lines(file);
	(void)fclose(file);
	return 0;
}
