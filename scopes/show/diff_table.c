/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/diff_table.c - tables of the comparison of two runs
 */

#include "scopes/show/diff_table.h"

#include "scopes/show/table_private.h"

#include <math.h>
#include <stdlib.h>

static const char *const kind_names[ES_DIFF_KINDS] = { "computing",
	"operations", "waiting", "outside" };

/* The columns of a table: four, and those of the kinds. */
#define COLUMNS (4 + ES_DIFF_KINDS)

const char *
es__diff_table_kind(enum es_diff_kind kind)
{
	return kind_names[kind];
}

static bool
form_is_text(enum es_show_form form)
{
	return form == ES_SHOW_TEXT || form == ES_SHOW_HTML;
}

struct es_value
es__diff_table_time(enum es_show_form form, double ns, bool sign,
    char text[ES__DIFF_TABLE_BYTES])
{
	if (!form_is_text(form))
		return ES_INT(llround(ns));
	text[0] = '+';
	(void)paths_unit_text(PATHS_UNIT_TIME, fabs(ns) < 0.5 ? 0 : ns,
	    text + 1);
	return ES_STR(sign && ns >= 0.5 ? text : text + 1);
}

static paths_status
table_row(const struct es__diff_table *t, struct es__table *table,
    const struct es_diff_row *row)
{
	char texts[COLUMNS][ES__DIFF_TABLE_BYTES];
	struct es_value cells[COLUMNS] = { ES_STR(row->name) };

	for (unsigned run = 0; run < 2; run++)
		cells[1 + run] = es__diff_table_time(t->form, row->ns[run],
		    false, texts[1 + run]);
	cells[3] = es__diff_table_time(t->form, row->ns[1] - row->ns[0], true,
	    texts[3]);
	for (unsigned k = 0; k < ES_DIFF_KINDS; k++)
		cells[4 + k] = es__diff_table_time(t->form,
		    row->kinds[k][1] - row->kinds[k][0], true, texts[4 + k]);
	return es__table_row(table, cells);
}

/* Names the columns; for people, those of times have the names of the runs. */
static paths_status
table_names(const struct es__diff_table *t, struct es__table *table,
    enum es_diff_by by)
{
	bool text = form_is_text(t->form);
	const char *names[] = { es_diff_by_word(by),
		text ? t->runs[0] : "first_ns", text ? t->runs[1] : "second_ns",
		text ? "difference" : "difference_ns" };
	paths_status st = PATHS_OK;

	for (unsigned n = 0; st == PATHS_OK && n < COLUMNS; n++) {
		char name[32];

		if (n >= 4)
			snprintf(name, sizeof(name), "%s%s", kind_names[n - 4],
			    text ? "" : "_ns");
		st = es__table_name(table, n, n < 4 ? names[n] : name);
	}
	return st;
}

/* Writes the rows, and the total. */
static paths_status
table_rows(const struct es__diff_table *t, struct es__table *table,
    const struct es_diff_row *total, const struct es_diff_row *rows,
    size_t count)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < count && n < t->limit; n++)
		st = table_row(t, table, &rows[n]);
	if (st == PATHS_OK && form_is_text(t->form))
		st = table_row(t, table, total);
	return st;
}

/* Tells that there are more rows. */
static void
table_more(const struct es__diff_table *t, size_t count)
{
	bool html = t->form == ES_SHOW_HTML;

	if (count > t->limit && form_is_text(t->form))
		fprintf(t->out,
		    "%sThe first %llu of %zu rows; total is that of all.%s\n",
		    html ? "<p>" : "", (unsigned long long)t->limit, count,
		    html ? "</p>" : "");
}

paths_status
es__diff_table_write(const struct es__diff_table *t, struct es_diff *d,
    enum es_diff_by by)
{
	struct es_diff_row *rows = NULL;
	struct es__table *table;
	double elapsed[2];
	size_t count;
	paths_status st = es_diff_rows(d, by, &count, &rows);

	if (st == PATHS_OK)
		st = es__table_open(t->out, t->form, COLUMNS, &table);
	if (st != PATHS_OK) {
		free(rows);
		return st;
	}
	st = table_names(t, table, by);
	if (st == PATHS_OK)
		st = table_rows(t, table, es_diff_total(d, by, elapsed), rows,
		    count);
	free(rows);
	if (st != PATHS_OK) {
		es__table_cancel(table);
		return st;
	}
	st = es__table_close(table);
	if (st == PATHS_OK)
		table_more(t, count);
	return st;
}
