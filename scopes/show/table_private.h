/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/table_private.h - rows as a table: for people, as CSV or as JSON
 */

#ifndef SCOPES_SHOW_TABLE_PRIVATE_H
#define SCOPES_SHOW_TABLE_PRIVATE_H

#include "scopes/rows.h"
#include "scopes/show/show.h"

struct es__table;

/*
 * Begin a table.  Names are copied.  Text columns whose cells all look like
 * numbers are aligned right.
 */
paths_status es__table_open(FILE *out, enum es_show_form form, unsigned columns,
    struct es__table **table) PATHS_CHECKED;

/* The name of a column; before the first row. */
paths_status es__table_name(struct es__table *table, unsigned column,
    const char *name) PATHS_CHECKED;

/* One row of as many cells as there are columns; they are copied. */
paths_status es__table_row(struct es__table *table,
    const struct es_value *cells) PATHS_CHECKED;

/*
 * Write what is not written yet.  Fails when `out` cannot be written; then
 * and otherwise the table is gone.
 */
paths_status es__table_close(struct es__table *table) PATHS_CHECKED;

/* All rows of a query as a table; a statement without columns is run. */
paths_status es__table_rows(FILE *out, enum es_show_form form,
    struct es_rows *rows) PATHS_CHECKED;

/* End a table without its last rows, because reading them failed. */
void es__table_cancel(struct es__table *table);

#endif
