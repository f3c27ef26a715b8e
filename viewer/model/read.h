/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/read.h - reads view.db and checks its values
 *
 * A view.db may come from anywhere, so each value is checked before it is used.
 */

#ifndef VIEWER_MODEL_READ_H
#define VIEWER_MODEL_READ_H

#include "scopes/rows.h"
#include "viewer/model/model.h"

/* Declares a statement of an .sql file, the string esv__sql_NAME
   (scopes/store/sql.awk). */
#define ESV__SQL(name) extern const char esv__sql_##name[]

/* The most rows of a table that is held in memory. */
#define ESV__READ_ROWS (UINT32_C(1) << 20)

/*
 * esv__read_each - calls a function with each row of a query
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	a table is missing, or there are too many rows
 *		the error of es_rows_next or of `take`
 */
typedef paths_status esv__read_take(void *to, const struct es_rows *rows);
paths_status esv__read_each(struct esv_model *model, const char *sql,
    esv__read_take *take, void *to) PATHS_CHECKED;

/*
 * esv__read_number - reads an integer that must lie in [least, most]
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	the value is no integer, or lies outside
 */
paths_status esv__read_number(const struct es_rows *rows, unsigned column,
    int64_t least, int64_t most, int64_t *number) PATHS_CHECKED;

/* Returns a time as an integer for a query, within those of view.db. */
long long esv__read_limit(double ns);

/* Returns a copy of a text, which the caller frees, or NULL without memory. */
char *esv__read_text(const struct es_rows *rows, unsigned column);

/* Reads a value of the table meta.  *value is freed by the caller; it is NULL
   if the table lacks the key. */
paths_status esv__read_meta(struct esv_model *model, const char *key,
    char **value) PATHS_CHECKED;

#endif
