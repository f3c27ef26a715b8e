/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/schema.c - opens a view.db that somebody else may have written
 *
 * SQLite keeps the statement that created each object, with one space after
 * CREATE and the kind of object.  When it reads the schema, it checks that kind
 * and name agree with the statement.
 */

#include "scopes/schema.h"

#include "scopes/rows.h"
#include "scopes/store/attach_private.h"
#include "scopes/store/tuples_private.h"

#include "libpaths/log.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* The objects of the schema. */
enum { SCHEMA_KIND, SCHEMA_NAME, SCHEMA_SQL };
static const char schema_objects[] =
    "SELECT CAST(type AS TEXT), CAST(name AS TEXT), CAST(sql AS TEXT)"
    " FROM sqlite_schema";

/* The columns that are computed when they are read. */
static const char schema_computed[] =
    "SELECT 'column', s.name || '.' || x.name, ''"
    " FROM sqlite_schema s, pragma_table_xinfo(s.name) x"
    " WHERE s.type = 'table' AND x.hidden > 1";

static bool
schema_begins(const char *sql, const char *with)
{
	return strncmp(sql, with, strlen(with)) == 0;
}

/* Returns the text behind the first two words, as CREATE VIEW. */
static const char *
schema_skip(const char *sql)
{
	for (int word = 0; word < 2; word++) {
		while (isspace((unsigned char)*sql))
			sql++;
		while (*sql != '\0' && !isspace((unsigned char)*sql))
			sql++;
	}
	while (isspace((unsigned char)*sql))
		sql++;
	return sql;
}

/* Returns true if a statement of the file is the one that a table declares.
   SQLite drops blanks and a semicolon at its end. */
static bool
schema_is(const char *sql, const char *declared)
{
	sql = schema_skip(sql);
	declared = schema_skip(declared);
	if (!schema_begins(declared, sql))
		return false;
	declared += strlen(sql);
	return declared[strspn(declared, " \t\r\n;")] == '\0';
}

/* Returns true if a view of this process declares the statement. */
static bool
schema_is_declared(const char *sql)
{
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		for (size_t t = 0; t < view->table_count; t++) {
			const char *declared = view->tables[t].sql;

			if (declared != NULL && schema_is(sql, declared))
				return true;
		}
	return false;
}

/* Returns true if a statement creates a table of tuples of another type. */
static bool
schema_is_tuples(const char *sql)
{
	static const char begin[] = "CREATE VIRTUAL TABLE " ES__TUPLES_PREFIX;

	if (!schema_begins(sql, begin))
		return false;
	sql += strlen(begin);
	while (isalnum((unsigned char)*sql) || *sql == '_')
		sql++;
	return strcmp(sql, " USING tuple") == 0;
}

/* Returns true if a statement creates an object that may be in a view.db.  An
   index of a key has no statement. */
static bool
schema_allows(const char *sql)
{
	return sql == NULL || schema_begins(sql, "CREATE TABLE ") ||
	    strcmp(sql, "CREATE VIRTUAL TABLE event USING event") == 0 ||
	    strcmp(sql, "CREATE VIRTUAL TABLE event_part USING event_part") ==
	    0 ||
	    strcmp(sql, "CREATE VIRTUAL TABLE waits_at USING waits_at") == 0 ||
	    schema_is_tuples(sql) ||
	    (schema_begins(sql, "CREATE VIEW ") && schema_is_declared(sql));
}

static const char *
schema_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_TEXT ? value.as.text : NULL;
}

/* Checks the objects that a query finds. */
static paths_status
schema_check(struct es_store *store, const char *file, const char *query)
{
	struct es_rows *rows;
	paths_status st = es_rows_open(store, query, &rows, NULL);

	if (st != PATHS_OK)
		return st;
	while ((st = es_rows_next(rows)) == PATHS_OK) {
		const char *kind = schema_text(rows, SCHEMA_KIND);
		const char *name = schema_text(rows, SCHEMA_NAME);

		if (schema_allows(schema_text(rows, SCHEMA_SQL)))
			continue;
		st = paths_log_fail(PATHS_EDAMAGED,
		    "%s: its %.20s %.60s was not made by `eventspace scope`",
		    file, kind == NULL ? "object" : kind,
		    name == NULL ? "without a name" : name);
		break;
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
schema_open(const char *file, struct es_store **store)
{
	struct es_store *opened;
	paths_status st = es_store_open(file, &opened);

	if (st != PATHS_OK)
		return st;
	st = schema_check(opened, file, schema_objects);
	if (st == PATHS_OK)
		st = schema_check(opened, file, schema_computed);
	if (st == PATHS_OK)
		*store = opened;
	else
		es_store_close(opened);
	return st;
}

/* Checks a file that a query attaches. */
static paths_status
schema_attach(const char *file)
{
	struct es_store *store;
	paths_status st = schema_open(file, &store);

	if (st == PATHS_OK)
		es_store_close(store);
	return st;
}

paths_status
es_schema_open(const char *file, struct es_store **store)
{
	paths_status st = schema_open(file, store);

	if (st == PATHS_OK)
		es__attach_only(*store, schema_attach);
	return st;
}
