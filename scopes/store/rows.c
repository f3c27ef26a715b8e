/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/rows.c - runs an SQL query and reads its rows
 */

#include "scopes/rows.h"

#include "scopes/store/store_private.h"

#include "libpaths/log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct es_rows {
	struct es_store *store;
	sqlite3_stmt *statement;
};

/*
 * Refuses statements that write.  The store and the databases that ATTACH adds
 * are open for reading only, but VACUUM INTO and temporary tables would write.
 */
static paths_status
rows_check(const struct es_store *store, sqlite3_stmt *statement,
    const char *rest)
{
	if (statement != NULL && !sqlite3_stmt_readonly(statement))
		return paths_log_fail(PATHS_EINVAL,
		    "%s is read-only, and this statement writes", store->file);
	if (rest != NULL && *rest != '\0')
		return paths_log_fail(PATHS_EINVAL,
		    "more than one statement: %.60s", rest);
	return PATHS_OK;
}

static paths_status
rows_prepare(struct es_store *store, const char *sql, sqlite3_stmt **statement,
    const char **rest)
{
	int rc = sqlite3_prepare_v2(store->db, sql, -1, statement, rest);

	while (isspace((unsigned char)**rest))
		++*rest;
	if (rc == SQLITE_ERROR)
		return paths_log_fail(PATHS_ESYNTAX, "%s",
		    sqlite3_errmsg(store->db));
	if (rc == SQLITE_AUTH)
		return es__attach_error(store);
	return rc == SQLITE_OK ? PATHS_OK : es__store_fail(store, rc);
}

paths_status
es_rows_open(struct es_store *store, const char *sql, struct es_rows **rows,
    const char **rest)
{
	const char *end = sql;
	sqlite3_stmt *statement = NULL;
	struct es_rows *r;
	paths_status st = rows_prepare(store, sql, &statement, &end);

	if (st == PATHS_OK)
		st = rows_check(store, statement, rest == NULL ? end : NULL);
	r = calloc(1, sizeof(*r));
	if (st == PATHS_OK && r == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a query");
	if (st != PATHS_OK || statement == NULL) {
		(void)sqlite3_finalize(statement);
		free(r);
		r = NULL;
	} else {
		*r = (struct es_rows){ .store = store, .statement = statement };
	}
	if (st == PATHS_OK) {
		*rows = r;
		if (rest != NULL)
			*rest = end;
	}
	return st;
}

paths_status
es_rows_try(struct es_store *store, const char *sql, struct es_rows **rows)
{
	static const char missing[] = "no such table: ";
	paths_status st = es_rows_open(store, sql, rows, NULL);

	if (st != PATHS_ESYNTAX ||
	    strncmp(sqlite3_errmsg(store->db), missing, strlen(missing)) != 0)
		return st;
	*rows = NULL;
	return PATHS_OK;
}

/* Returns the number of a parameter, or 0. */
static int
rows_parameter(const struct es_rows *rows, char mark, const char *name)
{
	int count = sqlite3_bind_parameter_count(rows->statement);

	for (int n = 1; n <= count; n++) {
		const char *parameter =
		    sqlite3_bind_parameter_name(rows->statement, n);

		if (parameter != NULL && parameter[0] == mark &&
		    strcmp(parameter + 1, name) == 0)
			return n;
	}
	return 0;
}

paths_status
es_rows_bind(struct es_rows *rows, const char *name,
    const struct es_value *value)
{
	for (const char *mark = ":@$"; *mark != '\0'; mark++) {
		int at = rows_parameter(rows, *mark, name);
		int rc = at == 0 ? SQLITE_OK :
				   es__store_bind(rows->statement, at, value,
				       SQLITE_TRANSIENT);

		if (rc == SQLITE_MISUSE)
			return paths_log_fail(PATHS_EINVAL,
			    "parameter %s: the query has begun", name);
		if (rc != SQLITE_OK)
			return es__store_fail(rows->store, rc);
	}
	return PATHS_OK;
}

paths_status
es_rows_next(struct es_rows *rows)
{
	int rc = sqlite3_step(rows->statement);

	if (rc == SQLITE_ROW)
		return PATHS_OK;
	if (rc == SQLITE_DONE)
		return PATHS_ENOENT;
	/* Messages of the extension do not name the file. */
	if (rc == SQLITE_ERROR)
		return paths_log_fail(PATHS_EIO, "%s",
		    sqlite3_errmsg(rows->store->db));
	return es__store_fail(rows->store, rc);
}

unsigned
es_rows_columns(const struct es_rows *rows)
{
	return (unsigned)sqlite3_column_count(rows->statement);
}

const char *
es_rows_name(const struct es_rows *rows, unsigned column)
{
	const char *name = sqlite3_column_name(rows->statement, (int)column);

	return name == NULL ? "" : name;
}

void
es_rows_get(const struct es_rows *rows, unsigned column, struct es_value *value)
{
	sqlite3_stmt *statement = rows->statement;
	int at = (int)column;

	*value = ES_NIL;
	switch (sqlite3_column_type(statement, at)) {
	case SQLITE_INTEGER:
		*value = ES_INT(sqlite3_column_int64(statement, at));
		break;
	case SQLITE_FLOAT:
		*value = ES_NUM(sqlite3_column_double(statement, at));
		break;
	case SQLITE_TEXT:
		*value =
		    ES_STR((const char *)sqlite3_column_text(statement, at));
		break;
	case SQLITE_BLOB:
		*value = ES_BIN(sqlite3_column_blob(statement, at),
		    (size_t)sqlite3_column_bytes(statement, at));
		break;
	default:
		break;
	}
	/* There was no memory for the text. */
	if (value->kind == ES_TEXT && value->as.text == NULL)
		*value = ES_NIL;
}

void
es_rows_close(struct es_rows *rows)
{
	if (rows == NULL)
		return;
	(void)sqlite3_finalize(rows->statement);
	free(rows);
}
