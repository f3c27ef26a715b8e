/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/ompi_monitoring_test.c - proves scopes/mpi/ompi_monitoring.c
 */

#include "scopes/mpi/ompi_monitoring_private.h"

#include "libpaths/log.h"

#include "tests/scopes/ompi_monitoring_file.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

static const char whole[] = OMPI_MONITORING_FILE;

static paths_status
copy_line(void *to, const struct es__ompi_monitoring_line *line)
{
	es__ompi_monitoring_write(to, line);
	return PATHS_OK;
}

/* Returns a text that was read and written again; the caller frees it. */
static char *
copied(const char *text, paths_status want)
{
	FILE *from = fmemopen((void *)text, strlen(text), "r");
	char *copy = NULL;
	size_t bytes;
	FILE *to = open_memstream(&copy, &bytes);

	EXPECT_TRUE(from != NULL && to != NULL);
	EXPECT_EQ(want,
	    es__ompi_monitoring_read(from, "x.0.prof", copy_line, to));
	EXPECT_EQ(0, fclose(from));
	EXPECT_EQ(0, fclose(to));
	return copy;
}

/* All lines but the headings. */
static void
a_file_is_written_as_it_was_read(void)
{
	char *copy = copied(whole, PATHS_OK);
	const char *line = whole;
	char *at = copy;

	while (*line != '\0') {
		size_t length = strcspn(line, "\n") + 1;

		if (*line != '#') {
			EXPECT_TRUE(strncmp(line, at, length) == 0);
			at += length;
		}
		line += length;
	}
	EXPECT_STR_EQ("", at);
	free(copy);
}

static void
a_damaged_line_is_refused(void)
{
	static const char *const lines[] = {
		"E\t0\t1\t8 bytes\n",
		"E\t0\t1\t8\t1 msgs sent\n",
		"E\t0\t-1\t8 bytes\t1 msgs sent\n",
		"E\t0\t1\t99999999999999999999 bytes\t1 msgs sent\n",
		"E\t0\t1\t8 bytes\t1 msgs sent\t1,2,3\n",
		"E\t0\t1\t8 bytes\t1 msgs sent\t" OMPI_MONITORING_CLASSES
		",0\n",
		"E\t0\t1\t8 bytes\t1 msgs sent\t" OMPI_MONITORING_CLASSES
		"\tmore\n",
		"X\t0\t1\t8 bytes\t1 msgs sent\n",
		"A2A\t0\t60 bytes\t4 msgs sent\n",
		"D\tname\n",
		"4294967296\n",
	};

	for (size_t n = 0; n < sizeof(lines) / sizeof(lines[0]); n++) {
		char text[512];

		snprintf(text, sizeof(text), "# POINT TO POINT\n%s", lines[n]);
		free(copied(text, PATHS_EDAMAGED));
		EXPECT_STR_EQ("x.0.prof:2: not a line of Open MPI's monitoring",
		    paths_log_last());
	}
}

TEST_MAIN(a_file_is_written_as_it_was_read, a_damaged_line_is_refused)
