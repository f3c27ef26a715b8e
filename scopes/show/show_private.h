/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/show_private.h - what the files of eventspace show share
 */

#ifndef SCOPES_SHOW_SHOW_PRIVATE_H
#define SCOPES_SHOW_SHOW_PRIVATE_H

#include "scopes/rows.h"
#include "scopes/show/show.h"
#include "scopes/show/table_private.h"

/* The first page: what ran, what to distrust, which views there are. */
paths_status es__show_page(const struct es_show *show) PATHS_CHECKED;

/* Whether the run is one of MPI processes; how much there is of it; what it
   waited for, in sentences. */
paths_status es__show_is_mpi(const struct es_show *show, bool *is)
    PATHS_CHECKED;
paths_status es__show_mpi_sizes(const struct es_show *show) PATHS_CHECKED;
paths_status es__show_mpi(const struct es_show *show) PATHS_CHECKED;

/* Refuses a name that is neither a view nor a table of view.db with
   PATHS_ENOENT. */
paths_status es__show_check(const struct es_show *show, const char *name)
    PATHS_CHECKED;

/* A view with all its tables, or one table. */
paths_status es__show_view(const struct es_show *show, const char *name)
    PATHS_CHECKED;

/* What a table says, in a sentence. */
paths_status es__show_reading(const struct es_show *show, const char *table)
    PATHS_CHECKED;

/* The rows of a query as they are. */
paths_status es__show_raw(const struct es_show *show, const char *sql)
    PATHS_CHECKED;

/* One text or number from a query, as text; "" when there is none, or when a
   table of the query was not computed. */
paths_status es__show_one(const struct es_show *show, const char *sql,
    char *text, size_t bytes) PATHS_CHECKED;

/* A paragraph. */
void es__show_say(const struct es_show *show, const char *text);

/* A paragraph that a query gives; nothing when it gives none. */
paths_status es__show_sentence(const struct es_show *show, const char *sql)
    PATHS_CHECKED;

#endif
