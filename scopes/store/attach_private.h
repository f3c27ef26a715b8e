/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/attach_private.h - files that a query attaches to a view.db
 */

#ifndef SCOPES_STORE_ATTACH_PRIVATE_H
#define SCOPES_STORE_ATTACH_PRIVATE_H

#include "scopes/store.h"

/* Checks a file.  Returns the error, with its reason in the log. */
typedef paths_status es__attach_check(const char *file);

/* Lets queries attach only files that the check accepts.  Without this call
   they attach any. */
void es__attach_only(struct es_store *store, es__attach_check *check);

/* Returns the error of a statement that SQLite did not authorize. */
paths_status es__attach_error(const struct es_store *store);

#endif
