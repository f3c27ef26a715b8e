/* SPDX-License-Identifier: MIT */
/*
 * scopes/store.h - writes and opens a view.db, the SQLite file of views
 *
 * The database has the tables of views, and the virtual table `event` over the
 * raw tuples, which stay in the event spaces.  It is written under a temporary
 * name and renamed when it is whole, so a reader sees the whole new file or the
 * old one.
 */

#ifndef SCOPES_STORE_H
#define SCOPES_STORE_H

#include "scopes/view.h"

PATHS_BEGIN_DECLS

/* Ids in the head of the file: "EvSp", and the version of the tables. */
#define ES_STORE_APPLICATION_ID 0x45765370
#define ES_STORE_SCHEMA_VERSION 16

struct es_store;

/*
 * es_store_create - begin a new view.db
 *
 * file		its path; an existing file stays until es_store_commit
 * store	out
 *
 * Returns	PATHS_OK
 *		PATHS_EIO	the directory cannot be written
 *		PATHS_EFULL	the disk is full
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_store_close
 * Threads	any; then one at a time
 * Since	0.1
 */
ES_API paths_status es_store_create(const char *file, struct es_store **store)
    PATHS_CHECKED;

/*
 * es_store_run - write the clocks of the run, its table `event`, and a table
 * tuple_TYPE for each type of tuple in other event spaces
 *
 * The tables show the tuples on the clock of the analysis.
 *
 * Returns	as es_store_create
 *		PATHS_EBUSY	called before for this store
 * Ownership	borrows the analysis for the call
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_store_run(struct es_store *store,
    const struct es_analysis *analysis) PATHS_CHECKED;

/*
 * es_store_view - create the tables of a view
 *
 * Returns	as es_store_create
 *		PATHS_EINVAL	a table of that name exists, or the SQL of a
 *				table is wrong
 * Ownership	keeps a reference to the view until es_store_close
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_store_view(struct es_store *store,
    const struct es_view *view) PATHS_CHECKED;

/*
 * es_store_sink - the sink that inserts rows into a new view.db
 *
 * Its errors are PATHS_ENOENT for a table that es_store_view did not create,
 * PATHS_ETYPE for a value of another kind than its column, and PATHS_EBUSY for
 * a key that exists.  Rows of tables without a key may be inserted later:
 * that fails with a later row, or with es_store_commit.
 *
 * Returns	the sink
 * Ownership	the store's
 * Threads	one at a time
 * Since	0.1
 */
ES_API struct es_sink *es_store_sink(struct es_store *store);

/*
 * es_store_commit - give a new view.db its name
 *
 * The whole file is on the disk before it replaces an old one.
 *
 * Returns	as es_store_create; after an error an old file is unchanged,
 *		except when only the sync of the directory, after the rename,
 *		failed
 * Threads	one; nothing but es_store_close may follow
 * Since	0.1
 */
ES_API paths_status es_store_commit(struct es_store *store) PATHS_CHECKED;

/*
 * es_store_open - open a view.db to query it
 *
 * file		its path
 * store	out: for es_rows_open
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no such file
 *		PATHS_EIO	it cannot be read
 *		PATHS_EABI	another version of eventspace wrote it
 *		PATHS_EDAMAGED	empty, damaged, or not a view.db
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_store_close
 * Threads	any; then one at a time
 * Since	0.1
 */
ES_API paths_status es_store_open(const char *file, struct es_store **store)
    PATHS_CHECKED;

/*
 * es_store_close - close a view.db
 *
 * Removes a new view.db that was not committed.
 *
 * store	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, after all es_rows_close
 * Since	0.1
 */
ES_API void es_store_close(struct es_store *store);

PATHS_END_DECLS

#endif
