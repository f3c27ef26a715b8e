/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/page.c - the first page: what ran, warnings, and the views
 */

#include "scopes/show/page.h"

#include "scopes/show/mpi_private.h"
#include "scopes/show/paragraph_private.h"
#include "scopes/show/query.h"
#include "scopes/show/table_private.h"

#include "scopes/finding.h"
#include "scopes/plugin.h"
#include "scopes/store/sql_private.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

ES__SQL(page_sizes);
ES__SQL(page_no_collectors);
ES__SQL(page_end);
ES__SQL(page_share);
ES__SQL(page_diagnostics);

/* Writes the size of the run, and how its processes ended. */
static paths_status
page_run(const struct es_show *show, bool mpi)
{
	paths_status st = mpi ? es__show_mpi_sizes(show) :
				es__paragraph_query(show, es__sql_page_sizes);

	if (st == PATHS_OK)
		st = es__paragraph_query(show, es__sql_page_end);
	if (st == PATHS_OK && !mpi)
		st = es__paragraph_query(show, es__sql_page_share);
	if (st == PATHS_OK && !mpi)
		st = es__paragraph_query(show, es__sql_page_no_collectors);
	return st;
}

static paths_status
page_found(void *to, const struct es_finding *finding)
{
	const struct es_show *const *show = to;

	es__paragraph_write(*show, finding->text);
	return PATHS_OK;
}

paths_status
es_page_ends(const struct es_show *show)
{
	return es_finding_ends(show->store, page_found, &show);
}

/* Returns the table whose reading is next on the first page: the one with the
   largest place below `last`; NULL: none. */
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

/* Writes the findings, then the readings that belong on the first page. */
static paths_status
page_findings(const struct es_show *show)
{
	const struct es_table *table = NULL;
	paths_status st = es_finding_each(show->store, NULL, page_found, &show);

	while (st == PATHS_OK &&
	    (table = page_next(table == NULL ? UINT_MAX : table->front)) !=
		NULL)
		st = es__paragraph_query(show, table->reading);
	return st;
}

/* Writes the diagnostics; those that differ only in their subject are one line.
   The reason why a view is empty is shown with the view. */
static paths_status
page_diagnostics(const struct es_show *show)
{
	char count[24];
	paths_status st = es_query_text(show,
	    "SELECT count(*) FROM diagnostic WHERE subject NOT LIKE 'view %'",
	    count, sizeof(count));

	if (st != PATHS_OK || count[0] == '\0' || strcmp(count, "0") == 0)
		return st;
	fputs("\nWarnings and notes:\n\n", show->out);
	return es_query_rows(show, es__sql_page_diagnostics);
}

/* Describes a table, with the plugin that it is from. */
static void
page_about(const struct es_view *view, const struct es_table *table, char *text,
    size_t bytes)
{
	const char *plugin = es_plugin_name(view);

	snprintf(text, bytes, "%s%s%s%s", table->about,
	    plugin == NULL ? "" : " (plugin ", plugin == NULL ? "" : plugin,
	    plugin == NULL ? "" : ")");
}

/* Adds the line of a table; the name of a table stands below its topic. */
static paths_status
page_line(const struct es_show *show, const struct es_view *view,
    const struct es_table *about, const char *rows, struct es__table *table)
{
	char name[96], text[256];

	snprintf(name, sizeof(name), "%s%s",
	    show->form == ES_SHOW_TEXT ? "  " : "", about->name);
	page_about(view, about, text, sizeof(text));
	return es__table_row(table,
	    (struct es_value[]){ ES_STR(name), ES_STR(rows), ES_STR(text) });
}

/* Adds the heading of a topic, in a list for people. */
static paths_status
page_topic(const struct es_show *show, enum es_topic topic,
    struct es__table *table)
{
	const struct es_value heading[] = { ES_STR(es_view_topic(topic)),
		ES_STR(""), ES_STR("") };

	return show->form == ES_SHOW_TEXT ? es__table_row(table, heading) :
					    PATHS_OK;
}

/* Adds the line of one table, unless it is empty.  topic: the one whose heading
   came last; it is changed. */
static paths_status
page_table(const struct es_show *show, const struct es_view *view,
    const struct es_table *about, struct es__table *table, enum es_topic *topic)
{
	char sql[192];
	char rows[24];
	bool has;
	paths_status st = es_query_has(show, about->name, &has);

	if (st != PATHS_OK || !has)
		return st;
	/* Events are not counted, because that would read them all. */
	if ((about->flags & ES_TABLE_EVENTS) != 0)
		snprintf(sql, sizeof(sql),
		    "SELECT iif(count(*) = 0, 'events', '0')"
		    " FROM diagnostic WHERE subject = 'view %.64s'"
		    " OR (%d AND subject = 'view of paths')",
		    about->name, es_view_is_of_paths(view));
	else
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM \"%.64s\"",
		    about->name);
	st = es_query_text(show, sql, rows, sizeof(rows));
	if (st != PATHS_OK || strcmp(rows, "0") == 0)
		return st;
	if (*topic != view->topic) {
		st = page_topic(show, view->topic, table);
		*topic = view->topic;
	}
	return st == PATHS_OK ? page_line(show, view, about, rows, table) : st;
}

/* Returns whether the list for people leaves out a view, because its tables
   only explain ids. */
static bool
page_skips(const struct es_show *show, const struct es_view *view)
{
	return show->form == ES_SHOW_TEXT && (view->flags & ES_VIEW_IDS) != 0;
}

/* Adds the views of a topic, in the order of views.def. */
static paths_status
page_fill_topic(const struct es_show *show, enum es_topic topic,
    struct es__table *table)
{
	enum es_topic last = ES_TOPICS; /* none */
	paths_status st = PATHS_OK;
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++) {
		if (view->topic != topic || page_skips(show, view))
			continue;
		for (size_t i = 0; i < view->table_count && st == PATHS_OK; i++)
			st = page_table(show, view, &view->tables[i], table,
			    &last);
	}
	return st;
}

static paths_status
page_fill(const struct es_show *show, struct es__table *table)
{
	static const char *const titles[] = { "view", "rows", "about" };
	paths_status st = PATHS_OK;

	for (unsigned i = 0; i < 3 && st == PATHS_OK; i++)
		st = es__table_name(table, i, titles[i]);
	for (unsigned n = 1; n <= ES_TOPICS && st == PATHS_OK; n++)
		st = page_fill_topic(show, (enum es_topic)(n % ES_TOPICS),
		    table);
	return st;
}

/* Writes a list of the tables that have rows. */
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

/* Writes the findings about an MPI run; about one that hung early, only its
   loops. */
static paths_status
page_mpi(const struct es_show *show)
{
	static const char *const tables[] = { "root_cause", "phase",
		"efficiency_window", "cost_phase" };
	bool hung;
	paths_status st = es__show_mpi_hung(show, &hung);

	if (st == PATHS_OK && hung)
		return es_finding_each(show->store, "phase", page_found, &show);
	if (st != PATHS_OK)
		return st;
	st = es_finding_each(show->store, "cpu_time", page_found, &show);
	if (st == PATHS_OK)
		st = es__show_mpi_waiting(show);
	for (size_t n = 0;
	     st == PATHS_OK && n < sizeof(tables) / sizeof(tables[0]); n++)
		st = es_finding_each(show->store, tables[n], page_found, &show);
	return st;
}

paths_status
es_page_summary(const struct es_show *show)
{
	bool mpi = false;
	paths_status st = es__show_mpi_is(show, &mpi);

	if (st == PATHS_OK)
		st = page_run(show, mpi);
	if (show->form == ES_SHOW_TEXT)
		putc('\n', show->out);
	if (st == PATHS_OK)
		st = mpi ? page_mpi(show) : page_findings(show);
	return st;
}

paths_status
es__page_show(const struct es_show *show)
{
	paths_status st;

	if (show->form != ES_SHOW_TEXT)
		return page_views(show);
	es__paragraph_write(show, show->run);
	st = es_page_ends(show);
	if (st == PATHS_OK)
		st = es_page_summary(show);
	if (st == PATHS_OK)
		st = page_diagnostics(show);
	putc('\n', show->out);
	return st == PATHS_OK ? page_views(show) : st;
}
