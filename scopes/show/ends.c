/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/ends.c - the sentences about deaths, hangs and deadlocks
 */

#include "scopes/finding.h"

#include "scopes/rows.h"
#include "scopes/store/sql_private.h"

#include <stddef.h>

ES__SQL(mpi_died);
ES__SQL(mpi_killed);
ES__SQL(mpi_mixed);
ES__SQL(mpi_stuck);
ES__SQL(mpi_tags);
ES__SQL(ends_died);
ES__SQL(ends_killed);
ES__SQL(ends_stuck);
ES__SQL(ends_deadlock);

/* A query for sentences, and the table that shows more; of a run without the
   table it has no row. */
static const struct {
	const char *sql, *table;
} ends[] = {
	{ es__sql_mpi_died, "mpi_rank" },
	{ es__sql_mpi_mixed, "mpi_inside" },
	{ es__sql_mpi_stuck, "mpi_inside" },
	{ es__sql_mpi_tags, "mpi_inside_unreceived" },
	{ es__sql_mpi_killed, "mpi_rank" },
	{ es__sql_ends_died, "process" },
	{ es__sql_ends_stuck, "inside" },
	{ es__sql_ends_killed, "process" },
	{ es__sql_ends_deadlock, "diagnostic" },
};

static paths_status
ends_ask(struct es_store *store, size_t n, es_finding_take *take, void *to)
{
	struct es_finding finding = { .table = ends[n].table,
		.kind = "",
		.chart = ends[n].table };
	struct es_value text;
	struct es_rows *rows;
	paths_status st = es_rows_try(store, ends[n].sql, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_next(rows);
	if (st == PATHS_OK) {
		es_rows_get(rows, 0, &text);
		if (text.kind == ES_TEXT && text.as.text[0] != '\0') {
			finding.text = text.as.text;
			st = take(to, &finding);
		}
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

paths_status
es_finding_ends(struct es_store *store, es_finding_take *take, void *to)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < sizeof(ends) / sizeof(ends[0]);
	     n++)
		st = ends_ask(store, n, take, to);
	return st;
}
