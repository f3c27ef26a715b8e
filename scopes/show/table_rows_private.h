/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/table_rows_private.h - the rows of a query as a table
 */

#ifndef SCOPES_SHOW_TABLE_ROWS_PRIVATE_H
#define SCOPES_SHOW_TABLE_ROWS_PRIVATE_H

#include "scopes/rows.h"
#include "scopes/show/show.h"

/* Writes all rows of a query as a table.  A statement without columns is run
   and writes nothing. */
paths_status es__table_rows(FILE *out, enum es_show_form form,
    struct es_rows *rows) PATHS_CHECKED;

#endif
