/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_private.h - the virtual table `event`
 */

#ifndef SCOPES_STORE_EVENT_PRIVATE_H
#define SCOPES_STORE_EVENT_PRIVATE_H

#include "scopes/store/extension_api_private.h"

#include <stdbool.h>

/* Registers the table; `empty` is that of es__extension_register. */
int es__event_register(sqlite3 *db, bool empty);

#endif
