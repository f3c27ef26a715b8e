/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/page.h - the first page of a run
 */

#ifndef SCOPES_SHOW_PAGE_H
#define SCOPES_SHOW_PAGE_H

#include "scopes/show/show.h"

/* Writes deaths, hangs and deadlocks, which come before everything else. */
paths_status es_page_ends(const struct es_show *show) PATHS_CHECKED;

/* Writes what ran, how it ended, and what stands out, in sentences. */
paths_status es_page_summary(const struct es_show *show) PATHS_CHECKED;

/* Writes the summary, the warnings, and a list of the views.  Other programs
   get the list only. */
paths_status es__page_show(const struct es_show *show) PATHS_CHECKED;

#endif
