/* SPDX-License-Identifier: MIT */
/*
 * scopes/rows.h - the rows of an SQL query, one after the other
 */

#ifndef SCOPES_ROWS_H
#define SCOPES_ROWS_H

#include "scopes/view.h"

struct es_store;
struct es_rows;

/*
 * es_rows_open - begin a query over the views and the raw events of a run
 *
 * Reading only: what would change a database, this one or another, is
 * refused.
 *
 * store	open for reading
 * sql		begins with the query; what follows its semicolon is not run
 * rows		out; NULL when sql holds nothing but blanks and comments
 * rest		out: what follows; NULL: not wanted, and then there must be
 *		nothing
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	SQLite's words for what is wrong
 *		PATHS_EINVAL	it would write, or something follows
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_rows_close; rest points into sql
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_rows_open(struct es_store *store, const char *sql,
    struct es_rows **rows, const char **rest) PATHS_CHECKED;

/*
 * es_rows_try - begin a query over views that may not have been computed
 *
 * As es_rows_open, with nothing after the query, but *rows is NULL when a
 * table of the query is not there.
 *
 * Returns	as es_rows_open
 * Ownership	the caller calls es_rows_close
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_rows_try(struct es_store *store, const char *sql,
    struct es_rows **rows) PATHS_CHECKED;

/*
 * es_rows_bind - give a parameter of the query a value
 *
 * name	of :name, @name or $name in the query, without its mark; one that the
 *	query does not have is passed over.  What is not bound is NULL.
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	es_rows_next was called already
 *		PATHS_ENOMEM
 * Ownership	copies the value
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_rows_bind(struct es_rows *rows, const char *name,
    const struct es_value *value) PATHS_CHECKED;

/*
 * es_rows_next - go to the next row
 *
 * Returns	PATHS_OK	there is one
 *		PATHS_ENOENT	there are no more
 *		PATHS_EDAMAGED	the file is not what SQLite wrote
 *		PATHS_EIO	SQLite's words for what went wrong
 *		PATHS_ENOMEM
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_rows_next(struct es_rows *rows) PATHS_CHECKED;

/*
 * es_rows_columns - how many columns each row has
 *
 * Returns	the count; 0 for a statement that gives no rows
 * Threads	that of the store
 * Since	0.1
 */
ES_API unsigned es_rows_columns(const struct es_rows *rows);

/*
 * es_rows_name - the name of a column
 *
 * column	less than es_rows_columns
 *
 * Returns	the name
 * Ownership	the rows'
 * Threads	that of the store
 * Since	0.1
 */
ES_API const char *es_rows_name(const struct es_rows *rows, unsigned column);

/*
 * es_rows_get - one value of the row that es_rows_next went to
 *
 * column	less than es_rows_columns
 * value	out
 *
 * Returns	nothing
 * Ownership	texts and blobs are the rows', until the next es_rows_next
 * Threads	that of the store
 * Since	0.1
 */
ES_API void es_rows_get(const struct es_rows *rows, unsigned column,
    struct es_value *value);

/*
 * es_rows_close - end a query
 *
 * rows	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	that of the store
 * Since	0.1
 */
ES_API void es_rows_close(struct es_rows *rows);

#endif
