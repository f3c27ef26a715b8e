/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/open.c - opens a view.db for queries
 *
 * The file is not trusted.  Any damage is an error, and its schema can call
 * only functions that SQLite considers harmless.
 */

#include "scopes/store/store_private.h"

#include "scopes/store/extension_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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

static paths_status
open_database(struct es_store *store)
{
	int rc = sqlite3_open_v2(store->file, &store->db,
	    SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1,
		    NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_db_config(store->db,
		    SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
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
