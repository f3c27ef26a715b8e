/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/page.c - the first page: what ran, and what there is to see
 */

#include "scopes/show/show_private.h"

#include "libpaths/log.h"
#include "scopes/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

paths_status
es__show_one(const struct es_show *show, const char *sql, char *text,
    size_t bytes)
{
	struct es_rows *rows;
	struct es_value value = ES_NIL;
	paths_status st = es_rows_open(show->store, sql, &rows, NULL);

	text[0] = '\0';
	if (st != PATHS_OK)
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

/* A paragraph of the first page: a sentence that a query makes. */
static paths_status
page_say(const struct es_show *show, const char *table, const char *sql)
{
	char text[512];
	bool has;
	paths_status st = es_show_has(show, table, &has);

	if (st == PATHS_OK && has)
		st = es__show_one(show, sql, text, sizeof(text));
	if (st == PATHS_OK && has && text[0] != '\0')
		es__show_say(show, text);
	return st;
}

/* SQL for "1 host", "2 hosts". */
#define COUNT(one, many) \
	"(SELECT count(*) || iif(count(*) = 1, ' " one "', ' " many "')" \
	" FROM " one ")"
#define HOSTS COUNT("host", "hosts")
#define PROCESSES COUNT("process", "processes")
#define THREADS COUNT("thread", "threads")
#define STAGES COUNT("stage", "stages")
#define COLLECTORS COUNT("collector", "collectors")

static const char page_sizes[] =
    "SELECT printf('%s, %s, %s, %s, ', " HOSTS ", " PROCESSES ", " THREADS ","
    " " STAGES ") || iif(count(*) = 0, 'no collectors',"
    " printf('%s with %s tuples in %s', " COLLECTORS ","
    " readable_count(total(tuples)),"
    " ifnull(readable_ns(max(last_ns)), 'no time')))"
    " FROM collector";

static const char page_no_collectors[] =
    "SELECT 'Nothing was recorded: add collectors to the map with `eventspace"
    " map instrument`.'"
    " WHERE NOT EXISTS (SELECT 1 FROM collector)";

static const char page_end[] =
    "SELECT group_concat(printf('%d of %s %s', n, " PROCESSES ", how), ', ')"
    " FROM (SELECT CASE state WHEN 'closed' THEN 'exited'"
    " WHEN 'missing' THEN 'without an event space' ELSE state END AS how,"
    " count(*) AS n FROM process GROUP BY state)";

static const char page_share[] =
    "SELECT printf('%s operations; threads communicate %s of their"
    " time', readable_count(sum(operations)),"
    " readable_share(ifnull(1.0 * sum(communication_ns) /"
    " sum(communication_ns + computation_ns), 0)))"
    " FROM load_balance HAVING count(*) > 0";

/* How much ran, and how it ended. */
static paths_status
page_run(const struct es_show *show, bool mpi)
{
	paths_status st = mpi ? es__show_mpi_sizes(show) :
				page_say(show, "collector", page_sizes);

	if (st == PATHS_OK)
		st = page_say(show, "process", page_end);
	if (st == PATHS_OK && !mpi)
		st = page_say(show, "load_balance", page_share);
	if (st == PATHS_OK && !mpi)
		st = page_say(show, "collector", page_no_collectors);
	return st;
}

static paths_status
page_take(void *to, const struct es_finding *finding)
{
	const struct es_show *const *show = to;

	es__show_say(*show, finding->text);
	return PATHS_OK;
}

/* What stands out, and where in the map time goes. */
static paths_status
page_tell(const struct es_show *show)
{
	static const char *const telling[] = { "breakdown", "arrival" };
	paths_status st = es_finding_each(show->store, NULL, page_take, &show);

	for (size_t i = 0; i < sizeof(telling) / sizeof(telling[0]); i++) {
		bool has = false;

		if (st == PATHS_OK)
			st = es_show_has(show, telling[i], &has);
		if (st == PATHS_OK && has)
			st = es__show_reading(show, telling[i]);
	}
	return st;
}

/* Shows the diagnostics; those that differ only in their subject are one line.
   Leaves out why a view is empty, which is shown with the view. */
static paths_status
page_diagnostics(const struct es_show *show)
{
	static const char sql[] =
	    "SELECT severity, min(subject) || iif(count(*) = 1, '',"
	    " printf(' and %d more', count(*) - 1)) AS subject, text"
	    " FROM diagnostic WHERE subject NOT LIKE 'view %'"
	    " GROUP BY severity, text ORDER BY min(rowid)";
	bool has;
	char count[24];
	paths_status st = es_show_has(show, "diagnostic", &has);

	if (st != PATHS_OK || !has)
		return st;
	st = es__show_one(show,
	    "SELECT count(*) FROM diagnostic"
	    " WHERE subject NOT LIKE 'view %'",
	    count, sizeof(count));
	if (st != PATHS_OK || strcmp(count, "0") == 0)
		return st;
	fputs("\nWarnings and notes:\n\n", show->out);
	return es__show_raw(show, sql);
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
	return show->form == ES_SHOW_TEXT && strcmp(view->name, "base") == 0;
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
