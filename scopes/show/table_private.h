/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/table_private.h - writes rows as a table: text, HTML, CSV or JSON
 */

#ifndef SCOPES_SHOW_TABLE_PRIVATE_H
#define SCOPES_SHOW_TABLE_PRIVATE_H

#include "scopes/show/show.h"

struct es__table;

/*
 * Begins a table.  In a table for a terminal, a column is aligned to the right
 * when all cells of its first rows are numbers.
 */
paths_status es__table_open(FILE *out, enum es_show_form form, unsigned columns,
    struct es__table **table) PATHS_CHECKED;

/* Names a column, before the first row.  The name is copied. */
paths_status es__table_name(struct es__table *table, unsigned column,
    const char *name) PATHS_CHECKED;

/* Adds a row with a cell for each column.  Cells are copied. */
paths_status es__table_row(struct es__table *table,
    const struct es_value *cells) PATHS_CHECKED;

/*
 * Writes the remainder and frees the table, also on failure.  Fails when `out`
 * cannot be written.
 */
paths_status es__table_close(struct es__table *table) PATHS_CHECKED;

/* Frees a table without writing the remainder.  NULL: nothing happens. */
void es__table_cancel(struct es__table *table);

#endif
