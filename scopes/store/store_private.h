/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/store_private.h - SQLite's door: what store*.c and rows.c share
 */

#ifndef SCOPES_STORE_STORE_PRIVATE_H
#define SCOPES_STORE_STORE_PRIVATE_H

#include "scopes/store.h"

#include <sqlite3.h>
#include <stdbool.h>

/* A table that takes rows, and the statement that inserts one. */
struct es__store_table {
	const struct es_table *table;
	sqlite3_stmt *insert;
};

struct es_store {
	struct es_sink sink; /* first: the sink is the store */
	sqlite3 *db;
	char *file;	 /* view.db, as messages name it */
	char *temporary; /* where it is written; NULL: only read */
	struct es__store_table *tables;
	size_t table_count;
};

/* What SQLite says went wrong in a store, as a status with its reason. */
paths_status es__store_fail(const struct es_store *store, int rc);

/* Run statements that give no rows. */
paths_status es__store_execute(struct es_store *store, const char *sql);

/* A store without a database yet.  NULL: out of memory. */
struct es_store *es__store_new(const char *file);

#endif
