/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/query.h - SQL queries over the tables of a run, for charts
 */

#ifndef VIEWER_PLOT_QUERY_H
#define VIEWER_PLOT_QUERY_H

#include "scopes/rows.h"
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

/* Returns the first column of the first row; `none` or NULL without a row. */
int64_t esv__query_one(struct esv__sheet *sheet, int64_t none,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *esv__query_one_text(struct esv__sheet *sheet, const char *format,
    ...) __attribute__((format(printf, 2, 3)));

/* An SQL expression: the name of a call site, or NULL. */
#define ESV__SITE_NAME(site_) \
	"(SELECT coalesce(function, 'offset ' || offset) || " \
	"coalesce(', ' || replace(file, rtrim(file, replace(file, '/', '')), " \
	"'') || ':' || line, '') FROM mpi_site WHERE site = " site_ \
	" AND site > 0)"

#endif
