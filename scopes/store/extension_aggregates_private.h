/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_aggregates_private.h - median, percentile and stdev
 */

#ifndef SCOPES_STORE_EXTENSION_AGGREGATES_PRIVATE_H
#define SCOPES_STORE_EXTENSION_AGGREGATES_PRIVATE_H

#include "scopes/store/extension_api_private.h"

/* Registers the aggregates.  Returns an error code of SQLite. */
int es__extension_aggregates(sqlite3 *db);

#endif
