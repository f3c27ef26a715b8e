/* SPDX-License-Identifier: MIT */
/*
 * viewer/plot/query.c - SQL queries over the tables of a run, for charts
 */

#include "viewer/plot/query.h"

#include "viewer/plot/sheet.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
esv__query_begin(struct esv__query *query, struct esv__sheet *sheet,
    const char *sql)
{
	*query = (struct esv__query){ .sheet = sheet };
	if (sheet->figure->status == PATHS_OK)
		sheet->figure->status =
		    es_rows_open(sheet->model->store, sql, &query->rows, NULL);
}

static void
query_bind(struct esv__query *query, const char *name,
    const struct es_value *value)
{
	paths_status st;

	if (query->rows == NULL)
		return;
	st = es_rows_bind(query->rows, name, value);
	if (st != PATHS_OK)
		query->sheet->figure->status = st;
}

void
esv__query_bind(struct esv__query *query, const char *name, int64_t value)
{
	query_bind(query, name, &ES_INT(value));
}

void
esv__query_bind_text(struct esv__query *query, const char *name,
    const char *value)
{
	query_bind(query, name, &ES_STR(value));
}

void
esv__query_bind_time(struct esv__query *query)
{
	const struct esv_chart_options *options = query->sheet->options;
	bool part = options->t1_ns > 0;

	esv__query_bind(query, "from", part ? options->t0_ns : INT64_MIN);
	esv__query_bind(query, "to", part ? options->t1_ns : INT64_MAX);
}

static void __attribute__((format(printf, 3, 0)))
query_open(struct esv__query *query, struct esv__sheet *sheet,
    const char *format, va_list list)
{
	char *sql = NULL;

	*query = (struct esv__query){ .sheet = sheet };
	if (vasprintf(&sql, format, list) < 0) {
		sheet->figure->status =
		    paths_log_fail(PATHS_ENOMEM, "no memory for a query");
		return;
	}
	esv__query_begin(query, sheet, sql);
	free(sql);
}

void
esv__query_open(struct esv__query *query, struct esv__sheet *sheet,
    const char *format, ...)
{
	va_list list;

	va_start(list, format);
	query_open(query, sheet, format, list);
	va_end(list);
}

void
esv__query_close(struct esv__query *query)
{
	es_rows_close(query->rows);
	query->rows = NULL;
}

bool
esv__query_next(struct esv__query *query)
{
	paths_status st;

	if (query->rows == NULL)
		return false;
	st = query->sheet->figure->status;
	if (st == PATHS_OK)
		st = es_rows_next(query->rows);
	if (st == PATHS_OK)
		return true;
	if (st != PATHS_ENOENT)
		query->sheet->figure->status = st;
	esv__query_close(query);
	return false;
}

static struct es_value
query_value(const struct esv__query *query, unsigned column)
{
	struct es_value value;

	es_rows_get(query->rows, column, &value);
	return value;
}

int64_t
esv__query_int(const struct esv__query *query, unsigned column)
{
	struct es_value value = query_value(query, column);

	if (value.kind == ES_REAL)
		return (int64_t)value.as.real;
	return value.kind == ES_INTEGER ? value.as.integer : 0;
}

double
esv__query_num(const struct esv__query *query, unsigned column)
{
	struct es_value value = query_value(query, column);

	if (value.kind == ES_REAL)
		return value.as.real;
	return value.kind == ES_INTEGER ? (double)value.as.integer : NAN;
}

bool
esv__query_null(const struct esv__query *query, unsigned column)
{
	return query_value(query, column).kind == ES_NULL;
}

const char *
esv__query_text(const struct esv__query *query, unsigned column)
{
	struct es_value value = query_value(query, column);

	return value.kind == ES_TEXT ?
	    esv_figure_printf(query->sheet->figure, "%s", value.as.text) :
	    "";
}

int64_t
esv__query_take(struct esv__query *query, int64_t none)
{
	if (esv__query_next(query) && !esv__query_null(query, 0))
		none = esv__query_int(query, 0);
	esv__query_close(query);
	return none;
}

const char *
esv__query_take_text(struct esv__query *query)
{
	const char *text = "";

	if (esv__query_next(query))
		text = esv__query_text(query, 0);
	esv__query_close(query);
	return text;
}

int64_t
esv__query_one(struct esv__sheet *sheet, int64_t none, const char *format, ...)
{
	struct esv__query query;
	va_list list;

	va_start(list, format);
	query_open(&query, sheet, format, list);
	va_end(list);
	return esv__query_take(&query, none);
}

const char *
esv__query_one_text(struct esv__sheet *sheet, const char *format, ...)
{
	struct esv__query query;
	va_list list;

	va_start(list, format);
	query_open(&query, sheet, format, list);
	va_end(list);
	return esv__query_take_text(&query);
}
