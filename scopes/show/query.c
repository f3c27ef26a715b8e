/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/query.c - single queries of view.db
 */

#include "scopes/show/query.h"

#include "scopes/rows.h"
#include "scopes/show/table_rows_private.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <string.h>

paths_status
es_query_text(const struct es_show *show, const char *sql, char *text,
    size_t bytes)
{
	struct es_rows *rows;
	struct es_value value = ES_NIL;
	paths_status st = es_rows_try(show->store, sql, &rows);

	text[0] = '\0';
	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_next(rows);
	if (st == PATHS_OK)
		es_rows_get(rows, 0, &value);
	if (value.kind == ES_TEXT)
		snprintf(text, bytes, "%s", value.as.text);
	else if (value.kind == ES_INTEGER)
		snprintf(text, bytes, "%lld", (long long)value.as.integer);
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
es_query_has(const struct es_show *show, const char *table, bool *has)
{
	char sql[192];
	char found[8];
	paths_status st;

	if (strlen(table) > 64 || strchr(table, '\'') != NULL)
		return paths_log_fail(PATHS_ENOENT, "%s: no view %.64s",
		    show->run, table);
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM sqlite_schema WHERE name = '%s'"
	    " AND type IN ('table', 'view')",
	    table);
	st = es_query_text(show, sql, found, sizeof(found));
	if (st == PATHS_OK)
		*has = strcmp(found, "0") != 0;
	return st;
}

paths_status
es_query_rows(const struct es_show *show, const char *sql)
{
	struct es_rows *rows;
	paths_status st = es_rows_open(show->store, sql, &rows, NULL);

	if (st == PATHS_OK) {
		st = es__table_rows(show->out, show->form, rows);
		es_rows_close(rows);
	}
	return st;
}
