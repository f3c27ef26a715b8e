/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/finding.c - finds what stands out in a run
 */

#include "scopes/finding.h"

#include "scopes/rows.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

static const char *
finding_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return value.kind == ES_TEXT ? value.as.text : "";
}

/* Runs the query of one finding, and passes on a finding that belongs to
   `table`. */
static paths_status
finding_ask(struct es_store *store, const struct es_view_finding *f,
    const char *table, es_finding_take *take, void *to)
{
	struct es_finding finding = { .table = f->table,
		.measure = f->measure };
	struct es_rows *rows;
	struct es_value id;
	paths_status st = es_rows_try(store, f->sql, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_next(rows);
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
