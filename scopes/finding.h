/* SPDX-License-Identifier: MIT */
/*
 * scopes/finding.h - sentences about what stands out in a run
 *
 * Views declare queries for findings.  `eventspace show`, the window and the
 * report print the same sentences.  A finding names its subject, and the table
 * and chart that show it.
 */

#ifndef SCOPES_FINDING_H
#define SCOPES_FINDING_H

#include "scopes/store.h"

PATHS_BEGIN_DECLS

struct es_finding {
	const char *table;   /* table that it is printed below */
	const char *text;    /* one sentence */
	const char *kind;    /* of its subject: thread, stage, site, step; "":
				it has no subject */
	int64_t id;	     /* of its subject; unused if it has none */
	const char *chart;   /* chart that shows it */
	const char *measure; /* of that chart; NULL: its first */
};

/* Takes a finding, whose texts are lent for the call.  An error that it
   returns ends the search. */
typedef paths_status es_finding_take(void *to,
    const struct es_finding *finding);

/*
 * es_finding_each - find what stands out
 *
 * Skips findings whose views were not computed.
 *
 * store	open for reading
 * table	only findings that are printed below this table; NULL: all
 * take		called for each finding, the largest weight first
 *
 * Returns	PATHS_OK; the error of es_rows_next or of take
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_finding_each(struct es_store *store, const char *table,
    es_finding_take *take, void *to) PATHS_CHECKED;

/* The most tables of es_finding_part. */
#define ES_FINDING_TABLES 16

/* Rows of a part of the run, in place of those of a table. */
struct es_finding_table {
	const char *name;
	const char *sql;  /* a SELECT with the columns that findings use; it
			     may read main.NAME */
	const char *rows; /* value of its parameter :NAME; NULL: it has none */
};

/*
 * es_finding_part - find what stands out in a part of the run
 *
 * Asks for the findings that are printed below one of the tables, with the rows
 * of the part in place of theirs.  All other tables that these findings read
 * are of the whole run.
 *
 * store	open for reading
 * tables	of the part; one that only other findings need makes no finding
 * count	at most ES_FINDING_TABLES
 * take		called for each finding, the largest weight first
 *
 * Returns	as es_finding_each
 *		PATHS_EINVAL	there are too many tables
 *		PATHS_ENOMEM
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_finding_part(struct es_store *store,
    const struct es_finding_table *tables, size_t count, es_finding_take *take,
    void *to) PATHS_CHECKED;

/*
 * es_finding_ends - find deaths, hangs and deadlocks
 *
 * These sentences come before all other findings.  They have no subject.
 *
 * store	open for reading
 * take		called for each sentence or several that belong together, in
 *		the order in which they are printed
 *
 * Returns	PATHS_OK; the error of es_rows_next or of take
 * Threads	that of the store
 * Since	0.1
 */
ES_API paths_status es_finding_ends(struct es_store *store,
    es_finding_take *take, void *to) PATHS_CHECKED;

PATHS_END_DECLS

#endif
