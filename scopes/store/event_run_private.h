/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_run_private.h - the run whose tuples a table shows
 */

#ifndef SCOPES_STORE_EVENT_RUN_PRIVATE_H
#define SCOPES_STORE_EVENT_RUN_PRIVATE_H

#include "scopes/store/extension_api_private.h"

#include "scopes/analysis.h"

#include <stdbool.h>

struct es__event_run {
	struct es_run *opened;	   /* NULL: it cannot be read, see `why` */
	const struct es_run *run;  /* whose tuples are shown: the opened one, or
				     that of its other spaces; NULL: none */
	struct es_timebase *bases; /* of each process; NULL: not prepared */
	char *why;		   /* the error of a query; NULL: none */
	uint8_t *order;		   /* of each collector, see event_seek.c */
	uint64_t **calls;	   /* of each collector, see event_calls.c */
	uint64_t tuples;
	uint32_t collectors;
	sqlite3 *db;
	char *schema;		    /* NULL: the run was given as an argument */
	struct es__event_run *next; /* see event_count_private.h */
	bool temporary;		    /* of the table temp.event */
};

/*
 * Opens the run: that of `argument`, as CREATE VIRTUAL TABLE passes it, or that
 * of the database.  A run that is missing or cannot be opened is kept as `why`.
 *
 * others	shows the other spaces of the run, see es_run_others
 *
 * Returns SQLITE_OK or SQLITE_NOMEM.
 */
int es__event_run_open(struct es__event_run *run, sqlite3 *db,
    const char *schema, const char *argument, bool others);
void es__event_run_close(struct es__event_run *run);

/* Fills `bases`, which queries need.  Returns SQLITE_ERROR with a `why`. */
int es__event_run_prepare(struct es__event_run *run);

#endif
