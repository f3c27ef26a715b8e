/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/store_fuzz.c - the reader of view.db takes or refuses any bytes
 *
 * An input that begins as an SQLite file is a view.db.  Any other is SQL that
 * somebody has applied to the view.db of a scope: it changes rows, and replaces
 * tables by others or by views, which are refused.  A database that opens is
 * read as by eventspace show: the first page, a table and its findings, and the
 * virtual table `event` of the run that the database names.
 */

#include "scopes/rows.h"
#include "scopes/schema.h"
#include "scopes/show/page.h"
#include "scopes/show/show.h"

#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A query of an endless view ends after this many thousand steps of SQLite. */
#define THOUSANDS_MOST 100u

#define SQL_MOST 4096u

static char file[300];
static FILE *out;
static unsigned char *base; /* the view.db of a scope, with empty tables */
static sqlite3_int64 base_bytes;
static unsigned thousands;

static void
fuzz_remove(void)
{
	(void)unlink(file);
	(void)fclose(out);
	sqlite3_free(base);
}

static int
fuzz_stop(void *unused)
{
	(void)unused;
	return ++thousands > THOUSANDS_MOST;
}

/* SQLite calls it for each database that is opened. */
static int
fuzz_limit(sqlite3 *db, char **error, const struct sqlite3_api_routines *api)
{
	(void)error;
	(void)api;
	sqlite3_progress_handler(db, 1000, fuzz_stop, NULL);
	return SQLITE_OK;
}

/* Makes the database that SQL is applied to, with small pages. */
static void
fuzz_base(void)
{
	const struct es_view *view;
	struct es_store *store;
	sqlite3 *db;

	MUST(es_store_create(file, &store) == PATHS_OK);
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		MUST(es_store_view(store, view) == PATHS_OK);
	MUST(es_store_commit(store) == PATHS_OK);
	es_store_close(store);
	MUST(sqlite3_open(file, &db) == SQLITE_OK);
	MUST(sqlite3_exec(db, "PRAGMA page_size = 512; VACUUM", NULL, NULL,
		 NULL) == SQLITE_OK);
	base = sqlite3_serialize(db, "main", &base_bytes, 0);
	MUST(base != NULL);
	MUST(sqlite3_close(db) == SQLITE_OK);
}

static void
fuzz_begin(void)
{
	const char *top = getenv("TMPDIR");

	snprintf(file, sizeof(file), "%s/store_fuzz.%ld",
	    top != NULL && *top != '\0' ? top : "/tmp", (long)getpid());
	out = fopen("/dev/null", "w");
	MUST(out != NULL);
	fuzz_base();
	MUST(atexit(fuzz_remove) == 0);
	MUST(sqlite3_auto_extension((void (*)(void))fuzz_limit) == SQLITE_OK);
}

/* Writes the one file of all inputs: SQLite opens by name. */
static void
fuzz_put(const void *bytes, size_t size)
{
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	MUST(fd >= 0);
	MUST(write(fd, bytes, size) == (ssize_t)size);
	MUST(close(fd) == 0);
}

/* Applies SQL to a copy of the base, statement by statement, and writes it. */
static void
fuzz_apply(const uint8_t *bytes, size_t size)
{
	char *sql = strndup((const char *)bytes, size);
	unsigned char *image = sqlite3_malloc64((sqlite3_uint64)base_bytes);
	const char *rest = sql;
	sqlite3_stmt *statement;
	sqlite3_int64 count;
	sqlite3 *db;

	MUST(sql != NULL && image != NULL);
	memcpy(image, base, (size_t)base_bytes);
	MUST(sqlite3_open(":memory:", &db) == SQLITE_OK);
	MUST(sqlite3_deserialize(db, "main", image, base_bytes, base_bytes,
		 SQLITE_DESERIALIZE_FREEONCLOSE |
		     SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
	/* No files but this one: neither ATTACH nor VACUUM INTO. */
	(void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	while (*rest != '\0' &&
	    sqlite3_prepare_v2(db, rest, -1, &statement, &rest) == SQLITE_OK) {
		while (sqlite3_step(statement) == SQLITE_ROW)
			continue;
		(void)sqlite3_finalize(statement);
	}
	image = sqlite3_serialize(db, "main", &count, 0);
	if (image != NULL)
		fuzz_put(image, (size_t)count);
	sqlite3_free(image);
	(void)sqlite3_close(db);
	free(sql);
}

static void
fuzz_rows(struct es_rows *rows)
{
	unsigned columns = es_rows_columns(rows);
	struct es_value value;

	while (es_rows_next(rows) == PATHS_OK)
		for (unsigned i = 0; i < columns; i++) {
			MUST(es_rows_name(rows, i) != NULL);
			es_rows_get(rows, i, &value);
			MUST(value.kind != ES_TEXT || value.as.text != NULL);
		}
	es_rows_close(rows);
}

static void
fuzz_queries(struct es_store *store)
{
	static const char *const queries[] = {
		"SELECT * FROM sqlite_schema LIMIT 100",
		"SELECT * FROM meta LIMIT 100",
		"SELECT max(abs(wait_ns)) FROM load_balance",
		"SELECT * FROM event WHERE collector = 1 LIMIT 10",
	};
	struct es_rows *rows;

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		if (es_rows_open(store, queries[i], &rows, NULL) == PATHS_OK)
			fuzz_rows(rows);
}

/* Returns a table of the views. */
static const char *
fuzz_table(size_t number)
{
	const struct es_view *view;
	size_t views = 0;

	while (es_view_get(views) != NULL)
		views++;
	view = es_view_get(number % views);
	return view->tables[number / views % view->table_count].name;
}

/* Prints as eventspace show does; a damaged database is an error.  The first
   page takes long, so some inputs print it. */
static void
fuzz_show(struct es_store *store, size_t number)
{
	const struct es_show show = { .run = "run",
		.store = store,
		.out = out,
		.form = (enum es_show_form)(number % 4),
		.limit = 20 };
	paths_status st;

	if (number % 16 == 0)
		st = es__page_show(&show);
	else
		st = es_show_table(&show, fuzz_table(number / 4));
	MUST(st != PATHS_OK || fflush(out) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char magic[] = "SQLite format 3";
	struct es_store *store;
	size_t number = 0;

	if (out == NULL)
		fuzz_begin();
	thousands = 0;
	if (size >= sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0)
		fuzz_put(bytes, size);
	else if (size < SQL_MOST)
		fuzz_apply(bytes, size);
	else
		return 0;
	for (size_t i = 0; i < size; i++)
		number += bytes[i];
	thousands = 0;
	if (es_schema_open(file, &store) != PATHS_OK)
		return 0;
	fuzz_queries(store);
	fuzz_show(store, number);
	es_store_close(store);
	return 0;
}
