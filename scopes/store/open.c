/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/open.c - opens a view.db for queries
 *
 * The file is not trusted.  Any damage is an error.  Its schema can call only
 * functions that SQLite considers harmless, and has no virtual tables but
 * `event`, `waits_at` and those of JSON.  No file is written beside it, and no
 * journal or write-ahead log beside it is read.
 */

#include "scopes/store/store_private.h"

#include "scopes/store/extension_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* The largest text or BLOB that a query can make or read. */
#define OPEN_VALUE_BYTES (64 << 20)

/* Reads a pragma whose value is one number. */
static paths_status
open_pragma(const struct es_store *store, const char *sql, int *value)
{
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);

	if (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
		*value = sqlite3_column_int(statement, 0);
	if (rc == SQLITE_OK)
		rc = sqlite3_finalize(statement);
	return rc == SQLITE_OK ? PATHS_OK : es__store_fail(store, rc);
}

static paths_status
open_check(const struct es_store *store)
{
	int id = 0;
	int version = 0;
	paths_status st = open_pragma(store, "PRAGMA application_id", &id);

	if (st == PATHS_OK)
		st = open_pragma(store, "PRAGMA user_version", &version);
	if (st != PATHS_OK)
		return st;
	if (id != ES_STORE_APPLICATION_ID)
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: not a database of eventspace", store->file);
	if (version != ES_STORE_SCHEMA_VERSION)
		return paths_log_fail(PATHS_EABI,
		    "%s: tables of version %d, expected version %d",
		    store->file, version, ES_STORE_SCHEMA_VERSION);
	return PATHS_OK;
}

/* SQLite would take an empty file for a database. */
static paths_status
open_stat(const char *file)
{
	struct stat about;

	if (stat(file, &about) != 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	if (!S_ISREG(about.st_mode))
		return paths_log_fail(PATHS_EIO, "%s: not a file", file);
	if (about.st_size == 0)
		return paths_log_fail(PATHS_EDAMAGED, "%s: empty", file);
	return PATHS_OK;
}

/* Returns the URI of a file that nobody changes, or NULL.  The caller calls
   sqlite3_free. */
static char *
open_uri(const char *file)
{
	sqlite3_str *uri = sqlite3_str_new(NULL);

	sqlite3_str_appendall(uri, file[0] == '/' ? "file://" : "file:");
	for (; *file != '\0'; file++) {
		if (strchr("%?#", *file) != NULL)
			sqlite3_str_appendf(uri, "%%%02x", *file);
		else
			sqlite3_str_appendchar(uri, 1, *file);
	}
	/* Else SQLite creates files beside one with a write-ahead log. */
	sqlite3_str_appendall(uri, "?immutable=1");
	return sqlite3_str_finish(uri);
}

/* Limits what the schema of a file can do.  Returns an error code of SQLite. */
static int
open_limit(sqlite3 *db)
{
	static const char *modules[] = { "json_each", "json_tree", NULL };
	int rc = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0,
		    NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_drop_modules(db, modules);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL,
		    NULL);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, OPEN_VALUE_BYTES);
	return rc;
}

static paths_status
open_database(struct es_store *store)
{
	char *uri = open_uri(store->file);
	int rc = SQLITE_NOMEM;

	if (uri != NULL)
		rc = sqlite3_open_v2(uri, &store->db,
		    SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX |
			SQLITE_OPEN_URI,
		    NULL);
	sqlite3_free(uri);
	if (rc == SQLITE_OK)
		rc = open_limit(store->db);
	if (rc == SQLITE_OK)
		rc = es__extension_register(store->db, false);
	return rc == SQLITE_OK ? open_check(store) : es__store_fail(store, rc);
}

paths_status
es_store_open(const char *file, struct es_store **store)
{
	paths_status st = open_stat(file);
	struct es_store *s;

	if (st != PATHS_OK)
		return st;
	s = es__store_new(file);
	if (s == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", file);
	st = open_database(s);
	if (st != PATHS_OK) {
		es_store_close(s);
		return st;
	}
	*store = s;
	return PATHS_OK;
}
