/* SPDX-License-Identifier: MIT */
/*
 * scopes/store.h - view.db: where views are kept
 *
 * An SQLite database with a table for each table of a view and the virtual
 * table `event` over the raw tuples, which stay in the event spaces.  It is
 * written under another name and takes its own when it is whole, so a reader
 * sees all of it or what was there before.
 */

#ifndef SCOPES_STORE_H
#define SCOPES_STORE_H

#include "scopes/view.h"

/* In the head of the file: "EvSp", and which tables to expect. */
#define ES_STORE_APPLICATION_ID 0x45765370
#define ES_STORE_SCHEMA_VERSION 4

struct es_store;

/*
 * es_store_create - begin a new view.db
 *
 * file		its path; what is there now stays until es_store_commit
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
 * es_store_run - say which run the views are of
 *
 * Makes the virtual table `event` of the run's tuples, on the clock of the
 * analysis.
 *
 * Returns	as es_store_create
 *		PATHS_EINVAL	said already
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
 *		PATHS_EINVAL	a table of that name is there already, or the
 *				SQL of one is wrong
 * Ownership	keeps a reference to the view until es_store_close
 * Threads	one at a time
 * Since	0.1
 */
ES_API paths_status es_store_view(struct es_store *store,
    const struct es_view *view) PATHS_CHECKED;

/*
 * es_store_sink - where rows of a new view.db go
 *
 * Rows of a table that no es_store_view created are refused with
 * PATHS_ENOENT, those whose values are not of their columns' kinds with
 * PATHS_ETYPE, those with a key that is there already with PATHS_EBUSY.
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
 * Everything is on the disk before the old one is replaced.
 *
 * Returns	as es_store_create; after an error what was there is untouched
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
 *		PATHS_ENOENT	there is none
 *		PATHS_EIO	it cannot be read
 *		PATHS_EABI	another version of eventspace wrote it
 *		PATHS_EDAMAGED	empty, damaged, or not a view.db at all
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_store_close
 * Threads	any; then one at a time
 * Since	0.1
 */
ES_API paths_status es_store_open(const char *file, struct es_store **store)
    PATHS_CHECKED;

/*
 * es_store_close - end writing or reading
 *
 * A new view.db that was not committed is gone.
 *
 * store	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one, after all es_rows_close
 * Since	0.1
 */
ES_API void es_store_close(struct es_store *store);

#endif
