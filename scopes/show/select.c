/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/select.c - builds the query for the rows of a table
 */

#include "scopes/show/select_private.h"

#include "libpaths/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows.  An error is kept until text_close. */
struct text {
	char *at;
	size_t length;
	FILE *to;
};

static void
text_open(struct text *text)
{
	text->to = open_memstream(&text->at, &text->length);
}

static void text_add(struct text *text, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

static void
text_add(struct text *text, const char *fmt, ...)
{
	va_list arguments;

	if (text->to == NULL)
		return;
	va_start(arguments, fmt);
	(void)vfprintf(text->to, fmt, arguments);
	va_end(arguments);
}

/* Returns the text in heap memory; NULL: out of memory. */
static char *
text_close(struct text *text)
{
	if (text->to == NULL)
		return NULL;
	if (fclose(text->to) == 0)
		return text->at;
	free(text->at);
	return NULL;
}

static paths_status
select_no_memory(const struct es__select *select)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for the table %.64s",
	    select->name);
}

/* Opens the query that a text holds, and frees the text. */
static paths_status
select_run(const struct es__select *select, struct text *text,
    struct es_rows **rows)
{
	char *sql = text_close(text);
	paths_status st = sql == NULL ?
	    select_no_memory(select) :
	    es_rows_open(select->show->store, sql, rows, NULL);

	free(sql);
	return st;
}

paths_status
es__select_check_name(const char *name)
{
	if (strchr(name, '"') == NULL)
		return PATHS_OK;
	return paths_log_fail(PATHS_EDAMAGED, "no view %.64s", name);
}

/* Keeps ids as numbers when the table with their names was not computed. */
static paths_status
select_check_names(const struct es__select *select,
    struct es__show_column *column)
{
	struct es_rows *rows = NULL;
	paths_status st = PATHS_OK;

	if (column->refers != NULL)
		st = es_rows_try(select->show->store, column->refers->names,
		    &rows);
	if (rows == NULL)
		column->refers = NULL;
	es_rows_close(rows);
	return st;
}

static paths_status
select_columns(struct es__select *select)
{
	paths_status st = PATHS_OK;

	select->count = es_rows_columns(select->none);
	select->columns =
	    calloc((size_t)select->count + 1, sizeof(*select->columns));
	if (select->columns == NULL)
		return select_no_memory(select);
	for (unsigned i = 0; i < select->count && st == PATHS_OK; i++) {
		const char *name = es_rows_name(select->none, i);

		st = es__select_check_name(name);
		es__show_column_init(&select->columns[i], select->name, name);
		if (st == PATHS_OK)
			st = select_check_names(select, &select->columns[i]);
	}
	return st;
}

/* Adds "FROM (the rows that are shown)". */
static void
select_add_from(const struct es__select *select, struct text *text)
{
	const char *order = select->about == NULL ? NULL : select->about->order;

	text_add(text, " FROM (SELECT * FROM \"%s\"%s%s%s LIMIT %lld) AS shown",
	    select->name, es__show_arguments(select->show),
	    order == NULL ? "" : " ORDER BY ", order == NULL ? "" : order,
	    (long long)select->show->limit);
}

/* Returns whether a column is left out that has a NULL as its largest value. */
static bool
select_leaves_out(const struct es__select *select, const char *name)
{
	const struct es_table *about = select->about;

	for (size_t i = 0; about != NULL && i < about->column_count; i++)
		if (strcmp(about->columns[i].name, name) == 0)
			return about->columns[i].optional;
	return false;
}

/* Chooses the unit of each column by the largest absolute value in it. */
static paths_status
select_scale(struct es__select *select)
{
	struct text text;
	struct es_rows *rows = NULL;
	unsigned kept = 0;
	paths_status st;

	text_open(&text);
	for (unsigned i = 0; i < select->count; i++)
		text_add(&text, "%smax(abs(\"%s\"))", i == 0 ? "SELECT " : ", ",
		    select->columns[i].name);
	select_add_from(select, &text);
	st = select_run(select, &text, &rows);
	if (st == PATHS_OK)
		st = es_rows_next(rows);
	for (unsigned i = 0; i < select->count && st == PATHS_OK; i++) {
		struct es_value value;

		es_rows_get(rows, i, &value);
		if (value.kind == ES_NULL &&
		    select_leaves_out(select, select->columns[i].name))
			continue;
		select->columns[kept] = select->columns[i];
		es__show_column_scale(&select->columns[kept++],
		    value.kind == ES_REAL	 ? value.as.real :
			value.kind == ES_INTEGER ? (double)value.as.integer :
						   0.0);
	}
	if (st == PATHS_OK)
		select->count = kept;
	es_rows_close(rows);
	return st;
}

paths_status
es__select_open(struct es__select *select, const struct es_show *show,
    const char *name)
{
	struct text text;
	paths_status st;

	*select = (struct es__select){ .show = show,
		.name = name,
		.about = es_view_table(name) };
	text_open(&text);
	text_add(&text, "SELECT * FROM \"%s\" LIMIT 0", name);
	st = select_run(select, &text, &select->none);
	if (st == PATHS_OK)
		st = select_columns(select);
	if (st == PATHS_OK)
		st = select_scale(select);
	if (st != PATHS_OK)
		es__select_close(select);
	return st;
}

void
es__select_close(struct es__select *select)
{
	free(select->columns);
	es_rows_close(select->none);
}

/* Adds the queries for the names of ids: "WITH names0(id, name) AS (...)". */
static void
select_add_names(const struct es__select *select, struct text *text)
{
	const char *before = "WITH ";

	for (unsigned i = 0; i < select->count; i++) {
		const struct es_table *refers = select->columns[i].refers;

		if (refers == NULL)
			continue;
		text_add(text, "%snames%u(id, name%s) AS NOT MATERIALIZED (%s)",
		    before, i, refers->within == NULL ? "" : ", within",
		    refers->names);
		before = ", ";
	}
}

/* Adds a column to the list of a SELECT; names replace ids. */
static void
select_add_column(const struct es__select *select, unsigned i,
    struct text *text)
{
	const struct es__show_column *column = &select->columns[i];
	const char *before = i == 0 ? " SELECT " : ", ";

	if (column->refers == NULL) {
		text_add(text, "%s\"%s\"", before, column->name);
		return;
	}
	text_add(text,
	    "%sifnull((SELECT name FROM names%u WHERE id = shown.\"%s\"",
	    before, i, column->name);
	if (column->refers->within != NULL)
		text_add(text, " AND within = shown.\"%s\"",
		    column->refers->within);
	text_add(text, "), \"%s\")", column->name);
}

paths_status
es__select_rows(const struct es__select *select, struct es_rows **rows)
{
	struct text text;

	text_open(&text);
	select_add_names(select, &text);
	for (unsigned i = 0; i < select->count; i++)
		select_add_column(select, i, &text);
	select_add_from(select, &text);
	return select_run(select, &text, rows);
}
