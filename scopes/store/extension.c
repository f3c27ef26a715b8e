/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension.c - the SQLite extension eventspace.so
 *
 * It gives any program that uses SQLite the virtual table `event` over the raw
 * tuples of a run, a function that counts them, aggregates that Debian's SQLite
 * lacks, and functions that print numbers with units:
 *
 *	$ sqlite3 RUN/view.db
 *	sqlite> .load eventspace
 *	sqlite> SELECT op, median(duration_ns) FROM event GROUP BY op;
 */

#include "scopes/store/extension_private.h"

#include "scopes/store/event_private.h"
#include "scopes/store/extension_aggregates_private.h"
#include "scopes/store/extension_text_private.h"
#include "scopes/store/waits_table_private.h"

#include "libpaths/status.h"

int
es__extension_register(sqlite3 *db, bool empty)
{
	int rc = es__event_register(db, empty);

	if (rc == SQLITE_OK)
		rc = es__waits_table(db, empty);
	if (rc == SQLITE_OK)
		rc = es__extension_aggregates(db);
	return rc == SQLITE_OK ? es__extension_text(db) : rc;
}

#ifndef SQLITE_CORE

/* SQLite calls the first function, named after the file, or else the second. */
PATHS_API int sqlite3_eventspace_init(sqlite3 *db, char **error,
    const sqlite3_api_routines *api);
PATHS_API int sqlite3_extension_init(sqlite3 *db, char **error,
    const sqlite3_api_routines *api);

int
sqlite3_eventspace_init(sqlite3 *db, char **error,
    const sqlite3_api_routines *api)
{
	SQLITE_EXTENSION_INIT2(api);
	if (sqlite3_libversion_number() < 3031000) {
		*error = sqlite3_mprintf(
		    "eventspace: SQLite %s is too old, 3.31 is needed",
		    sqlite3_libversion());
		return SQLITE_ERROR;
	}
	return es__extension_register(db, false);
}

int
sqlite3_extension_init(sqlite3 *db, char **error,
    const sqlite3_api_routines *api)
{
	return sqlite3_eventspace_init(db, error, api);
}

#endif
