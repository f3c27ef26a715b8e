/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/waits_table_private.h - the virtual table `waits_at`
 */

#ifndef SCOPES_STORE_WAITS_TABLE_PRIVATE_H
#define SCOPES_STORE_WAITS_TABLE_PRIVATE_H

#include "scopes/store/extension_api_private.h"

#include <stdbool.h>

/* Registers the table; `empty` is that of es__extension_register. */
int es__waits_table(sqlite3 *db, bool empty);

#endif
