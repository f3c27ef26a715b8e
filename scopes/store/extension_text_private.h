/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_text_private.h - readable_ns, _bytes, _share, _count
 */

#ifndef SCOPES_STORE_EXTENSION_TEXT_PRIVATE_H
#define SCOPES_STORE_EXTENSION_TEXT_PRIVATE_H

#include "scopes/store/extension_api_private.h"

/* Registers the functions.  Returns an error code of SQLite. */
int es__extension_text(sqlite3 *db);

#endif
