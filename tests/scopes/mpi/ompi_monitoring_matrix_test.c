/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/ompi_monitoring_matrix_test.c - proves
 * scopes/mpi/ompi_monitoring_matrix.c
 */

#include "scopes/mpi/ompi_monitoring_private.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <string.h>

/* Reads all of a text; returns the status at its end.  sum: out, of each number
   times its place. */
static paths_status
read_all(const char *text, uint64_t *sum)
{
	struct es__ompi_monitoring_matrix mat = {
		.from = fmemopen((void *)text, strlen(text), "r"),
		.name = "m.mat",
	};
	uint64_t place = 0;
	bool more = true;
	paths_status st = PATHS_OK;

	EXPECT_TRUE(mat.from != NULL);
	*sum = 0;
	while (st == PATHS_OK && more) {
		st = es__ompi_monitoring_matrix_row(&mat, &more);
		for (uint32_t n = 0; st == PATHS_OK && more && n < mat.count;
		     n++)
			*sum += ++place * mat.numbers[n];
	}
	EXPECT_EQ(0, fclose(mat.from));
	es__ompi_monitoring_matrix_fini(&mat);
	return st;
}

static void
rows_have_numbers_with_blanks_between(void)
{
	uint64_t sum;

	EXPECT_OK(read_all("1 20 \n300 4000 \n", &sum));
	EXPECT_EQ(1 + 40 + 900 + 16000, sum);
	EXPECT_OK(read_all("0\t7\r\n  9 9223372036854775800", &sum));
	EXPECT_EQ(14 + 27 + 4 * UINT64_C(9223372036854775800), sum);
}

static void
a_matrix_may_be_wide(void)
{
	static char text[300 * 300 * 2 + 300 + 1];
	uint64_t sum;
	char *at = text;

	for (int row = 0; row < 300; row++) {
		for (int n = 0; n < 300; n++, at += 2)
			memcpy(at, "1 ", 2);
		*at++ = '\n';
	}
	EXPECT_OK(read_all(text, &sum));
	EXPECT_EQ(UINT64_C(90000) * 90001 / 2, sum);
}

static void
a_damaged_matrix_is_refused(void)
{
	static const struct {
		const char *text, *told;
	} bad[] = {
		{ "1 2\n3\n", "m.mat:2: 1 numbers in row 2 of 2" },
		{ "1 2\n3 4\n5 6\n", "m.mat:3: 2 numbers in row 3 of 2" },
		{ "1 2\n", "m.mat:1: the last of 1 rows, each has 2 numbers" },
		{ "1 2\n3 -4\n", "m.mat:2: \"-4\" is no number" },
		{ "1 2.5\n", "m.mat:1: \"2.5\" is no number" },
		{ "9223372036854775808\n",
		    "m.mat:1: \"9223372036854775808\" is no number" },
		{ "\n", "m.mat:1: 0 numbers in row 1 of 0" },
	};
	uint64_t sum;

	for (size_t n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
		EXPECT_EQ(PATHS_EDAMAGED, read_all(bad[n].text, &sum));
		EXPECT_STR_EQ(bad[n].told, paths_log_last());
	}
}

TEST_MAIN(rows_have_numbers_with_blanks_between, a_matrix_may_be_wide,
    a_damaged_matrix_is_refused)
