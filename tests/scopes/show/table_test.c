/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/show/table_test.c - proves scopes/show/table.c
 */

#include "scopes/show/table_private.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;
static FILE *to;

static struct es__table *
begin(enum es_show_form form, unsigned columns, const char *const *names)
{
	struct es__table *table;

	to = open_memstream(&text, &length);
	EXPECT_TRUE(to != NULL);
	EXPECT_OK(es__table_open(to, form, columns, &table));
	for (unsigned i = 0; i < columns; i++)
		EXPECT_OK(es__table_name(table, i, names[i]));
	return table;
}

static void
expect_end(struct es__table *table, const char *want)
{
	EXPECT_OK(es__table_close(table));
	EXPECT_EQ(0, fclose(to));
	EXPECT_STR_EQ(want, text);
	free(text);
}

static const char *const two[] = { "name", "n" };

/* Adds rows with values of every kind. */
static void
put_kinds(struct es__table *table)
{
	static const struct es_value rows[][2] = {
		{ { .kind = ES_TEXT, .as.text = "a" },
		    { .kind = ES_INTEGER, .as.integer = INT64_MIN } },
		{ { .kind = ES_TEXT, .as.text = "\"b\", c" },
		    { .kind = ES_REAL, .as.real = 0.1 } },
		{ { .kind = ES_NULL },
		    { .kind = ES_REAL, .as.real = INFINITY } },
		{ { .kind = ES_BLOB, .bytes = 2, .as.blob = "\x00\xff" },
		    { .kind = ES_NULL } },
		{ { .kind = ES_TEXT, .as.text = "\xc3\xa9\n" },
		    { .kind = ES_INTEGER, .as.integer = 7 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		EXPECT_OK(es__table_row(table, rows[i]));
}

/* Above 200 characters, each word of a name has its own line; the last words
   are in the same line. */
static void
wide_tables_have_narrow_names(void)
{
	const char *names[14] = { "who", "an efficiency (%)" };
	struct es_value cells[14] = { ES_STR("thread 1"), ES_NUM(0.5) };
	struct es__table *table;

	for (unsigned n = 2; n < 14; n++) {
		names[n] = "time of it (us)";
		cells[n] = ES_INT(100 + n);
	}
	table = begin(ES_SHOW_TEXT, 12, names);
	EXPECT_OK(es__table_row(table, cells));
	EXPECT_OK(es__table_close(table));
	EXPECT_EQ(0, fclose(to));
	EXPECT_TRUE(
	    strstr(text, "who       an efficiency (%)  time of it (us)") ==
	    text);
	free(text);
	table = begin(ES_SHOW_TEXT, 14, names);
	EXPECT_OK(es__table_row(table, cells));
	expect_end(table,
	    "                      time  time  time  time  time  time  time  "
	    "time  time  time  time  time\n"
	    "                  an    of    of    of    of    of    of    of    "
	    "of    of    of    of    of\n"
	    "          efficiency    it    it    it    it    it    it    it    "
	    "it    it    it    it    it\n"
	    "who              (%)  (us)  (us)  (us)  (us)  (us)  (us)  (us)  "
	    "(us)  (us)  (us)  (us)  (us)\n"
	    "thread 1         0.5   102   103   104   105   106   107   108   "
	    "109   110   111   112   113\n");
}

/* Numbers are on the right, texts on the left; widths are in characters. */
static void
text_is_aligned(void)
{
	struct es__table *table = begin(ES_SHOW_TEXT, 2, two);

	put_kinds(table);
	expect_end(table,
	    "name                          n\n"
	    "a          -9223372036854775808\n"
	    "\"b\", c                      0.1\n"
	    "                            inf\n"
	    "(2 bytes)\n"
	    "\xc3\xa9?                            7\n");
}

/* One text among numbers makes the column one of texts. */
static void
mixed_columns_are_texts(void)
{
	struct es__table *table = begin(ES_SHOW_TEXT, 2, two);

	EXPECT_OK(es__table_row(table,
	    (struct es_value[]){ ES_STR("long name"), ES_STR("1") }));
	EXPECT_OK(es__table_row(table,
	    (struct es_value[]){ ES_STR("2"), ES_STR("3") }));
	expect_end(table, "name       n\nlong name  1\n2          3\n");
}

static void
csv_is_quoted_where_needed(void)
{
	struct es__table *table = begin(ES_SHOW_CSV, 2, two);

	put_kinds(table);
	expect_end(table,
	    "name,n\n"
	    "a,-9223372036854775808\n"
	    "\"\"\"b\"\", c\",0.1\n"
	    ",inf\n"
	    "00ff,\n"
	    "\"\xc3\xa9\n\",7\n");
}

static void
json_is_escaped(void)
{
	struct es__table *table = begin(ES_SHOW_JSON, 2, two);

	put_kinds(table);
	expect_end(table,
	    "[\n"
	    "{\"name\": \"a\", \"n\": -9223372036854775808},\n"
	    "{\"name\": \"\\\"b\\\", c\", \"n\": 0.1},\n"
	    "{\"name\": null, \"n\": null},\n"
	    "{\"name\": \"00ff\", \"n\": null},\n"
	    "{\"name\": \"\xc3\xa9\\u000a\", \"n\": 7}\n"
	    "]\n");
}

static void
a_table_without_rows_is_well_formed(void)
{
	expect_end(begin(ES_SHOW_TEXT, 2, two), "name  n\n");
	expect_end(begin(ES_SHOW_CSV, 2, two), "name,n\n");
	expect_end(begin(ES_SHOW_JSON, 2, two), "[]\n");
}

/* Widths are settled after 1000 rows.  Each row is written once. */
static void
long_tables_are_written_row_by_row(void)
{
	static const char *const one[] = { "number" };
	struct es__table *table = begin(ES_SHOW_TEXT, 1, one);
	const char *at;

	for (int64_t i = 0; i < 5000; i++)
		EXPECT_OK(es__table_row(table, &ES_INT(i * i)));
	EXPECT_OK(es__table_close(table));
	EXPECT_EQ(0, fclose(to));
	EXPECT_TRUE(strncmp(text, "number\n     0\n     1\n", 21) == 0);
	at = strchr(text, '\n') + 1;
	for (long long i = 0; i < 5000; i++) {
		char *end;

		EXPECT_EQ(i * i, strtoll(at, &end, 10));
		EXPECT_EQ('\n', *end);
		at = end + 1;
	}
	EXPECT_EQ('\0', *at);
	free(text);
}

/* A real is written as the shortest decimal that reads back the same. */
static void
reals_keep_their_value(void)
{
	static const char *const one[] = { "x" };
	static const struct {
		double real;
		const char *want;
	} cases[] = {
		{ 0.1, "x\n0.1\n" },
		{ 1.0 / 3.0, "x\n0.3333333333333333\n" },
		{ 0.1 + 0.2, "x\n0.30000000000000004\n" },
		{ 1e300, "x\n1e+300\n" },
		{ 5000.0, "x\n5000\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct es__table *table = begin(ES_SHOW_CSV, 1, one);
		double back;

		EXPECT_OK(es__table_row(table, &ES_NUM(cases[i].real)));
		EXPECT_OK(es__table_close(table));
		EXPECT_EQ(0, fclose(to));
		back = strtod(text + 2, NULL);
		EXPECT_TRUE(back == cases[i].real);
		EXPECT_STR_EQ(cases[i].want, text);
		free(text);
	}
}

static void
a_full_disk_is_reported(void)
{
	struct es__table *table;
	FILE *full = fopen("/dev/full", "w");

	if (full == NULL)
		TEST_SKIP("no /dev/full");
	EXPECT_OK(es__table_open(full, ES_SHOW_CSV, 1, &table));
	EXPECT_OK(es__table_name(table, 0, "x"));
	EXPECT_EQ(PATHS_EIO, es__table_close(table));
	EXPECT_TRUE(strstr(paths_log_last(), "No space") != NULL);
	(void)fclose(full);
}

TEST_MAIN(text_is_aligned, wide_tables_have_narrow_names,
    mixed_columns_are_texts, csv_is_quoted_where_needed, json_is_escaped,
    a_table_without_rows_is_well_formed, long_tables_are_written_row_by_row,
    reals_keep_their_value, a_full_disk_is_reported)
