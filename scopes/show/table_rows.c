/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/table_rows.c - writes the rows of a query as a table
 */

#include "scopes/show/table_rows_private.h"

#include "scopes/show/table_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Runs a statement without columns, such as ATTACH. */
static paths_status
rows_no_columns(struct es_rows *rows)
{
	paths_status st;

	do
		st = es_rows_next(rows);
	while (st == PATHS_OK);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
rows_fill(struct es_rows *rows, struct es__table *table)
{
	unsigned columns = es_rows_columns(rows);
	struct es_value *values = calloc(columns, sizeof(*values));
	paths_status st = PATHS_OK;

	if (values == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a row");
	for (unsigned i = 0; i < columns && st == PATHS_OK; i++)
		st = es__table_name(table, i, es_rows_name(rows, i));
	while (st == PATHS_OK) {
		st = es_rows_next(rows);
		if (st != PATHS_OK)
			break;
		for (unsigned i = 0; i < columns; i++)
			es_rows_get(rows, i, &values[i]);
		st = es__table_row(table, values);
	}
	free(values);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
es__table_rows(FILE *out, enum es_show_form form, struct es_rows *rows)
{
	struct es__table *table;
	unsigned columns = es_rows_columns(rows);
	paths_status st;

	if (columns == 0)
		return rows_no_columns(rows);
	st = es__table_open(out, form, columns, &table);
	if (st != PATHS_OK)
		return st;
	st = rows_fill(rows, table);
	if (st != PATHS_OK) {
		es__table_cancel(table);
		return st;
	}
	return es__table_close(table);
}
