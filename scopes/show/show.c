/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/show.c - shows a view or a table of a run
 *
 * People get ids as names, times in suitable units, and a sentence below the
 * table.  Other programs get the rows of view.db.
 */

#include "scopes/show/show.h"

#include "scopes/show/paragraph_private.h"
#include "scopes/show/query.h"
#include "scopes/show/select_private.h"
#include "scopes/show/table_private.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"
#include "scopes/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the rows of a query as a table, and counts them. */
static paths_status
show_fill(struct es__select *select, struct es_rows *rows,
    struct es__table *table, uint64_t *count)
{
	struct es_value *values =
	    calloc((size_t)select->count + 1, sizeof(*values));
	paths_status st = PATHS_OK;

	if (values == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a row");
	for (unsigned i = 0; i < select->count && st == PATHS_OK; i++) {
		char title[96];

		es__show_column_title(&select->columns[i], title);
		st = es__table_name(table, i, title);
	}
	while (st == PATHS_OK) {
		st = es_rows_next(rows);
		if (st != PATHS_OK)
			break;
		for (unsigned i = 0; i < select->count; i++) {
			es_rows_get(rows, i, &values[i]);
			values[i] = es__show_column_value(&select->columns[i],
			    &values[i]);
		}
		st = es__table_row(table, values);
		++*count;
	}
	free(values);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
show_found(void *to, const struct es_finding *finding)
{
	const struct es_show *show = *(const struct es_show *const *)to;

	if (show->form == ES_SHOW_TEXT)
		putc('\n', show->out);
	es__paragraph_write(show, finding->text);
	return PATHS_OK;
}

/* Returns whether the run is known to have been recorded as a view needs it, so
   that it has no rows for another reason.  Only MPI ranks tell their modes;
   tuples show that there was mode trace. */
static paths_status
show_is_met(const struct es_show *show, uint32_t needs, bool *met)
{
	static const uint32_t modes =
	    ES_NEED_PROFILE | ES_NEED_MATRIX | ES_NEED_FILES;
	char sql[512], text[32] = "";
	paths_status st;

	st = es_query_has(show, "mpi_rank", met);
	if (st != PATHS_OK || !*met)
		return st;
	snprintf(sql, sizeof(sql),
	    "SELECT ((SELECT count(*) FROM mpi_rank) > 0 AND %d"
	    "        OR (SELECT count(*) FROM mpi_rank) = 0 AND %d)"
	    " AND (NOT %d OR (SELECT total(tuples) FROM collector) > 0)",
	    (needs & ES_NEED_MPI) != 0,
	    (needs & ES_NEED_PATHS) != 0 && (needs & modes) == 0,
	    (needs & ES_NEED_TRACE) != 0);
	for (unsigned n = 0; n < 2; n++)
		if (needs & (n == 0 ? ES_NEED_PROFILE : ES_NEED_MATRIX))
			snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql),
			    " AND EXISTS (SELECT 1 FROM mpi_rank"
			    "             WHERE mode LIKE '%%%s%%')",
			    n == 0 ? "profile" : "matrix");
	st = es_query_text(show, sql, text, sizeof(text));
	*met = strcmp(text, "1") == 0 && !(needs & ES_NEED_FILES);
	return st;
}

/* Sets `why` to the requirements of the view of a table, unless the run has
   them. */
static paths_status
show_needs(const struct es_show *show, const char *table, char *why,
    size_t bytes)
{
	const struct es_view *view = es_view_find(table);
	char needs[ES_VIEW_NEEDS_BYTES] = "";
	bool met = false;
	paths_status st = PATHS_OK;

	if (view != NULL)
		es_view_needs(view, needs);
	if (needs[0] != '\0')
		st = show_is_met(show, view->needs, &met);
	if (needs[0] != '\0' && !met)
		snprintf(why, bytes, "the view needs %s", needs);
	return st;
}

/* Prints the diagnostic about the view of a table, if there is one.  For an
   empty table, also prints that it has no rows. */
static paths_status
show_note(const struct es_show *show, const char *table, bool empty)
{
	const struct es_view *view = es_view_find(table);
	bool of_paths = view != NULL && es_view_is_of_paths(view);
	char sql[256], why[256] = "", text[288] = "";
	paths_status st = PATHS_OK;

	/* One diagnostic of an MPI run is about all views of paths. */
	snprintf(sql, sizeof(sql),
	    "SELECT text FROM diagnostic WHERE subject = 'view %.64s'"
	    " OR (%d AND subject = 'view of paths')",
	    table, of_paths);
	if (strchr(table, '\'') == NULL)
		st = es_query_text(show, sql, why, sizeof(why));
	if (empty && show->arguments != NULL)
		snprintf(why, sizeof(why), "no thread is in an operation");
	else if (empty && why[0] == '\0')
		st = show_needs(show, table, why, sizeof(why));
	if (st != PATHS_OK)
		return st;
	if (empty)
		snprintf(text, sizeof(text), "(no rows%s%s)",
		    why[0] == '\0' ? "" : ": ", why);
	else if (why[0] != '\0')
		snprintf(text, sizeof(text), "(%s)", why);
	if (text[0] != '\0')
		es__paragraph_write(show, text);
	return st;
}

/* Prints the number of rows that the limit leaves out. */
static paths_status
show_more(const struct es_show *show, const char *table)
{
	char sql[224];
	char text[64] = "";
	paths_status st;
	long long more;

	snprintf(sql, sizeof(sql), "SELECT count(*) - %lld FROM \"%.64s\"%.64s",
	    (long long)show->limit, table, es__show_arguments(show));
	st = es_query_text(show, sql, text, sizeof(text));
	more = strtoll(text, NULL, 10);
	snprintf(text, sizeof(text), "... and %lld more%s", more,
	    show->form == ES_SHOW_TEXT ? "; --limit 0 shows all" : "");
	if (st == PATHS_OK && more > 0)
		es__paragraph_write(show, text);
	return st;
}

/* Counts the threads in the rows of waits_at, which has the arguments. */
static paths_status
show_waiting(const struct es_show *show)
{
	char sql[768];

	snprintf(sql, sizeof(sql),
	    "WITH inside AS (SELECT waiter, max(culprit IS NOT NULL) AS waits"
	    " FROM waits_at%.64s GROUP BY waiter)"
	    " SELECT printf('%%d of %%d threads wait for another thread, %%d '"
	    " || 'are in an operation without a culprit, %%d in none.',"
	    " ifnull(sum(waits), 0), (SELECT count(*) FROM thread),"
	    " ifnull(sum(NOT waits), 0),"
	    " (SELECT count(*) FROM thread) - count(*)) FROM inside",
	    es__show_arguments(show));
	return es__paragraph_query(show, sql);
}

/* Writes the notes below a table, then its reading; a table without a reading
   has findings instead. */
static paths_status
show_foot(const struct es__select *select, bool empty)
{
	const struct es_show *show = select->show;
	const struct es_table *about = select->about;
	paths_status st = show_note(show, select->name, empty);

	if (st == PATHS_OK && show->limit >= 0)
		st = show_more(show, select->name);
	if (st != PATHS_OK)
		return st;
	if (show->arguments != NULL) {
		putc('\n', show->out);
		return show_waiting(show);
	}
	if (about == NULL || about->reading == NULL)
		return es_finding_each(show->store, select->name, show_found,
		    &show);
	if (show->form == ES_SHOW_TEXT)
		putc('\n', show->out);
	return es__paragraph_query(show, about->reading);
}

/* Writes the rows of a table for people. */
static paths_status
show_rows(struct es__select *select, uint64_t *count)
{
	const struct es_show *show = select->show;
	struct es__table *table = NULL;
	struct es_rows *rows = NULL;
	paths_status st = es__select_rows(select, &rows);

	if (st == PATHS_OK)
		st = es__table_open(show->out, show->form, select->count,
		    &table);
	if (st == PATHS_OK) {
		st = show_fill(select, rows, table, count);
		if (st == PATHS_OK)
			st = es__table_close(table);
		else
			es__table_cancel(table);
	}
	es_rows_close(rows);
	return st;
}

static paths_status
show_text(const struct es_show *show, const char *name)
{
	struct es__select select;
	uint64_t count = 0;
	paths_status st = es__select_open(&select, show, name);

	if (st != PATHS_OK)
		return st;
	st = show_rows(&select, &count);
	if (st == PATHS_OK)
		st = show_foot(&select, count == 0);
	es__select_close(&select);
	return st;
}

/* Writes the rows of a table for other programs. */
static paths_status
show_raw(const struct es_show *show, const char *name)
{
	char *sql;
	paths_status st;

	if (asprintf(&sql, "SELECT * FROM \"%s\"%s LIMIT %lld", name,
		es__show_arguments(show), (long long)show->limit) < 0)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the table %.64s", name);
	st = es_query_rows(show, sql);
	free(sql);
	return st;
}

paths_status
es_show_table(const struct es_show *show, const char *name)
{
	return show->form == ES_SHOW_TEXT || show->form == ES_SHOW_HTML ?
	    show_text(show, name) :
	    show_raw(show, name);
}

/* Shows one table of a view with a heading, and the names of the view's other
   tables. */
static paths_status
show_one(const struct es_show *show, const struct es_view *view,
    const char *name)
{
	const char *before = "\nOther tables of this view: ";
	paths_status st;

	for (size_t i = 0; i < view->table_count; i++)
		if (strcmp(view->tables[i].name, name) == 0)
			fprintf(show->out, "%s: %s\n\n", name,
			    view->tables[i].about);
	st = es_show_table(show, name);
	for (size_t i = 0; i < view->table_count && st == PATHS_OK; i++) {
		if (strcmp(view->tables[i].name, name) == 0)
			continue;
		fprintf(show->out, "%s%s", before, view->tables[i].name);
		before = ", ";
	}
	if (view->table_count > 1)
		fputs(".\n", show->out);
	return st;
}

/* Compares the names of all tables of view.db with the name that is sought. */
static paths_status
show_try(const struct es_show *show, struct paths_nearest *nearest)
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
	paths_status st = has ? PATHS_OK : es_query_has(show, name, &has);

	if (has || st != PATHS_OK)
		return st;
	paths_nearest_init(&nearest, name);
	es_view_try(&nearest);
	st = show_try(show, &nearest);
	return st != PATHS_OK ?
	    st :
	    paths_log_fail(PATHS_ENOENT, "%s: no view %s%s", show->run, name,
		paths_nearest_hint(&nearest));
}

paths_status
es__show_view(const struct es_show *show, const char *name)
{
	const struct es_view *view = es_view_find(name);
	const char *table = name;
	bool has = false;
	paths_status st = es_query_has(show, name, &has);

	if (st == PATHS_OK && !has && view != NULL) {
		table = view->tables[0].name;
		st = es_query_has(show, table, &has);
	}
	if (st == PATHS_OK)
		st = es__select_check_name(table);
	if (st != PATHS_OK)
		return st;
	if (!has)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: was computed without %s", show->run, name);
	if (show->form == ES_SHOW_TEXT && view != NULL &&
	    strcmp(view->name, name) == 0)
		return show_one(show, view, table);
	return es_show_table(show, table);
}
