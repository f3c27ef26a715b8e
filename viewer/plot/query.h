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
 *	es__query_open(&q, sheet, "SELECT ... %" PRId64, id);
 *	while (es__query_next(&q))
 *		... es__query_int(&q, 0) ...
 *
 * es__query_next closes the query when it returns false.  A loop that ends
 * earlier must call es__query_close.
 */
struct es__query {
	struct es__sheet *sheet;
	struct es_rows *rows;
};
void es__query_open(struct es__query *query, struct es__sheet *sheet,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
bool es__query_next(struct es__query *query);
void es__query_close(struct es__query *query);
int64_t es__query_int(const struct es__query *query, unsigned column);
double es__query_num(const struct es__query *query, unsigned column);
bool es__query_null(const struct es__query *query, unsigned column);
/* Returns a text valid until the sheet is closed; "" for NULL. */
const char *es__query_text(const struct es__query *query, unsigned column);

/* Returns the first column of the first row; `none` or NULL without a row. */
int64_t es__query_one(struct es__sheet *sheet, int64_t none, const char *format,
    ...) __attribute__((format(printf, 3, 4)));
const char *es__query_one_text(struct es__sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* An SQL expression: the name of a call site, or NULL. */
#define ES__SITE_NAME(site_) \
	"(SELECT coalesce(function, 'offset ' || offset) || " \
	"coalesce(', ' || replace(file, rtrim(file, replace(file, '/', '')), " \
	"'') || ':' || line, '') FROM mpi_site WHERE site = " site_ \
	" AND site > 0)"

#endif
