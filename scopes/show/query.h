/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/query.h - asks view.db single questions
 */

#ifndef SCOPES_SHOW_QUERY_H
#define SCOPES_SHOW_QUERY_H

#include "scopes/show/show.h"

/* Looks for a table, or an SQL view, of that name in view.db. */
paths_status es_query_has(const struct es_show *show, const char *table,
    bool *has) PATHS_CHECKED;

/* Reads the first value that a query gives, a text or an integer, as text: ""
   when there is none, or when a table of the query was not computed. */
paths_status es_query_text(const struct es_show *show, const char *sql,
    char *text, size_t bytes) PATHS_CHECKED;

/* Writes the rows of a query as a table, with no names for ids and no units. */
paths_status es_query_rows(const struct es_show *show, const char *sql)
    PATHS_CHECKED;

#endif
