/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/page.c - the first page: what ran, and what there is to see
 */

#include "scopes/show/show_private.h"

#include "libpaths/log.h"
#include "scopes/finding.h"
#include "scopes/store/sql_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ES__SQL(page_sizes);
ES__SQL(page_no_collectors);
ES__SQL(page_end);
ES__SQL(page_share);
ES__SQL(page_diagnostics);

paths_status
es__show_one(const struct es_show *show, const char *sql, char *text,
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
es_show_has(const struct es_show *show, const char *table, bool *has)
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
	st = es__show_one(show, sql, found, sizeof(found));
	if (st == PATHS_OK)
		*has = strcmp(found, "0") != 0;
	return st;
}

paths_status
es__show_raw(const struct es_show *show, const char *sql)
{
	struct es_rows *rows;
	paths_status st = es_rows_open(show->store, sql, &rows, NULL);

	if (st == PATHS_OK) {
		st = es__table_rows(show->out, show->form, rows);
		es_rows_close(rows);
	}
	return st;
}

paths_status
es__show_sentence(const struct es_show *show, const char *sql)
{
	char text[1024];
	paths_status st = es__show_one(show, sql, text, sizeof(text));

	if (st == PATHS_OK && text[0] != '\0')
		es__show_say(show, text);
	return st;
}

/* How much ran, and how it ended. */
static paths_status
page_run(const struct es_show *show, bool mpi)
{
	paths_status st = mpi ? es__show_mpi_sizes(show) :
				es__show_sentence(show, es__sql_page_sizes);

	if (st == PATHS_OK)
		st = es__show_sentence(show, es__sql_page_end);
	if (st == PATHS_OK && !mpi)
		st = es__show_sentence(show, es__sql_page_share);
	if (st == PATHS_OK && !mpi)
		st = es__show_sentence(show, es__sql_page_no_collectors);
	return st;
}

static paths_status
page_take(void *to, const struct es_finding *finding)
{
	const struct es_show *const *show = to;

	es__show_say(*show, finding->text);
	return PATHS_OK;
}

/* Returns the table whose reading comes next on the first page: of those with
   a smaller place than the last, the one with the largest; NULL: none. */
static const struct es_table *
page_next(unsigned last)
{
	const struct es_table *next = NULL;
	const struct es_view *view;

	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++)
		for (size_t t = 0; t < view->table_count; t++) {
			const struct es_table *table = &view->tables[t];

			if (table->front < last &&
			    table->front > (next == NULL ? 0 : next->front))
				next = table;
		}
	return next;
}

/* What stands out, and where in the map time goes. */
static paths_status
page_tell(const struct es_show *show)
{
	const struct es_table *table = NULL;
	paths_status st = es_finding_each(show->store, NULL, page_take, &show);

	while (st == PATHS_OK &&
	    (table = page_next(table == NULL ? UINT_MAX : table->front)) !=
		NULL)
		st = es__show_sentence(show, table->reading);
	return st;
}

/* Shows the diagnostics; those that differ only in their subject are one line.
   Leaves out why a view is empty, which is shown with the view. */
static paths_status
page_diagnostics(const struct es_show *show)
{
	char count[24];
	paths_status st = es__show_one(show,
	    "SELECT count(*) FROM diagnostic WHERE subject NOT LIKE 'view %'",
	    count, sizeof(count));

	if (st != PATHS_OK || count[0] == '\0' || strcmp(count, "0") == 0)
		return st;
	fputs("\nWarnings and notes:\n\n", show->out);
	return es__show_raw(show, es__sql_page_diagnostics);
}

/* Fill in the line of one table: its name, its rows, what it says. */
static paths_status
page_table(const struct es_show *show, const struct es_table *about,
    struct es__table *table)
{
	char sql[160];
	char rows[24];
	bool has;
	paths_status st = es_show_has(show, about->name, &has);

	if (st != PATHS_OK || !has)
		return st;
	/* Counting raw events would read them all. */
	snprintf(sql, sizeof(sql),
	    (about->flags & ES_TABLE_EVENTS) != 0 ?
		"SELECT iif(count(*) = 0, 'events', '0')"
		" FROM diagnostic WHERE subject = 'view %.64s'" :
		"SELECT count(*) FROM \"%.64s\"",
	    about->name);
	st = es__show_one(show, sql, rows, sizeof(rows));
	if (st == PATHS_OK && strcmp(rows, "0") != 0) {
		struct es_value line[] = { ES_STR(about->name), ES_STR(rows),
			ES_STR(about->about) };

		st = es__table_row(table, line);
	}
	return st;
}

/* What gives ids their meaning is not what people look for. */
static bool
page_skips(const struct es_show *show, const struct es_view *view)
{
	return show->form == ES_SHOW_TEXT && (view->flags & ES_VIEW_IDS) != 0;
}

static paths_status
page_fill(const struct es_show *show, struct es__table *table)
{
	static const char *const titles[] = { "view", "rows", "about" };
	paths_status st = PATHS_OK;
	const struct es_view *view;

	for (unsigned i = 0; i < 3 && st == PATHS_OK; i++)
		st = es__table_name(table, i, titles[i]);
	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++)
		for (size_t i = page_skips(show, view) ? view->table_count : 0;
		     i < view->table_count && st == PATHS_OK; i++)
			st = page_table(show, &view->tables[i], table);
	return st;
}

/* The tables that have something to show. */
static paths_status
page_views(const struct es_show *show)
{
	struct es__table *table;
	paths_status st = es__table_open(show->out, show->form, 3, &table);

	if (st != PATHS_OK)
		return st;
	st = page_fill(show, table);
	if (st == PATHS_OK)
		return es__table_close(table);
	es__table_cancel(table);
	return st;
}

paths_status
es_show_summary(const struct es_show *show)
{
	bool mpi = false;
	paths_status st = es__show_is_mpi(show, &mpi);

	if (st == PATHS_OK)
		st = page_run(show, mpi);
	if (show->form == ES_SHOW_TEXT)
		putc('\n', show->out);
	if (st == PATHS_OK)
		st = mpi ? es__show_mpi(show) : page_tell(show);
	return st;
}

paths_status
es__show_page(const struct es_show *show)
{
	paths_status st;

	if (show->form != ES_SHOW_TEXT)
		return page_views(show);
	fprintf(show->out, "%s\n", show->run);
	st = es_show_summary(show);
	if (st == PATHS_OK)
		st = page_diagnostics(show);
	putc('\n', show->out);
	return st == PATHS_OK ? page_views(show) : st;
}
