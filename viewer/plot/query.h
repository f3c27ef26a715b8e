/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/query.h - SQL queries over the tables of a run, for charts
 */

#ifndef VIEWER_PLOT_QUERY_H
#define VIEWER_PLOT_QUERY_H

#include "scopes/rows.h"
#include "viewer/model/read.h"
#include "viewer/plot/sheet.h"

/*
 * A query, and its current row:
 *
 *	esv__query_open(&q, sheet, "SELECT ... %" PRId64, id);
 *	while (esv__query_next(&q))
 *		... esv__query_int(&q, 0) ...
 *
 * esv__query_next closes the query when it returns false.  A loop that ends
 * earlier must call esv__query_close.
 */
struct esv__query {
	struct esv__sheet *sheet;
	struct es_rows *rows;
};
void esv__query_open(struct esv__query *query, struct esv__sheet *sheet,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
bool esv__query_next(struct esv__query *query);
void esv__query_close(struct esv__query *query);
int64_t esv__query_int(const struct esv__query *query, unsigned column);
double esv__query_num(const struct esv__query *query, unsigned column);
bool esv__query_null(const struct esv__query *query, unsigned column);
/* Returns a text valid until the sheet is closed; "" for NULL. */
const char *esv__query_text(const struct esv__query *query, unsigned column);

/*
 * Opens a statement of an .sql file.  Its parameters are bound before the first
 * esv__query_next; a parameter that is not bound is NULL.
 *
 *	esv__query_begin(&q, sheet, esv__sql_breakdown_stages);
 *	esv__query_bind(&q, "thread", thread);
 */
void esv__query_begin(struct esv__query *query, struct esv__sheet *sheet,
    const char *sql);
void esv__query_bind(struct esv__query *query, const char *name, int64_t value);
void esv__query_bind_text(struct esv__query *query, const char *name,
    const char *value);
/* Binds :from and :to to the time interval shown. */
void esv__query_bind_time(struct esv__query *query);

/* Return the first column of the first row, and close the query.  Without a row
   or for NULL, they return `none` or "". */
int64_t esv__query_take(struct esv__query *query, int64_t none);
const char *esv__query_take_text(struct esv__query *query);

/* Run a query, and return as esv__query_take and esv__query_take_text. */
int64_t esv__query_one(struct esv__sheet *sheet, int64_t none,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *esv__query_one_text(struct esv__sheet *sheet, const char *format,
    ...) __attribute__((format(printf, 2, 3)));

#endif
