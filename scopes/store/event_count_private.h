/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_count_private.h - the SQL function event_count
 */

#ifndef SCOPES_STORE_EVENT_COUNT_PRIVATE_H
#define SCOPES_STORE_EVENT_COUNT_PRIVATE_H

#include "scopes/store/event_run_private.h"

/* The runs of the tables `event` of a connection, latest first.  The module and
   the function share it. */
struct es__event_runs {
	struct es__event_run *first;
	unsigned shares;
	bool empty; /* the tables open no run */
};

/* Returns NULL out of memory.  The caller has the first share. */
struct es__event_runs *es__event_runs_create(bool empty);

/* Ends a share of a struct es__event_runs. */
void es__event_runs_unref(void *runs);

/* Adds the run of a table, if it is temp.event or main.event. */
void es__event_runs_add(struct es__event_runs *runs, struct es__event_run *run,
    const char *schema, const char *table);

/* Removes a run that may not be in the list. */
void es__event_runs_remove(struct es__event_runs *runs,
    struct es__event_run *run);

/* Registers the function.  Returns an error code of SQLite. */
int es__event_count(sqlite3 *db, struct es__event_runs *runs);

#endif
