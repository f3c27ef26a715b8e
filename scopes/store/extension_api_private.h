/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_api_private.h - SQLite's functions in the extension
 *
 * The sources of the extension are compiled twice.  In eventspace.so, they call
 * every sqlite3_ function through the table sqlite3_api, which the program that
 * loads it passes.  In libscopes, with SQLITE_CORE, they call it directly.
 */

#ifndef SCOPES_STORE_EXTENSION_API_PRIVATE_H
#define SCOPES_STORE_EXTENSION_API_PRIVATE_H

#include <sqlite3ext.h>

#ifndef SQLITE_CORE
extern const sqlite3_api_routines *sqlite3_api;
#endif

#endif
