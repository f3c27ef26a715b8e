/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/query.h - single queries of view.db
 */

#ifndef SCOPES_SHOW_QUERY_H
#define SCOPES_SHOW_QUERY_H

#include "scopes/show/show.h"

/* Sets *has to true if view.db has a table or an SQL view of that name, else to
   false.  PATHS_ENOENT: no table can have the name. */
paths_status es_query_has(const struct es_show *show, const char *table,
    bool *has) PATHS_CHECKED;

/* Reads the first value of the first row of a query, a text or an integer, as
   text.  The text is "" when the query has no row, or when one of its tables
   was not computed. */
paths_status es_query_text(const struct es_show *show, const char *sql,
    char *text, size_t bytes) PATHS_CHECKED;

/* Writes the rows of a query as a table, with ids and numbers as they are in
   view.db. */
paths_status es_query_rows(const struct es_show *show, const char *sql)
    PATHS_CHECKED;

#endif
