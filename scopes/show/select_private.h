/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/select_private.h - the query for the rows of a table
 *
 * People read names instead of ids.  The query takes names from the tables that
 * the columns refer to, unless view.db lacks them.
 */

#ifndef SCOPES_SHOW_SELECT_PRIVATE_H
#define SCOPES_SHOW_SELECT_PRIVATE_H

#include "scopes/rows.h"
#include "scopes/show/column_private.h"
#include "scopes/show/show.h"

/* A table of view.db and its columns. */
struct es__select {
	const struct es_show *show;
	const char *name;
	const struct es_table *about; /* NULL: the table is of no view */
	struct es_rows *none;	      /* empty result; lends names of columns */
	struct es__show_column *columns;
	unsigned count; /* of columns */
};

/* Finds the columns of a table and the unit of each.  The name is lent. */
paths_status es__select_open(struct es__select *select,
    const struct es_show *show, const char *name) PATHS_CHECKED;

/* Begins to read the rows that are shown, with ids as names. */
paths_status es__select_rows(const struct es__select *select,
    struct es_rows **rows) PATHS_CHECKED;

void es__select_close(struct es__select *select);

/* Refuses the name of a table or column with a quotation mark, because such a
   name in view.db could add any SQL to the query. */
paths_status es__select_check_name(const char *name) PATHS_CHECKED;

#endif
