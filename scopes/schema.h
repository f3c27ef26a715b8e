/* SPDX-License-Identifier: MIT */
/*
 * scopes/schema.h - opens a view.db that somebody else may have written
 *
 * A query of eventspace runs the SQL of the views in the file, and a view of a
 * hostile file need not end.  So its schema must be one that a scope writes.
 */

#ifndef SCOPES_SCHEMA_H
#define SCOPES_SCHEMA_H

#include "scopes/store.h"

PATHS_BEGIN_DECLS

/*
 * es_schema_open - open a view.db whose schema is one that a scope writes
 *
 * The file may have any ordinary tables.  A view in it must be that of a view
 * of this process, with the same SQL; so load plugins first.  Triggers, other
 * virtual tables than `event`, indexes that were added, and columns that are
 * computed are refused.  So are files of this kind that a query attaches, and
 * files that are no view.db.
 *
 * file		its path
 * store	out: for es_rows_open
 *
 * Returns	as es_store_open
 *		PATHS_EDAMAGED	also: its schema has another object
 * Ownership	the caller calls es_store_close
 * Threads	any, while no plugin is loaded; then one at a time
 * Since	0.1
 */
ES_API paths_status es_schema_open(const char *file, struct es_store **store)
    PATHS_CHECKED;

PATHS_END_DECLS

#endif
