/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/paragraph_private.h - sentences for people, as text or HTML
 */

#ifndef SCOPES_SHOW_PARAGRAPH_PRIVATE_H
#define SCOPES_SHOW_PARAGRAPH_PRIVATE_H

#include "scopes/show/show.h"

/* Writes a text as a line, or as a paragraph of HTML. */
void es__paragraph_write(const struct es_show *show, const char *text);

/* Writes the text that a query gives; nothing when it gives none. */
paths_status es__paragraph_query(const struct es_show *show, const char *sql)
    PATHS_CHECKED;

#endif
