/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/ompi_monitoring_test.c - proves scopes/mpi/ompi_monitoring.c
 */

#include "scopes/mpi/ompi_monitoring_private.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* 66 size classes: one message of 8 bytes, two of 0 bytes. */
#define CLASSES \
	"2,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0," \
	"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"

/* A file of Open MPI 4.1.4. */
static const char whole[] = "# POINT TO POINT\n"
			    "E\t0\t1\t8 bytes\t3 msgs sent\t" CLASSES "\n"
			    "I\t0\t1\t44 bytes\t7 msgs sent\n"
			    "I\t0\t2\t0 bytes\t1 msgs sent\t" CLASSES "\n"
			    "# OSC\n"
			    "S\t0\t1\t80 bytes\t2 msgs sent\n"
			    "R\t0\t1\t90 bytes\t3 msgs sent\n"
			    "# COLLECTIVES\n"
			    "C\t0\t1\t44 bytes\t8 msgs sent\n"
			    "D\tMPI_COMM_WORLD\tprocs: 0,1,2\n"
			    "O2A\t0\t0 bytes\t0 msgs sent\n"
			    "A2O\t0\t0 bytes\t0 msgs sent\n"
			    "A2A\t0\t60 bytes\t4 msgs sent\n";

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
		"E\t0\t1\t8 bytes\t1 msgs sent\t" CLASSES ",0\n",
		"E\t0\t1\t8 bytes\t1 msgs sent\t" CLASSES "\tmore\n",
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
