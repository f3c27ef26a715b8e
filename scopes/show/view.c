/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/view.c - a view as tables in the terminal, or as it is
 */

#include "scopes/show/column_private.h"
#include "scopes/show/show_private.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"
#include "scopes/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SQL that is put together; an error is kept until the end. */
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

/* The text, heap memory; NULL: out of memory. */
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

/* A table that is being shown. */
struct view {
	const struct es_show *show;
	const char *name;
	const struct es_table *about; /* NULL: no view has it */
	struct es_rows *names; /* an empty result: what its columns are */
	struct es__show_column *columns;
	unsigned count;
	uint64_t shown; /* rows */
};

static paths_status
view_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "a table of a view");
}

static void
view_close(struct view *view)
{
	free(view->columns);
	es_rows_close(view->names);
}

/* Names come from view.db, so those with a quote in them may be anything. */
static paths_status
view_check_name(const char *name)
{
	if (strchr(name, '"') == NULL)
		return PATHS_OK;
	return paths_log_fail(PATHS_EDAMAGED, "no view %.64s", name);
}

/* Ids stay numbers where the table with their names was not computed. */
static paths_status
view_check_names(const struct view *view, struct es__show_column *column)
{
	struct es_rows *rows = NULL;
	paths_status st = PATHS_OK;

	if (column->refers != NULL)
		st = es_rows_try(view->show->store, column->refers->names,
		    &rows);
	if (rows == NULL)
		column->refers = NULL;
	es_rows_close(rows);
	return st;
}

static paths_status
view_columns(struct view *view)
{
	paths_status st = PATHS_OK;

	view->count = es_rows_columns(view->names);
	view->columns = calloc(view->count + 1, sizeof(*view->columns));
	if (view->columns == NULL)
		return view_no_memory();
	for (unsigned i = 0; i < view->count && st == PATHS_OK; i++) {
		const char *name = es_rows_name(view->names, i);

		st = view_check_name(name);
		es__show_column_init(&view->columns[i], view->name, name);
		if (st == PATHS_OK)
			st = view_check_names(view, &view->columns[i]);
	}
	return st;
}

static paths_status
view_open(struct view *view, const struct es_show *show, const char *name)
{
	struct text text;
	char *sql;
	paths_status st;

	*view = (struct view){ .show = show,
		.name = name,
		.about = es_view_table(name) };
	text_open(&text);
	text_add(&text, "SELECT * FROM \"%s\" LIMIT 0", name);
	sql = text_close(&text);
	st = sql == NULL ? view_no_memory() :
			   es_rows_open(show->store, sql, &view->names, NULL);
	free(sql);
	if (st == PATHS_OK)
		st = view_columns(view);
	if (st != PATHS_OK)
		view_close(view);
	return st;
}

/* "FROM (the rows that are shown)". */
static void
view_add_from(const struct view *view, struct text *text)
{
	const char *order = view->about == NULL ? NULL : view->about->order;

	text_add(text, " FROM (SELECT * FROM \"%s\"%s%s LIMIT %lld) AS shown",
	    view->name, order == NULL ? "" : " ORDER BY ",
	    order == NULL ? "" : order, (long long)view->show->limit);
}

/* The largest absolute value of each column, which says its unit. */
static paths_status
view_scale(struct view *view)
{
	struct text text;
	struct es_rows *rows = NULL;
	char *sql;
	paths_status st;

	text_open(&text);
	for (unsigned i = 0; i < view->count; i++)
		text_add(&text, "%smax(abs(\"%s\"))", i == 0 ? "SELECT " : ", ",
		    view->columns[i].name);
	view_add_from(view, &text);
	sql = text_close(&text);
	st = sql == NULL ? view_no_memory() :
			   es_rows_open(view->show->store, sql, &rows, NULL);
	if (st == PATHS_OK)
		st = es_rows_next(rows);
	for (unsigned i = 0; i < view->count && st == PATHS_OK; i++) {
		struct es_value value;

		es_rows_get(rows, i, &value);
		es__show_column_scale(&view->columns[i],
		    value.kind == ES_REAL	 ? value.as.real :
			value.kind == ES_INTEGER ? (double)value.as.integer :
						   0.0);
	}
	es_rows_close(rows);
	free(sql);
	return st;
}

/* Adds the queries for the names of ids: "WITH names0(id, name) AS (...)". */
static void
view_add_names(const struct view *view, struct text *text)
{
	const char *before = "WITH ";

	for (unsigned i = 0; i < view->count; i++) {
		const struct es_table *refers = view->columns[i].refers;

		if (refers == NULL)
			continue;
		text_add(text, "%snames%u(id, name%s) AS NOT MATERIALIZED (%s)",
		    before, i, refers->within == NULL ? "" : ", within",
		    refers->names);
		before = ", ";
	}
}

/* Adds a column to the list of a SELECT, an id as its name. */
static void
view_add_column(const struct view *view, unsigned i, struct text *text)
{
	const struct es__show_column *column = &view->columns[i];
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

/* Reads the rows, ids as names. */
static paths_status
view_rows(const struct view *view, struct es_rows **rows)
{
	struct text text;
	char *sql;
	paths_status st;

	text_open(&text);
	view_add_names(view, &text);
	for (unsigned i = 0; i < view->count; i++)
		view_add_column(view, i, &text);
	view_add_from(view, &text);
	sql = text_close(&text);
	st = sql == NULL ? view_no_memory() :
			   es_rows_open(view->show->store, sql, rows, NULL);
	free(sql);
	return st;
}

static paths_status
view_fill(struct view *view, struct es_rows *rows, struct es__table *table)
{
	struct es_value *values = calloc(view->count + 1, sizeof(*values));
	paths_status st = values == NULL ? view_no_memory() : PATHS_OK;

	for (unsigned i = 0; i < view->count && st == PATHS_OK; i++) {
		char title[96];

		es__show_column_title(&view->columns[i], title);
		st = es__table_name(table, i, title);
	}
	while (st == PATHS_OK) {
		st = es_rows_next(rows);
		if (st != PATHS_OK)
			break;
		for (unsigned i = 0; i < view->count; i++) {
			es_rows_get(rows, i, &values[i]);
			values[i] = es__show_column_value(&view->columns[i],
			    &values[i]);
		}
		st = es__table_row(table, values);
		view->shown++;
	}
	free(values);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

void
es__show_say(const struct es_show *show, const char *text)
{
	if (show->form != ES_SHOW_HTML) {
		fprintf(show->out, "%s\n", text);
		return;
	}
	fputs("<p>", show->out);
	es_show_escape(show->out, text);
	fputs("</p>\n", show->out);
}

paths_status
es__show_reading(const struct es_show *show, const char *table)
{
	const struct es_table *about = es_view_table(table);

	return about == NULL || about->reading == NULL ?
	    PATHS_OK :
	    es__show_sentence(show, about->reading);
}

static paths_status
view_found(void *to, const struct es_finding *finding)
{
	const struct es_show *show = *(const struct es_show *const *)to;

	if (show->form == ES_SHOW_TEXT)
		putc('\n', show->out);
	es__show_say(show, finding->text);
	return PATHS_OK;
}

/* Says what a run must have for the view to have rows. */
static void
view_needs(const struct view *view, char *why, size_t bytes)
{
	const struct es_view *about = es_view_find(view->name);
	char needs[ES_VIEW_NEEDS_BYTES] = "";

	if (about != NULL)
		es_view_needs(about, needs);
	if (needs[0] != '\0')
		snprintf(why, bytes, "the view needs %s", needs);
}

/* Says that there are no rows, and the diagnostic about the view. */
static paths_status
view_note(const struct view *view)
{
	char sql[192], why[256] = "", text[288] = "";
	paths_status st = PATHS_OK;

	snprintf(sql, sizeof(sql),
	    "SELECT text FROM diagnostic WHERE subject = 'view %.64s'",
	    view->name);
	if (strchr(view->name, '\'') == NULL)
		st = es__show_one(view->show, sql, why, sizeof(why));
	if (view->shown == 0 && why[0] == '\0')
		view_needs(view, why, sizeof(why));
	if (view->shown == 0)
		snprintf(text, sizeof(text), "(no rows%s%s)",
		    why[0] == '\0' ? "" : ": ", why);
	else if (why[0] != '\0')
		snprintf(text, sizeof(text), "(%s)", why);
	if (text[0] != '\0')
		es__show_say(view->show, text);
	return st;
}

/* How many rows were not shown, and what the table says. */
static paths_status
view_foot(const struct view *view)
{
	const struct es_show *show = view->show;
	char sql[160];
	char text[64] = "";
	paths_status st = view_note(view);
	long long more;

	if (st == PATHS_OK && show->limit >= 0) {
		snprintf(sql, sizeof(sql),
		    "SELECT count(*) - %lld FROM \"%.64s\"",
		    (long long)show->limit, view->name);
		st = es__show_one(show, sql, text, sizeof(text));
		more = strtoll(text, NULL, 10);
		snprintf(text, sizeof(text), "... and %lld more%s", more,
		    show->form == ES_SHOW_TEXT ? "; --limit 0 shows all" : "");
		if (st == PATHS_OK && more > 0)
			es__show_say(show, text);
	}
	if (st != PATHS_OK)
		return st;
	if (view->about == NULL || view->about->reading == NULL)
		return es_finding_each(show->store, view->name, view_found,
		    &show);
	if (show->form == ES_SHOW_TEXT)
		putc('\n', show->out);
	return es__show_reading(show, view->name);
}

/* One table as people read it. */
static paths_status
view_text(const struct es_show *show, const char *name)
{
	struct es__table *table = NULL;
	struct es_rows *rows = NULL;
	struct view view;
	paths_status st = view_open(&view, show, name);

	if (st != PATHS_OK)
		return st;
	st = view_scale(&view);
	if (st == PATHS_OK)
		st = view_rows(&view, &rows);
	if (st == PATHS_OK)
		st = es__table_open(show->out, show->form, view.count, &table);
	if (st == PATHS_OK) {
		st = view_fill(&view, rows, table);
		if (st == PATHS_OK)
			st = es__table_close(table);
		else
			es__table_cancel(table);
	}
	es_rows_close(rows);
	if (st == PATHS_OK)
		st = view_foot(&view);
	view_close(&view);
	return st;
}

/* One table as it is, for other programs. */
static paths_status
view_raw(const struct es_show *show, const char *name)
{
	struct text text;
	char *sql;
	paths_status st;

	text_open(&text);
	text_add(&text, "SELECT * FROM \"%s\" LIMIT %lld", name,
	    (long long)show->limit);
	sql = text_close(&text);
	st = sql == NULL ? view_no_memory() : es__show_raw(show, sql);
	free(sql);
	return st;
}

paths_status
es_show_table(const struct es_show *show, const char *name)
{
	return show->form == ES_SHOW_TEXT || show->form == ES_SHOW_HTML ?
	    view_text(show, name) :
	    view_raw(show, name);
}

/* Prints one table of a view under its name, and the names of the others. */
static paths_status
view_one(const struct es_show *show, const struct es_view *about,
    const char *name)
{
	const char *before = "\nOther tables of this view: ";
	paths_status st;

	for (size_t i = 0; i < about->table_count; i++)
		if (strcmp(about->tables[i].name, name) == 0)
			fprintf(show->out, "%s: %s\n\n", name,
			    about->tables[i].about);
	st = es_show_table(show, name);
	for (size_t i = 0; i < about->table_count && st == PATHS_OK; i++) {
		if (strcmp(about->tables[i].name, name) == 0)
			continue;
		fprintf(show->out, "%s%s", before, about->tables[i].name);
		before = ", ";
	}
	if (about->table_count > 1)
		fputs(".\n", show->out);
	return st;
}

/* Compares the names of all tables of view.db with a word. */
static paths_status
view_try(const struct es_show *show, struct paths_nearest *nearest)
{
	struct es_rows *rows;
	struct es_value name;
	paths_status st = es_rows_open(show->store,
	    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
	    &rows, NULL);

	if (st != PATHS_OK)
		return st;
	while ((st = es_rows_next(rows)) == PATHS_OK) {
		es_rows_get(rows, 0, &name);
		if (name.kind == ES_TEXT)
			paths_nearest_try(nearest, name.as.text);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
es__show_check(const struct es_show *show, const char *name)
{
	struct paths_nearest nearest;
	bool has = es_view_find(name) != NULL;
	paths_status st = has ? PATHS_OK : es_show_has(show, name, &has);

	if (has || st != PATHS_OK)
		return st;
	paths_nearest_init(&nearest, name);
	es_view_try(&nearest);
	st = view_try(show, &nearest);
	return st != PATHS_OK ?
	    st :
	    paths_log_fail(PATHS_ENOENT, "%s: no view %s%s", show->run, name,
		paths_nearest_hint(&nearest));
}

/*
 * Prints one table: that of the name, or the first one of the view of that
 * name.  People are also given the names of the view's other tables.
 */
paths_status
es__show_view(const struct es_show *show, const char *name)
{
	const struct es_view *view = es_view_find(name);
	const char *table = name;
	bool has = false;
	paths_status st = es_show_has(show, name, &has);

	if (st == PATHS_OK && !has && view != NULL) {
		table = view->tables[0].name;
		st = es_show_has(show, table, &has);
	}
	if (st == PATHS_OK)
		st = view_check_name(table);
	if (st != PATHS_OK)
		return st;
	if (!has)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: was computed without %s", show->run, name);
	if (show->form == ES_SHOW_TEXT && view != NULL &&
	    strcmp(view->name, name) == 0)
		return view_one(show, view, table);
	return es_show_table(show, table);
}
