/* SPDX-License-Identifier: MIT */
/*
 * scopes/view.h - what a view is
 *
 * A view is one file scopes/views/ROOM/NAME.c and one line in
 * scopes/views/views.def.  It declares its tables and computes their rows.  The
 * sink keeps the rows: the store puts them into SQLite, tests into text.  A
 * table may instead be an SQL view over the virtual table `event`; such a table
 * has no rows of its own.
 *
 * Ids are indices of the path map (scopes/run.h).
 */

#ifndef SCOPES_VIEW_H
#define SCOPES_VIEW_H

#include "scopes/column.h"

#include "libpaths/status.h"

/* The rows are raw events: to read or count them reads the event spaces. */
#define ES_TABLE_EVENTS 1u
/* es_store_run creates the table, es_store_view does not. */
#define ES_TABLE_BUILTIN 2u

struct paths_nearest;

/* Initialisers of a table's columns, from an array. */
#define ES_COLUMNS(array) \
	.columns = (array), .column_count = sizeof(array) / sizeof((array)[0])

struct es_table {
	const char *name;
	const char *about; /* noun phrase */
	const struct es_column *columns;
	size_t column_count;
	const char *sql; /* "CREATE VIEW ..."; NULL: the table has rows */
	const char *key; /* columns of its primary key; NULL: it has none */
	uint32_t flags;	 /* ES_TABLE_ */

	/* Query with a row (id, name) for each id that columns of other tables
	   refer to; NULL: ids have no names.  Ids that are unique only within
	   a column, as inputs are within their stage, have the rows
	   (id, name, value of that column), and `within` names it. */
	const char *names;
	const char *within;

	/* Which rows come first, as in ORDER BY; NULL: in no special order. */
	const char *order;
	/* Query for one sentence, which stands below the table; NULL: the
	   findings of the table stand there. */
	const char *reading;
	/* Place of the reading on the first page of a run: larger ones come
	   first; 0: only below the table. */
	unsigned front;
};

/*
 * Something that may stand out in a run.  The query gives at most one row:
 * the kind of the thing that it is about (thread, stage, site, step), the id
 * of the thing, one sentence, and the table when `table` is NULL.
 */
struct es_view_finding {
	const char *sql;
	unsigned weight;     /* larger ones come first */
	const char *table;   /* table that it stands below */
	const char *chart;   /* chart that shows it; NULL: named as the table */
	const char *measure; /* of the chart; NULL: its first */
};

/* Requirements of a view: operations of one of the kinds given, recorded
   in each of the modes given. */
#define ES_NEED_PATHS 1u    /* operations on paths */
#define ES_NEED_MPI 2u	    /* MPI calls */
#define ES_NEED_FILES 4u    /* files of Open MPI's monitoring */
#define ES_NEED_TRACE 8u    /* mode trace */
#define ES_NEED_PROFILE 16u /* mode profile */
#define ES_NEED_MATRIX 32u  /* mode matrix */

/* Every view.db has the view, whichever views are chosen. */
#define ES_VIEW_ALWAYS 1u
/* The first page does not list the tables: they give ids their meaning. */
#define ES_VIEW_IDS 2u

/*
 * Where rows go.  Embedded by whoever implements it.  Called by one thread at
 * a time; the rows of a table come in the same order whatever the number of
 * threads.  Values are lent for the call.  An error ends the view, which
 * passes it on.
 */
struct es_sink {
	paths_status (*row)(struct es_sink *self, const struct es_table *table,
	    const struct es_value *values);
};

struct es_analysis;

typedef paths_status es_view_compute(struct es_analysis *analysis,
    struct es_sink *sink);

struct es_view {
	const char *name;
	const char *about; /* one line */
	const struct es_table *tables;
	size_t table_count;
	/* NULL when all tables are SQL.  Rows of tables[i] are given with
	   &tables[i]. */
	es_view_compute *compute;
	uint32_t flags; /* ES_VIEW_ */
	uint32_t needs; /* ES_NEED_; 0: rows in every run */
	const struct es_view_finding *findings;
	size_t finding_count;
};

/*
 * es_view_get - the n-th view, in the order of views.def
 *
 * Views of plugins (scopes/plugin.h) come before the last view, `diagnostic`.
 * Base tables come first.  The tables of a later view may refer to those of
 * an earlier one.
 *
 * Returns	the view; NULL past the last
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_view *es_view_get(size_t n);

/*
 * es_view_fill - compute the rows of a view
 *
 * Computes nothing, and says so in a diagnostic, when the view needs
 * operations on paths and the run is one of MPI processes.
 *
 * Returns	PATHS_OK; what the view or the sink answers
 * Ownership	borrows all for the call
 * Threads	one; uses those of the analysis
 * Since	0.1
 */
ES_API paths_status es_view_fill(const struct es_view *view,
    struct es_analysis *analysis, struct es_sink *sink) PATHS_CHECKED;

/* The longest text of es_view_needs, its closing 0 included. */
#define ES_VIEW_NEEDS_BYTES 128

/*
 * es_view_needs - what a view needs of a run, in words
 *
 * Returns	text, such as "MPI calls in mode trace"; "" for nothing
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_view_needs(const struct es_view *view,
    char text[ES_VIEW_NEEDS_BYTES]);

/*
 * es_view_find - the view of that name, or that has a table of that name
 *
 * Returns	the view; NULL when there is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_view *es_view_find(const char *name);

/*
 * es_view_try - compare the names of all views and tables with a word
 *
 * nearest	of the word, for paths_nearest_hint
 *
 * Returns	nothing
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
ES_API void es_view_try(struct paths_nearest *nearest);

/*
 * es_view_table - the table of that name, of any view
 *
 * Returns	the table; NULL when there is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_table *es_view_table(const char *name);

#endif
