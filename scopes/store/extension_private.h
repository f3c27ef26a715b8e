/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_private.h - registers the SQLite extension
 *
 * Includes no header of SQLite: libscopes includes sqlite3.h, and the sources
 * of the extension include sqlite3ext.h (extension_api_private.h).
 */

#ifndef SCOPES_STORE_EXTENSION_PRIVATE_H
#define SCOPES_STORE_EXTENSION_PRIVATE_H

#include <stdbool.h>

struct sqlite3;

/*
 * Registers all parts of the extension, as loading eventspace.so does.
 *
 * empty	the table `event` opens no run and has no rows, for the writer
 *		of a view.db
 *
 * Returns an error code of SQLite.
 */
int es__extension_register(struct sqlite3 *db, bool empty);

#endif
