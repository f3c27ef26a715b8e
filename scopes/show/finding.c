/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/finding.c - finds what stands out in a run
 */

#include "scopes/finding.h"

#include "scopes/rows.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
finding_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_TEXT ? value.as.text : "";
}

/* Passes on the finding of a query that belongs to `table`, and ends the
   query. */
static paths_status
finding_take(struct es_rows *rows, const struct es_view_finding *f,
    const char *table, es_finding_take *take, void *to)
{
	struct es_finding finding = { .table = f->table,
		.measure = f->measure };
	struct es_value id;
	paths_status st = es_rows_next(rows);

	if (st == PATHS_OK) {
		finding.kind = finding_text(rows, 0);
		es_rows_get(rows, 1, &id);
		finding.text = finding_text(rows, 2);
		if (f->table == NULL)
			finding.table = finding_text(rows, 3);
		finding.chart = f->chart == NULL ? finding.table : f->chart;
		if (id.kind == ES_INTEGER)
			finding.id = id.as.integer;
		else
			finding.kind = "";
		if (finding.text[0] != '\0' &&
		    (table == NULL || strcmp(table, finding.table) == 0))
			st = take(to, &finding);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Runs the query of one finding, and passes on a finding that belongs to
   `table`. */
static paths_status
finding_ask(struct es_store *store, const struct es_view_finding *f,
    const char *table, es_finding_take *take, void *to)
{
	struct es_rows *rows;
	paths_status st = es_rows_try(store, f->sql, &rows);

	return st != PATHS_OK || rows == NULL ?
	    st :
	    finding_take(rows, f, table, take, to);
}

/* The findings that views declare, the largest weight first. */
struct finding_list {
	const struct es_view_finding **all;
	size_t count;
};

/* Inserts a finding behind those of the same weight. */
static void
finding_insert(struct finding_list *list, const struct es_view_finding *f)
{
	size_t at = list->count++;

	for (; at > 0 && list->all[at - 1]->weight < f->weight; at--)
		list->all[at] = list->all[at - 1];
	list->all[at] = f;
}

static paths_status
finding_list(struct finding_list *list)
{
	const struct es_view *view;
	size_t count = 1;

	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++)
		count += view->finding_count;
	*list = (struct finding_list){ calloc(count, sizeof(*list->all)), 0 };
	if (list->all == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for findings");
	for (size_t v = 0; (view = es_view_get(v)) != NULL; v++)
		for (size_t n = 0; n < view->finding_count; n++)
			finding_insert(list, &view->findings[n]);
	return PATHS_OK;
}

paths_status
es_finding_each(struct es_store *store, const char *table,
    es_finding_take *take, void *to)
{
	struct finding_list list;
	paths_status st = finding_list(&list);

	for (size_t n = 0; st == PATHS_OK && n < list.count; n++) {
		const struct es_view_finding *f = list.all[n];

		if (table == NULL || f->table == NULL ||
		    strcmp(table, f->table) == 0)
			st = finding_ask(store, f, table, take, to);
	}
	free(list.all);
	return st;
}

/* The tables of a part of the run. */
struct part {
	const struct es_finding_table *tables;
	size_t count;
};

/* Returns whether a finding is printed below a table of the part. */
static bool
part_has(const struct part *part, const struct es_view_finding *f)
{
	for (size_t n = 0; f->table != NULL && n < part->count; n++)
		if (strcmp(part->tables[n].name, f->table) == 0)
			return true;
	return false;
}

/* Returns the query of a finding with the tables of the part in front of it, as
   common table expressions, which hide those of the database. */
static char *
part_sql(const struct part *part, const char *sql)
{
	static const char with[] = "WITH";
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL)
		return NULL;
	for (size_t n = 0; n < part->count; n++)
		fprintf(to, "%s %s AS MATERIALIZED (%s)", n == 0 ? with : ",",
		    part->tables[n].name, part->tables[n].sql);
	if (part->count > 0 && strncmp(sql, with, sizeof(with) - 1) == 0)
		fprintf(to, ",%s", sql + sizeof(with) - 1);
	else
		fprintf(to, " %s", sql);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static paths_status
part_ask(struct es_store *store, const struct part *part,
    const struct es_view_finding *f, es_finding_take *take, void *to)
{
	char *sql = part_sql(part, f->sql);
	struct es_rows *rows;
	paths_status st;

	if (sql == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for findings");
	st = es_rows_try(store, sql, &rows);
	free(sql);
	if (st != PATHS_OK || rows == NULL)
		return st;
	for (size_t n = 0; st == PATHS_OK && n < part->count; n++)
		if (part->tables[n].rows != NULL)
			st = es_rows_bind(rows, part->tables[n].name,
			    &ES_STR(part->tables[n].rows));
	if (st == PATHS_OK)
		return finding_take(rows, f, NULL, take, to);
	es_rows_close(rows);
	return st;
}

paths_status
es_finding_part(struct es_store *store, const struct es_finding_table *tables,
    size_t count, es_finding_take *take, void *to)
{
	const struct part part = { tables, count };
	struct finding_list list;
	paths_status st;

	if (count > ES_FINDING_TABLES)
		return paths_log_fail(PATHS_EINVAL, "%zu tables are too many",
		    count);
	st = finding_list(&list);
	for (size_t n = 0; st == PATHS_OK && n < list.count; n++)
		if (part_has(&part, list.all[n]))
			st = part_ask(store, &part, list.all[n], take, to);
	free(list.all);
	return st;
}
