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
 * Units are in the names of columns: _ns nanoseconds, _ppb parts in 10^9.
 * Ids are indices of the path map (scopes/run.h).
 */

#ifndef SCOPES_VIEW_H
#define SCOPES_VIEW_H

#include "collectors/api.h"
#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

struct paths_nearest;

enum es_kind {
	ES_NULL = 0, /* a value that is not there; no kind of a column */
	ES_INTEGER,
	ES_REAL,
	ES_TEXT,
	ES_BLOB
};

struct es_value {
	enum es_kind kind;
	size_t bytes; /* BLOB */
	union {
		int64_t integer;
		double real;
		const char *text;
		const void *blob;
	} as;
};

struct es_column {
	const char *name;
	enum es_kind kind;
	const char *about;
};

struct es_table {
	const char *name;
	const char *about;
	const struct es_column *columns;
	size_t column_count;
	const char *sql; /* "CREATE VIEW ..."; NULL: the table has rows */
	const char *key; /* columns of its primary key; NULL: it has none */
};

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
};

#define ES_INT(n) \
	((struct es_value){ .kind = ES_INTEGER, .as.integer = (int64_t)(n) })
#define ES_NUM(x) ((struct es_value){ .kind = ES_REAL, .as.real = (x) })
#define ES_STR(s) ((struct es_value){ .kind = ES_TEXT, .as.text = (s) })
#define ES_BIN(p, n) \
	((struct es_value){ .kind = ES_BLOB, .bytes = (n), .as.blob = (p) })
#define ES_NIL ((struct es_value){ .kind = ES_NULL })

/*
 * es_view_get - the n-th view, in the order of views.def
 *
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

#endif
