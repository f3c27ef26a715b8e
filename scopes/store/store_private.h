/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/store_private.h - a view.db that is open
 */

#ifndef SCOPES_STORE_STORE_PRIVATE_H
#define SCOPES_STORE_STORE_PRIVATE_H

#include "scopes/store/attach_private.h"

#include <sqlite3.h>
#include <stdbool.h>

/* A table that takes rows. */
struct es__store_table {
	const struct es_table *table;
	sqlite3_stmt *insert;  /* inserts a row */
	sqlite3_stmt *batch;   /* inserts several rows; NULL: not needed yet */
	struct es_value *rows; /* that are not inserted yet; they have no texts
				  and blobs */
	size_t row_count;
};

struct es_store {
	struct es_sink sink; /* first: the sink is the store */
	sqlite3 *db;
	char *file;	 /* name of the view.db, for messages */
	char *temporary; /* name while it is written; NULL: only read */
	int lock;	 /* of that file; -1: none */
	struct es__store_table *tables;
	size_t table_count;
	es__attach_check *check; /* of files that a query attaches; NULL: any */
	paths_status attach_error; /* of the last check */
};

/* Logs an error of SQLite and returns it as a status. */
paths_status es__store_fail(const struct es_store *store, int rc);

/* Inserts the rows that were taken so far.  PATHS_OK; PATHS_EIO; PATHS_EFULL;
   PATHS_ENOMEM. */
paths_status es__store_flush(struct es_store *store) PATHS_CHECKED;

/* Runs statements that return no rows, after es__store_flush. */
paths_status es__store_execute(struct es_store *store, const char *sql);

/* Binds a value to a parameter.  copy: SQLITE_STATIC or SQLITE_TRANSIENT.
   Returns an error code of SQLite. */
int es__store_bind(sqlite3_stmt *statement, int at,
    const struct es_value *value, sqlite3_destructor_type copy);

/* Returns a store that has no database yet.  NULL: out of memory. */
struct es_store *es__store_new(const char *file);

#endif
