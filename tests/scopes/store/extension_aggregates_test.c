/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/store/extension_aggregates_test.c - aggregates and functions of
 * the SQLite extension have the right results
 */

#include "tests/test.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *
open_database(void)
{
	char extension[512];
	char *why = NULL;
	sqlite3 *db;

	EXPECT_EQ(SQLITE_OK, sqlite3_open(":memory:", &db));
	EXPECT_EQ(SQLITE_OK,
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1,
		NULL));
	snprintf(extension, sizeof(extension), "%s/.libs/eventspace.so",
	    test_builddir());
	if (sqlite3_load_extension(db, extension, NULL, &why) != SQLITE_OK)
		EXPECT_STR_EQ("", why);
	return db;
}

/* Returns the first value of a query as text, or its error.  The next call
   overwrites it. */
static const char *
answer(sqlite3 *db, const char *sql)
{
	static char text[256];
	sqlite3_stmt *s = NULL;

	EXPECT_EQ(SQLITE_OK, sqlite3_prepare_v2(db, sql, -1, &s, NULL));
	if (sqlite3_step(s) != SQLITE_ROW)
		snprintf(text, sizeof(text), "%s", sqlite3_errmsg(db));
	else if (sqlite3_column_type(s, 0) == SQLITE_NULL)
		snprintf(text, sizeof(text), "NULL");
	else
		snprintf(text, sizeof(text), "%s", sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return text;
}

static void
results_are_as_defined(void)
{
	static const char *const cases[][2] = {
		{ "SELECT median(value) FROM json_each('[]')", "NULL" },
		{ "SELECT median(value) FROM json_each('[7]')", "7.0" },
		{ "SELECT median(value) FROM json_each('[3,1]')", "2.0" },
		{ "SELECT median(value) FROM json_each('[9,1,2]')", "2.0" },
		{ "SELECT median(value) FROM json_each('[9,null,1]')", "5.0" },
		{ "SELECT median(value) FROM json_each('[null]')", "NULL" },
		{ "SELECT percentile(value, 0) FROM json_each('[4,2,8]')",
		    "2.0" },
		{ "SELECT percentile(value, 100) FROM json_each('[4,2,8]')",
		    "8.0" },
		{ "SELECT percentile(value, 25) FROM json_each('[1,2,3,4]')",
		    "1.75" },
		{ "SELECT percentile(value, '95') FROM json_each('[1,2]')",
		    "1.95" },
		{ "SELECT stdev(value) FROM json_each('[]')", "NULL" },
		{ "SELECT stdev(value) FROM json_each('[5]')", "NULL" },
		{ "SELECT stdev(value) FROM json_each('[2,4,null,6]')", "2.0" },
		{ "SELECT stdev(1e15 + value) FROM json_each('[2,4,6]')",
		    "2.0" },
		{ "SELECT readable_ns(0)", "0 ns" },
		{ "SELECT readable_ns(999)", "999 ns" },
		{ "SELECT readable_ns(999.6)", "1.00 us" },
		{ "SELECT readable_ns(-1500)", "-1.50 us" },
		{ "SELECT readable_ns(2014999)", "2.01 ms" },
		{ "SELECT readable_ns(31415926)", "31.4 ms" },
		{ "SELECT readable_ns(999499999)", "999 ms" },
		{ "SELECT readable_ns(1e12)", "1000 s" },
		{ "SELECT readable_ns(NULL)", "NULL" },
		{ "SELECT readable_ns(12.34)", "12.3 ns" },
		{ "SELECT readable_bytes(1536)", "1.50 KiB" },
		{ "SELECT readable_share(0.661)", "66.1 %" },
		{ "SELECT readable_count(12345)", "12 345" },
		{ "SELECT readable_count('x')", "0" },
	};
	sqlite3 *db = open_database();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		EXPECT_STR_EQ(cases[i][1], answer(db, cases[i][0]));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
}

static void
values_that_are_no_numbers_are_refused(void)
{
	sqlite3 *db = open_database();

	EXPECT_STR_EQ("value is not a number",
	    answer(db, "SELECT median(value) FROM json_each('[1,\"x\"]')"));
	EXPECT_STR_EQ("value is not a number",
	    answer(db, "SELECT stdev(x'00')"));
	EXPECT_STR_EQ("percentile: p is not a number from 0 to 100",
	    answer(db, "SELECT percentile(1, 101)"));
	EXPECT_STR_EQ("percentile: p is not a number from 0 to 100",
	    answer(db, "SELECT percentile(1, NULL)"));
	EXPECT_STR_EQ("percentile: p is not the same in all rows",
	    answer(db,
		"SELECT percentile(value, value) FROM json_each('[1,2]')"));
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
}

static int
compare(const void *left, const void *right)
{
	const double *a = left;
	const double *b = right;

	return (*a > *b) - (*a < *b);
}

/* Returns number i of n in an order, which may be bad for a quicksort. */
static double
number_of(int order, uint32_t i, uint32_t n)
{
	switch (order) {
	case 0:
		return i;
	case 1:
		return n - i;
	case 2:
		return 5;
	case 3:
		return i % 2;
	case 4: /* an organ pipe */
		return i < n / 2 ? i : n - i;
	default:
		return (double)((i * UINT64_C(2654435761)) % 1000003);
	}
}

/* Compares percentiles with the sorted numbers. */
static void
percentiles_agree_with_sorted_numbers(void)
{
	enum { N = 5000 };
	static double sorted[N];
	sqlite3 *db = open_database();
	sqlite3_stmt *insert;
	char sql[64];
	char want[64];

	EXPECT_EQ(SQLITE_OK,
	    sqlite3_exec(db, "CREATE TABLE t(v REAL)", NULL, NULL, NULL));
	for (int order = 0; order < 6; order++) {
		EXPECT_EQ(SQLITE_OK,
		    sqlite3_exec(db, "DELETE FROM t", NULL, NULL, NULL));
		EXPECT_EQ(SQLITE_OK,
		    sqlite3_prepare_v2(db, "INSERT INTO t VALUES (?)", -1,
			&insert, NULL));
		for (uint32_t i = 0; i < N; i++) {
			sorted[i] = number_of(order, i, N);
			sqlite3_bind_double(insert, 1, sorted[i]);
			EXPECT_EQ(SQLITE_DONE, sqlite3_step(insert));
			EXPECT_EQ(SQLITE_OK, sqlite3_reset(insert));
		}
		sqlite3_finalize(insert);
		qsort(sorted, N, sizeof(sorted[0]), compare);
		for (int p = 0; p <= 100; p += 4) {
			double rank = p / 100.0 * (N - 1);
			size_t n = (size_t)rank;
			double above = n + 1 < N ? sorted[n + 1] : sorted[n];

			snprintf(sql, sizeof(sql),
			    "SELECT percentile(v, %d) FROM t", p);
			snprintf(want, sizeof(want), "%.9g",
			    sorted[n] +
				(rank - (double)n) * (above - sorted[n]));
			EXPECT_NEAR(strtod(want, NULL),
			    strtod(answer(db, sql), NULL), 1e-6);
		}
	}
	EXPECT_EQ(SQLITE_OK, sqlite3_close(db));
}

TEST_MAIN(results_are_as_defined, values_that_are_no_numbers_are_refused,
    percentiles_agree_with_sorted_numbers)
