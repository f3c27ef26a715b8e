/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/schema_test.c - proves scopes/views/schema.c: a view.db is
 * opened only with the views of a scope
 */

#include "scopes/rows.h"
#include "scopes/schema.h"

#include "libpaths/log.h"

#include "tests/scopes/sqlite_file_private.h"
#include "tests/test.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A query without an end; a program that runs it does not end either. */
#define ENDLESS \
	"WITH RECURSIVE n(x) AS (VALUES (0) UNION ALL SELECT x + 1 FROM n) "

static char file[300];

/* Writes a view.db with the tables of all views. */
static void
begin(void)
{
	const char *top = getenv("TMPDIR");
	const struct es_view *view;
	struct es_store *store;

	snprintf(file, sizeof(file), "%s/schema.%ld.db",
	    top != NULL && *top != '\0' ? top : "/tmp", (long)getpid());
	EXPECT_OK(es_store_create(file, &store));
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		EXPECT_OK(es_store_view(store, view));
	EXPECT_OK(es_store_commit(store));
	es_store_close(store);
}

static void
end(void)
{
	EXPECT_EQ(0, unlink(file));
}

/* Expects that a file on which SQL was run is refused for an object. */
static void
expect_refused(const char *sql, const char *object)
{
	struct es_store *store = NULL;
	char want[400];

	begin();
	sqlite_file_run(file, sql);
	snprintf(want, sizeof(want), "%s: its %s was not made by", file,
	    object);
	EXPECT_EQ(PATHS_EDAMAGED, es_schema_open(file, &store));
	EXPECT_TRUE(store == NULL);
	if (strncmp(paths_log_last(), want, strlen(want)) != 0)
		EXPECT_STR_EQ(want, paths_log_last());
	end();
}

static void
expect_opened(void)
{
	struct es_store *store;

	EXPECT_OK(es_schema_open(file, &store));
	es_store_close(store);
}

static void
a_view_db_of_a_scope_is_opened(void)
{
	begin();
	expect_opened();
	/* The table of raw events, as es_store_run creates it. */
	sqlite_file_run(file,
	    "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES "
	    "('table', 'event', 'event', 0, "
	    "'CREATE VIRTUAL TABLE event USING event')");
	expect_opened();
	end();
}

static void
tables_and_statistics_that_were_added_are_allowed(void)
{
	begin();
	sqlite_file_run(file,
	    "CREATE TABLE mine(a PRIMARY KEY, b DEFAULT 3); ANALYZE");
	expect_opened();
	end();
}

static void
other_views_are_refused(void)
{
	expect_refused("CREATE VIEW endless AS " ENDLESS "SELECT x FROM n",
	    "view endless");
	expect_refused("CREATE VIEW harmless AS SELECT 1", "view harmless");
	expect_refused("DROP VIEW interval; CREATE VIEW interval AS " ENDLESS
		       "SELECT x AS thread, 0 AS seq FROM n",
	    "view interval");
	/* The beginning of a statement of a scope is not enough. */
	expect_refused("PRAGMA writable_schema = ON;"
		       "UPDATE sqlite_schema SET sql = sql || ' LIMIT 9' "
		       "WHERE name = 'interval'",
	    "view interval");
}

static void
a_table_that_became_an_endless_view_is_refused(void)
{
	expect_refused(
	    "DROP TABLE load_balance; CREATE VIEW load_balance AS " ENDLESS
	    "SELECT x AS thread FROM n",
	    "view load_balance");
}

static void
triggers_indexes_and_virtual_tables_are_refused(void)
{
	expect_refused("CREATE TRIGGER t AFTER INSERT ON meta "
		       "BEGIN DELETE FROM meta; END",
	    "trigger t");
	expect_refused("CREATE INDEX i ON meta(abs(value))", "index i");
	expect_refused("PRAGMA writable_schema = ON; INSERT INTO sqlite_schema "
		       "VALUES ('table', 'e', 'e', 0, "
		       "'CREATE VIRTUAL TABLE e USING event(''/other'')')",
	    "table e");
}

static void
columns_that_are_computed_are_refused(void)
{
	expect_refused("DROP TABLE meta; CREATE TABLE meta(key, value AS "
		       "(hex(zeroblob(30000000))))",
	    "column meta.value");
}

/* Runs ATTACH with an operand. */
static paths_status
attach(struct es_store *store, const char *operand)
{
	struct es_rows *rows;
	char sql[500];
	paths_status st;

	snprintf(sql, sizeof(sql), "ATTACH %s AS other", operand);
	st = es_rows_open(store, sql, &rows, NULL);
	if (st != PATHS_OK)
		return st;
	st = es_rows_next(rows);
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Expects that a query does not attach an operand, for a reason. */
static void
expect_unattached(struct es_store *store, const char *operand,
    const char *reason)
{
	struct es_rows *rows;

	EXPECT_TRUE(attach(store, operand) != PATHS_OK);
	if (strstr(paths_log_last(), reason) == NULL)
		EXPECT_STR_EQ(reason, paths_log_last());
	EXPECT_EQ(PATHS_ESYNTAX,
	    es_rows_open(store, "SELECT * FROM other.meta", &rows, NULL));
}

/* Opens a view.db, and names another one, on which SQL was run, in quotes. */
static struct es_store *
begin_attach(const char *sql, char quoted[static 320])
{
	struct es_store *store;

	begin();
	EXPECT_OK(es_schema_open(file, &store));
	snprintf(quoted, 320, "'%s.other'", file);
	quoted[strlen(quoted) - 1] = '\0';
	EXPECT_EQ(0, rename(file, quoted + 1));
	sqlite_file_run(quoted + 1, sql);
	strcat(quoted, "'");
	begin();
	return store;
}

static void
end_attach(struct es_store *store)
{
	char other[320];

	snprintf(other, sizeof(other), "%s.other", file);
	EXPECT_EQ(0, unlink(other));
	es_store_close(store);
	end();
}

static void
another_view_db_of_a_scope_is_attached(void)
{
	char other[320];
	struct es_store *store = begin_attach("CREATE TABLE mine(a)", other);
	struct es_rows *rows;

	EXPECT_OK(attach(store, other));
	EXPECT_OK(es_rows_open(store, "SELECT * FROM other.mine", &rows, NULL));
	es_rows_close(rows);
	end_attach(store);
}

static void
other_views_are_not_attached(void)
{
	char other[320];
	struct es_store *store =
	    begin_attach("DROP VIEW interval; "
			 "CREATE VIEW interval AS " ENDLESS "SELECT x FROM n",
		other);

	expect_unattached(store, other, "view interval was not made by");
	end_attach(store);
}

static void
only_a_view_db_is_attached(void)
{
	char other[320], uri[330];
	struct es_store *store =
	    begin_attach("PRAGMA application_id = 7", other);

	expect_unattached(store, other, "not a database of eventspace");
	expect_unattached(store, "'/dev/zero'", "not a file");
	expect_unattached(store, "''", "");
	/* Names that the check does not see as SQLite does. */
	snprintf(uri, sizeof(uri), "'file:%s'", file);
	expect_unattached(store, uri, "must be a path, not a URI");
	snprintf(uri, sizeof(uri), "'' || '%s'", file);
	expect_unattached(store, uri, "must be a text");
	end_attach(store);
}

static void
nothing_is_written_beside_a_file_that_is_attached(void)
{
	char other[320], log[330];
	struct es_store *store =
	    begin_attach("PRAGMA journal_mode = WAL; CREATE TABLE t(x)", other);

	expect_unattached(store, other, "has a write-ahead log");
	snprintf(log, sizeof(log), "%s.other-shm", file);
	EXPECT_TRUE(access(log, F_OK) != 0);
	end_attach(store);
}

TEST_MAIN(a_view_db_of_a_scope_is_opened,
    tables_and_statistics_that_were_added_are_allowed, other_views_are_refused,
    a_table_that_became_an_endless_view_is_refused,
    triggers_indexes_and_virtual_tables_are_refused,
    columns_that_are_computed_are_refused,
    another_view_db_of_a_scope_is_attached, other_views_are_not_attached,
    only_a_view_db_is_attached,
    nothing_is_written_beside_a_file_that_is_attached)
