/* SPDX-License-Identifier: MIT */
/*
 * scopes/view.h - views, and the tables that they compute from a run
 *
 * A view is one file scopes/views/ROOM/NAME.c and one line in
 * scopes/views/views.def.  It declares its tables and computes their rows.  A
 * sink takes the rows: that of the store writes them into SQLite, that of the
 * tests into text.  A table may instead be an SQL view over the virtual table
 * `event`, which computes its rows when they are read.
 *
 * Ids are indices of the path map (scopes/run.h).
 *
 * eventspace-views(7) is generated from these declarations (`make manual`).
 */

#ifndef SCOPES_VIEW_H
#define SCOPES_VIEW_H

#include "scopes/column.h"

#include "libpaths/status.h"

PATHS_BEGIN_DECLS

/* The rows are raw events: a query of the table reads the event spaces. */
#define ES_TABLE_EVENTS 1u
/* es_store_run creates the table, es_store_view does not. */
#define ES_TABLE_BUILTIN 2u
/* The viewer draws the rows; the report does not print them. */
#define ES_TABLE_DRAWN 4u

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
	   refer to; NULL: ids have no names.  Some ids are unique only together
	   with another column: an input is unique within its stage.  Then
	   `within` names the other column, and rows are (id, name, value of
	   the other column). */
	const char *names;
	const char *within;

	/* Order of the rows in `eventspace show`, as in ORDER BY; NULL: the
	   order in which they were computed. */
	const char *order;
	/* Query for one sentence, which is printed below the table; NULL: the
	   findings of the table are printed there. */
	const char *reading;
	const char *reading_about; /* noun phrase: subject of the sentence */
	/* Place of the reading on the first page of a run: larger ones come
	   first; 0: only below the table. */
	unsigned front;
};

/*
 * A search for one thing that stands out in a run.  The query gives at most one
 * row: the kind of thing (thread, stage, site, step), its id, one sentence, and
 * the name of a table when `table` is NULL.
 */
struct es_view_finding {
	const char *sql;
	const char *about;   /* noun phrase: the thing, and when it is found */
	unsigned weight;     /* larger ones come first */
	const char *table;   /* table that the sentence is printed below */
	const char *chart;   /* chart that shows it; NULL: named as the table */
	const char *measure; /* measure of the chart; NULL: its first */
};

/* Requirements of a view: operations of one of the kinds given, recorded
   in each of the modes given.  With ES_NEED_MPI_PROFILE, MPI calls in mode
   profile are enough. */
#define ES_NEED_PATHS 1u    /* operations on paths */
#define ES_NEED_MPI 2u	    /* MPI calls */
#define ES_NEED_FILES 4u    /* files of Open MPI's monitoring */
#define ES_NEED_TRACE 8u    /* mode trace */
#define ES_NEED_PROFILE 16u /* mode profile */
#define ES_NEED_MATRIX 32u  /* mode matrix */
#define ES_NEED_MPI_PROFILE 64u

/* Every view.db has the view, also when `eventspace scope --view` names other
   views. */
#define ES_VIEW_ALWAYS 1u
/* The first page does not list the tables, which only explain ids. */
#define ES_VIEW_IDS 2u
/* The view follows the dependences of MPI calls. */
#define ES_VIEW_DEPENDENCES 4u

/* The views of a topic stand together where views are listed, in this order. */
enum es_topic {
	ES_TOPIC_OTHER,	 /* listed last */
	ES_TOPIC_CAUSES, /* of waiting, and what limits the run */
	ES_TOPIC_WAITING,
	ES_TOPIC_TIME, /* in operations, and between them */
	ES_TOPIC_MESSAGES,
	ES_TOPIC_OPERATIONS, /* one by one */
	ES_TOPIC_RUN,
};

/* Their number; topics are 0, 1, ... ES_TOPICS - 1. */
#define ES_TOPICS 7

/*
 * Receiver of rows.  An implementation embeds the struct.  One thread at a time
 * calls `row`.  The order of the rows of a table does not depend on the number
 * of threads.  Values are lent for the call.  An error ends the computation of
 * the view, which returns the error.
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
	const char *about;    /* noun phrase */
	const char *question; /* question that the view answers */
	const struct es_table *tables;
	size_t table_count;
	/* Computes the rows; passes those of tables[i] to the sink with
	   &tables[i].  NULL: all tables are SQL or
	   built in. */
	es_view_compute *compute;
	uint32_t flags; /* ES_VIEW_ */
	uint32_t needs; /* ES_NEED_; 0: every run has rows */
	const struct es_view_finding *findings;
	size_t finding_count;
	enum es_topic topic;
};

/*
 * es_view_topic - the name of a topic
 *
 * Returns	a heading, as "Waiting"
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_view_topic(enum es_topic topic);

/*
 * es_view_get - the n-th view, in the order of views.def
 *
 * The base tables come first.  Views of plugins (scopes/plugin.h) come before
 * the last view, `diagnostic`.  Tables of a view may refer to tables of views
 * before it.
 *
 * Returns	the view; NULL past the last
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_view *es_view_get(size_t n);

/*
 * es_view_plan - tell an analysis that a view will be computed
 *
 * Views that pass over the same tuples then share a pass.  The rows are those
 * that es_view_fill gives without it.  Call it for all views before the first
 * es_view_fill.
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		a status of reading the run
 * Ownership	borrows both for the call
 * Threads	one; starts none
 * Since	0.1
 */
ES_API paths_status es_view_plan(const struct es_view *view,
    struct es_analysis *analysis) PATHS_CHECKED;

/*
 * es_view_fill - compute the rows of a view
 *
 * Computes nothing and adds a diagnostic when the view is only about operations
 * on paths and the run is one of MPI processes.
 *
 * Returns	PATHS_OK; the error of the view or of the sink
 * Ownership	borrows all for the call
 * Threads	one; uses those of the analysis
 * Since	0.1
 */
ES_API paths_status es_view_fill(const struct es_view *view,
    struct es_analysis *analysis, struct es_sink *sink) PATHS_CHECKED;

/* The longest text of es_view_needs, its closing 0 included. */
#define ES_VIEW_NEEDS_BYTES 128

/*
 * es_view_needs - describe the requirements of a view in words
 *
 * Returns	text, such as "MPI calls in mode trace"; "" for nothing
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_view_needs(const struct es_view *view,
    char text[ES_VIEW_NEEDS_BYTES]);

/*
 * es_view_is_of_paths - whether a view is only about operations on paths
 *
 * Such a view computes nothing of a run of MPI processes.  One diagnostic with
 * the subject "view of paths" tells that for all of them.
 *
 * Returns	true or false
 * Threads	any
 * Since	0.1
 */
static inline bool
es_view_is_of_paths(const struct es_view *view)
{
	return (view->needs & (ES_NEED_PATHS | ES_NEED_MPI)) == ES_NEED_PATHS;
}

/*
 * es_view_find - find a view by its name or by the name of one of its tables
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
 * nearest	candidates for the word, for paths_nearest_hint
 *
 * Returns	nothing
 * Threads	one at a time for each *nearest
 * Since	0.1
 */
ES_API void es_view_try(struct paths_nearest *nearest);

/*
 * es_view_table - find a table of any view by its name
 *
 * Returns	the table; NULL when there is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_table *es_view_table(const char *name);

PATHS_END_DECLS

#endif
