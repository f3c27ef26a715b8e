/* SPDX-License-Identifier: MIT */
/*
 * scopes/rows.h - runs an SQL query and reads its rows
 */

#ifndef SCOPES_ROWS_H
#define SCOPES_ROWS_H

#include "scopes/view.h"

PATHS_BEGIN_DECLS

struct es_store;
struct es_rows;

/*
 * es_rows_open - begin a query over the views and the raw events of a run
 *
 * Statements that change this database or another one are refused.
 *
 * store	open for reading
 * sql		a query, perhaps followed by a semicolon and more text
 * rows		out; NULL if sql has only blanks and comments
 * rest		out: the text after the semicolon, which is not run; if rest is
 *		NULL, more text is refused
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	with the message of SQLite
 *		PATHS_EINVAL	it writes, or more text follows
 *		PATHS_EDAMAGED	the file is damaged
 *		PATHS_EIO	the file cannot be read
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
 * As es_rows_open without rest, but *rows is NULL if a table of the query does
 * not exist.
 *
 * Returns	as es_rows_open
 * Ownership	the caller calls es_rows_close
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_rows_try(struct es_store *store, const char *sql,
    struct es_rows **rows) PATHS_CHECKED;

/*
 * es_rows_bind - set the value of a parameter of the query
 *
 * A parameter that is not bound is NULL.
 *
 * name	of the parameter :NAME, @NAME or $NAME, without the first character; a
 *	name that is not in the query is ignored
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
 * Returns	PATHS_OK	there is a row
 *		PATHS_ENOENT	there are no more rows
 *		PATHS_EDAMAGED	the file is damaged
 *		PATHS_EIO	with the message of SQLite
 *		PATHS_ENOMEM
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_rows_next(struct es_rows *rows) PATHS_CHECKED;

/*
 * es_rows_columns - the number of columns
 *
 * Returns	the number; 0 for a statement without rows
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
 * es_rows_get - a value of the current row
 *
 * column	less than es_rows_columns
 * value	out
 *
 * Returns	nothing
 * Ownership	texts and blobs belong to the rows until the next es_rows_next
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

PATHS_END_DECLS

#endif
